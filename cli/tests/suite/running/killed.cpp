// Creates and releases placed resources on 4 threads until it is killed. Its argument is a file whose mapping has the
// process id, then the number of creations that have returned on each thread: the file outlives the process.

#include <wsl/winadapter.h>

#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "check.hpp"

static const int THREADS = 4;

struct Counts {
    std::atomic<UINT64> process;
    std::atomic<UINT64> returned[THREADS];
};

static void allocate(ID3D12Device* device, ID3D12Heap* heap, UINT64 offset, std::atomic<UINT64>* returned) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = 65536;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    for (;;) {
        ID3D12Resource* resource = nullptr;
        const auto state = D3D12_RESOURCE_STATE_COMMON;
        CHECK(device->CreatePlacedResource(heap, offset, &desc, state, nullptr, IID_ID3D12Resource, (void**)&resource) == S_OK);
        returned->fetch_add(1);
        CHECK(resource->Release() == 0);
    }
}

int main(int, char** arguments) {
    const int file = open(arguments[1], O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && ftruncate(file, sizeof(Counts)) == 0);
    void* mapped = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(mapped != MAP_FAILED);
    auto* counts = static_cast<Counts*>(mapped);
    void* library = dlopen("libd3d12.so", RTLD_NOW);
    CHECK(library);
    auto create = (HRESULT(*)(IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**))dlsym(library, "D3D12CreateDevice");
    ID3D12Device* device = nullptr;
    CHECK(create && create(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device, (void**)&device) == S_OK);
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = THREADS * 65536;
    desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
    ID3D12Heap* heap = nullptr;
    CHECK(device->CreateHeap(&desc, IID_ID3D12Heap, (void**)&heap) == S_OK);
    counts->process = getpid();
    std::thread threads[THREADS];
    for (int index = 0; index < THREADS; index++)
        threads[index] = std::thread(allocate, device, heap, UINT64(index) * 65536, &counts->returned[index]);
    threads[0].join();
}
