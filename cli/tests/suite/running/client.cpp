// A client of DirectX-Headers: layouts and calling convention are those of the compiler, and mistakes are answered.

#include <wsl/winadapter.h>

#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#include <dlfcn.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "check.hpp"

static PFN_D3D12_CREATE_DEVICE create_device;

static D3D12_RESOURCE_DESC buffer(UINT64 width) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = width;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    return desc;
}

static void check_queue(ID3D12Device* device) {
    D3D12_COMMAND_QUEUE_DESC desc = {};
    ID3D12CommandQueue* queue = nullptr;
    CHECK(device->CreateCommandQueue(nullptr, IID_ID3D12CommandQueue, (void**)&queue) == E_INVALIDARG && !queue);
    CHECK(device->CreateCommandQueue(&desc, IID_ID3D12CommandQueue, nullptr) == S_FALSE);
    CHECK(device->CreateCommandQueue(&desc, IID_ID3D12CommandQueue, (void**)&queue) == S_OK);
    CHECK(queue->GetDesc().Type == desc.Type);
    UINT64 gpu = 0, cpu = 0;
    CHECK(queue->GetClockCalibration(&gpu, &cpu) == S_OK && gpu && gpu == cpu);
    CHECK(queue->GetClockCalibration(nullptr, &cpu) == E_INVALIDARG);
    queue->ExecuteCommandLists(1, nullptr);
    ID3D12CommandList* foreign[] = {(ID3D12CommandList*)device};
    queue->ExecuteCommandLists(1, foreign);
    queue->SetMarker(0, nullptr, 0);
    CHECK(queue->Release() == 0);
}

static void check_memory(ID3D12Device* device) {
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = 1 << 20;
    desc.Properties.Type = D3D12_HEAP_TYPE_UPLOAD;
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
    ID3D12Heap* heap = nullptr;
    CHECK(device->CreateHeap(&desc, IID_ID3D12Heap, (void**)&heap) == S_OK);
    CHECK(heap->GetDesc().SizeInBytes == desc.SizeInBytes && heap->GetDesc().Properties.Type == desc.Properties.Type);
    const auto resource_desc = buffer(65536);
    const auto state = D3D12_RESOURCE_STATE_GENERIC_READ;
    ID3D12Resource* resource = (ID3D12Resource*)1;
    auto foreign = (ID3D12Heap*)device;
    CHECK(device->CreatePlacedResource(foreign, 0, &resource_desc, state, nullptr, IID_ID3D12Resource, (void**)&resource) == E_INVALIDARG);
    CHECK(!resource);
    CHECK(device->CreatePlacedResource(heap, 0, &resource_desc, state, nullptr, IID_ID3D12Resource, (void**)&resource) == S_OK);
    D3D12_HEAP_PROPERTIES properties;
    D3D12_HEAP_FLAGS flags;
    CHECK(resource->GetHeapProperties(&properties, &flags) == S_OK && properties.Type == D3D12_HEAP_TYPE_UPLOAD);
    CHECK(flags == desc.Flags && resource->GetHeapProperties(nullptr, nullptr) == S_OK);
    CHECK(resource->GetDesc().Width == 65536);
    UINT tiles = 77, tilings = 77;
    D3D12_PACKED_MIP_INFO mips;
    D3D12_TILE_SHAPE shape;
    memset(&mips, 0xff, sizeof mips);
    memset(&shape, 0xff, sizeof shape);
    device->GetResourceTiling(resource, &tiles, &mips, &shape, &tilings, 0, nullptr);
    CHECK(!tiles && !tilings && !mips.NumTilesForPackedMips && !shape.WidthInTexels);
    CHECK(resource->Release() == 0 && heap->Release() == 0);
}

