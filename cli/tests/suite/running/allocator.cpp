// D3D12MemoryAllocator on 4 threads: 100,000 allocations. With an argument the program ends while allocations are alive.
// It prints the allocator's own statistics of that moment: blocks, their bytes, allocations, their bytes.

#include <wsl/winadapter.h>

#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <vector>

// The part of DXGI that the allocator uses.
struct DXGI_ADAPTER_DESC {
    WCHAR Description[128];
    UINT VendorId, DeviceId, SubSysId, Revision;
    SIZE_T DedicatedVideoMemory, DedicatedSystemMemory, SharedSystemMemory;
    LUID AdapterLuid;
};

struct IDXGIAdapter : IUnknown {
    virtual HRESULT STDMETHODCALLTYPE GetDesc(DXGI_ADAPTER_DESC* desc) = 0;
};

#define ZeroMemory(memory, size) memset(memory, 0, size)
#define D3D12MA_D3D12_HEADERS_ALREADY_INCLUDED
#define D3D12MA_DXGI_1_4 0
#include "D3D12MemAlloc.cpp"

#include "check.hpp"

struct Adapter final : IDXGIAdapter {
    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void** out) override {
        *out = nullptr;
        return E_NOINTERFACE;
    }
    ULONG STDMETHODCALLTYPE AddRef() override { return 2; }
    ULONG STDMETHODCALLTYPE Release() override { return 1; }
    HRESULT STDMETHODCALLTYPE GetDesc(DXGI_ADAPTER_DESC* desc) override {
        // The allocator's budget.
        *desc = {};
        desc->DedicatedVideoMemory = desc->SharedSystemMemory = SIZE_T(8) << 30;
        return S_OK;
    }
};

static const int THREADS = 4, ALLOCATIONS = 25000;
static const size_t ALIVE = 60;

static D3D12_RESOURCE_DESC random_desc(std::mt19937& random) {
    D3D12_RESOURCE_DESC desc = {};
    desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = 1 + random() % (1 << (4 + random() % 16));
    desc.Height = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    if (random() % 3 == 0) {
        desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
        desc.Width = 1 + random() % 300;
        desc.Height = 1 + random() % 300;
        desc.MipLevels = random() % 4 == 0 ? 0 : 1;
        desc.Format = random() % 2 ? DXGI_FORMAT_R8G8B8A8_UNORM : DXGI_FORMAT_R16G16B16A16_FLOAT;
        desc.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
        if (random() % 4 == 0)
            desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    }
    return desc;
}

static D3D12MA::Allocation* allocate(D3D12MA::Allocator* allocator, std::mt19937& random) {
    const auto desc = random_desc(random);
    const bool is_buffer = desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER;
    D3D12MA::ALLOCATION_DESC allocation = {};
    allocation.HeapType = is_buffer && random() % 3 == 0 ? D3D12_HEAP_TYPE_UPLOAD : D3D12_HEAP_TYPE_DEFAULT;
    allocation.Flags = random() % 20 == 0 ? D3D12MA::ALLOCATION_FLAG_COMMITTED : D3D12MA::ALLOCATION_FLAG_NONE;
    const auto state = allocation.HeapType == D3D12_HEAP_TYPE_UPLOAD ? D3D12_RESOURCE_STATE_GENERIC_READ : D3D12_RESOURCE_STATE_COMMON;
    D3D12MA::Allocation* found = nullptr;
    ID3D12Resource* resource = nullptr;
    CHECK(allocator->CreateResource(&allocation, &desc, state, nullptr, &found, IID_ID3D12Resource, (void**)&resource) == S_OK);
    CHECK(resource == found->GetResource() && found->GetSize() >= (is_buffer ? desc.Width : 1));
    if (allocation.HeapType == D3D12_HEAP_TYPE_UPLOAD) {
        unsigned char* data = nullptr;
        CHECK(resource->Map(0, nullptr, (void**)&data) == S_OK);
        memset(data, 0xab, desc.Width);
        resource->Unmap(0, nullptr);
    }
    resource->Release();
    return found;
}

int main(int count, char**) {
    void* library = dlopen("libd3d12.so", RTLD_NOW);
    CHECK(library);
    auto create = (PFN_D3D12_CREATE_DEVICE)dlsym(library, "D3D12CreateDevice");
    ID3D12Device* device = nullptr;
    CHECK(create(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device, (void**)&device) == S_OK);
    Adapter adapter;
    D3D12MA::ALLOCATOR_DESC desc = {};
    desc.pDevice = device;
    desc.pAdapter = &adapter;
    D3D12MA::Allocator* allocator = nullptr;
    CHECK(D3D12MA::CreateAllocator(&desc, &allocator) == S_OK);
    std::vector<D3D12MA::Allocation*> alive[THREADS];
    std::vector<std::thread> threads;
    for (int thread = 0; thread < THREADS; thread++)
        threads.emplace_back([&, thread] {
            std::mt19937 random(thread);
            auto& own = alive[thread];
            for (int allocation = 0; allocation < ALLOCATIONS; allocation++) {
                own.push_back(allocate(allocator, random));
                if (own.size() > ALIVE) {
                    std::swap(own[random() % own.size()], own.back());
                    own.back()->Release();
                    own.pop_back();
                }
            }
        });
    for (auto& thread : threads)
        thread.join();
    D3D12MA::TotalStatistics statistics;
    allocator->CalculateStatistics(&statistics);
    const auto& total = statistics.Total.Stats;
    printf("%u %llu %u %llu\n", total.BlockCount, (unsigned long long)total.BlockBytes, total.AllocationCount, (unsigned long long)total.AllocationBytes);
    fflush(stdout);
    if (count > 1)
        _exit(0);
    for (auto& own : alive)
        for (auto allocation : own)
            allocation->Release();
    CHECK(allocator->Release() == 0 && device->Release() == 0);
    return 0;
}