static void check_list(ID3D12Device* device) {
    const auto type = D3D12_COMMAND_LIST_TYPE_DIRECT;
    ID3D12CommandAllocator* allocator = nullptr;
    ID3D12GraphicsCommandList* list = nullptr;
    CHECK(device->CreateCommandAllocator(type, IID_ID3D12CommandAllocator, (void**)&allocator) == S_OK);
    CHECK(device->CreateCommandList(0, type, allocator, nullptr, IID_ID3D12GraphicsCommandList, (void**)&list) == S_OK);
    CHECK(list->GetType() == type && list->Reset(allocator, nullptr) != S_OK);
    CHECK(list->Close() == S_OK && list->Close() == E_FAIL && list->Reset(nullptr, nullptr) == E_INVALIDARG);
    CHECK(list->Reset(allocator, nullptr) == S_OK);
    CHECK(list->Close() == S_OK);
    // Each of these commands is invalid, and makes Close fail.
    D3D12_HEAP_PROPERTIES properties = {};
    properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    const auto desc = buffer(4096);
    ID3D12Resource* resource = nullptr;
    CHECK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_ID3D12Resource, (void**)&resource) == S_OK);
    auto foreign = (ID3D12Resource*)device;
    FLOAT color[4] = {};
    std::vector<std::function<void()>> invalid = {
        [&] { list->ExecuteBundle(nullptr); },
        [&] { list->RSSetViewports(4, nullptr); },
        [&] { list->RSSetViewports(17, std::vector<D3D12_VIEWPORT>(17).data()); },
        [&] { list->RSSetScissorRects(1, nullptr); },
        [&] { list->SetDescriptorHeaps(1, nullptr); },
        [&] { list->SetDescriptorHeaps(1, (ID3D12DescriptorHeap* const*)&foreign); },
        [&] { list->ResourceBarrier(1, nullptr); },
        [&] { D3D12_RESOURCE_BARRIER barrier = {}; list->ResourceBarrier(1, &barrier); },
        [&] { list->OMSetRenderTargets(1, nullptr, FALSE, nullptr); },
        [&] { list->OMSetRenderTargets(9, std::vector<D3D12_CPU_DESCRIPTOR_HANDLE>(9).data(), FALSE, nullptr); },
        [&] { list->IASetVertexBuffers(0, 33, nullptr); },
        [&] { list->SetGraphicsRoot32BitConstants(0, 2, nullptr, 0); },
        [&] { list->SetComputeRoot32BitConstants(0, 2, nullptr, 0); },
        [&] { list->ClearRenderTargetView({}, nullptr, 0, nullptr); },
        [&] { list->ClearUnorderedAccessViewFloat({}, {}, nullptr, color, 0, nullptr); },
        [&] { list->DiscardResource(nullptr, nullptr); },
        [&] { list->CopyResource(nullptr, nullptr); },
        [&] { list->CopyResource(foreign, foreign); },
        [&] { list->CopyBufferRegion(nullptr, 0, nullptr, 0, 1); },
        [&] { list->CopyTextureRegion(nullptr, 0, 0, 0, nullptr, nullptr); },
        [&] {
            D3D12_TEXTURE_COPY_LOCATION rows = {};
            rows.pResource = resource;
            rows.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
            rows.PlacedFootprint.Footprint = {DXGI_FORMAT_R8_UNORM, 1, ~0u, ~0u, 0};
            list->CopyTextureRegion(&rows, 0, 0, 0, &rows, nullptr);
        },
        [&] { list->CopyTiles(nullptr, nullptr, nullptr, nullptr, 0, D3D12_TILE_COPY_FLAG_NONE); },
        [&] { list->ResolveSubresource(nullptr, 0, nullptr, 0, DXGI_FORMAT_R8_UNORM); },
        [&] { list->BeginQuery(nullptr, D3D12_QUERY_TYPE_OCCLUSION, 0); },
        [&] { list->EndQuery(nullptr, D3D12_QUERY_TYPE_OCCLUSION, 0); },
        [&] { list->ResolveQueryData(nullptr, D3D12_QUERY_TYPE_OCCLUSION, 0, 1, nullptr, 0); },
        [&] { list->SetMarker(0, nullptr, 4); },
        [&] { list->BeginEvent(0, nullptr, 4); },
        [&] { list->ExecuteIndirect(nullptr, 1, nullptr, 0, nullptr, 0); },
    };
    for (auto& command : invalid) {
        CHECK(list->Reset(allocator, nullptr) == S_OK);
        command();
        CHECK(list->Close() == E_INVALIDARG);
    }
    // NULL that unbinds, and arrays without elements.
    CHECK(list->Reset(allocator, nullptr) == S_OK);
    list->IASetVertexBuffers(0, 2, nullptr);
    list->IASetIndexBuffer(nullptr);
    list->SOSetTargets(0, 1, nullptr);
    list->OMSetRenderTargets(0, nullptr, FALSE, nullptr);
    list->OMSetBlendFactor(nullptr);
    list->RSSetViewports(0, nullptr);
    list->ResourceBarrier(0, nullptr);
    list->SetPredication(nullptr, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    CHECK(list->Close() == S_OK);
    CHECK(list->Release() == 0 && allocator->Release() == 0 && resource->Release() == 0);
}

#include "copies.hpp"

// Runs `work` on 4 threads; it returns false after a failure.
template <class Work>
static void on_threads(Work work) {
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; thread++)
        threads.emplace_back([&] {
            for (int round = 0; round < 500; round++)
                failures += !work();
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(failures == 0);
}

static bool use_fence(ID3D12Device* device) {
    ID3D12Fence* fence = nullptr;
    ID3D12Device* found = nullptr;
    if (device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, (void**)&fence) != S_OK)
        return false;
    bool good = fence->GetDevice(IID_ID3D12Device, (void**)&found) == S_OK && found == device;
    found->Release();
    int event = eventfd(0, 0);
    uint64_t count = 0;
    good = good && fence->SetEventOnCompletion(1, (HANDLE)(intptr_t)event) == S_OK && fence->Signal(1) == S_OK;
    good = good && read(event, &count, sizeof count) == sizeof count && count == 1;
    close(event);
    return fence->Release() == 0 && good;
}

// The device ends and begins while other threads get it.
static bool renew_device() {
    ID3D12Device* device = nullptr;
    ID3D12Fence* fence = nullptr;
    if (create_device(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device, (void**)&device) != S_OK)
        return false;
    bool good = device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, (void**)&fence) == S_OK;
    device->Release();
    return good && fence->Release() == 0;
}

int main() {
    void* library = dlopen("libd3d12.so", RTLD_NOW);
    CHECK(library);
    create_device = (PFN_D3D12_CREATE_DEVICE)dlsym(library, "D3D12CreateDevice");
    ID3D12Device* device = nullptr;
    CHECK(create_device(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device, (void**)&device) == S_OK);
    check_queue(device);
    check_memory(device);
    check_list(device);
    check_copies(device);
    on_threads([&] { return use_fence(device); });
    CHECK(device->Release() == 0 && device->GetNodeCount() == 0);
    on_threads(renew_device);
    puts("checked");
    return 0;
}
