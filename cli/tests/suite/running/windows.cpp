// A Windows client, compiled with mingw: calling convention, characters and events are those of Windows.

#define WIDL_EXPLICIT_AGGREGATE_RETURNS
#define INITGUID
#include <windows.h>

#include <d3d12.h>
#include <dxgi1_6.h>

// Missing in the headers of mingw.
#define D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES 65536

#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#define CHECK(condition)                                        \
    do {                                                        \
        if (!(condition)) {                                     \
            printf("line %d: %s\n", __LINE__, #condition);      \
            fflush(stdout);                                     \
            TerminateProcess(GetCurrentProcess(), 1);           \
        }                                                       \
    } while (0)

static D3D12_RESOURCE_DESC buffer(UINT64 width) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = width;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    return desc;
}

#include "copies.hpp"

// Structures that methods return, each of another size.
static void check_structures(ID3D12Device* device) {
    const auto desc = buffer(1000);
    const auto info = device->GetResourceAllocationInfo(0, 1, &desc);
    CHECK(info.SizeInBytes == 65536 && info.Alignment == 65536);
    CHECK(device->GetAdapterLuid().LowPart == 1 && device->GetAdapterLuid().HighPart == 0);
    const auto properties = device->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_UPLOAD);
    CHECK(properties.Type == D3D12_HEAP_TYPE_CUSTOM && properties.MemoryPoolPreference == D3D12_MEMORY_POOL_L0);
    D3D12_HEAP_DESC heap_desc = {};
    heap_desc.SizeInBytes = 1 << 20;
    heap_desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    ID3D12Heap* heap = nullptr;
    CHECK(device->CreateHeap(&heap_desc, IID_ID3D12Heap, (void**)&heap) == S_OK);
    CHECK(heap->GetDesc().SizeInBytes == 1 << 20 && heap->GetDesc().Properties.Type == D3D12_HEAP_TYPE_DEFAULT);
    CHECK(heap->Release() == 0);
    D3D12_DESCRIPTOR_HEAP_DESC views_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 8, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    ID3D12DescriptorHeap* views = nullptr;
    CHECK(device->CreateDescriptorHeap(&views_desc, IID_ID3D12DescriptorHeap, (void**)&views) == S_OK);
    CHECK(views->GetDesc().NumDescriptors == 8 && views->GetDesc().Type == D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    CHECK(views->GetCPUDescriptorHandleForHeapStart().ptr && views->GetGPUDescriptorHandleForHeapStart().ptr);
    CHECK(views->Release() == 0);
}

// A name of 16-bit characters, one of them of two.
static void check_names(ID3D12Device* device) {
    ID3D12Fence* fence = nullptr;
    CHECK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, (void**)&fence) == S_OK);
    CHECK(fence->SetName(L"fen\u00e7e \U0001F600") == S_OK);
    const GUID name = {0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};
    WCHAR text[16] = {};
    UINT size = sizeof text;
    CHECK(fence->GetPrivateData(name, &size, text) == S_OK && size == 18 && wcscmp(text, L"fen\u00e7e \U0001F600") == 0);
    CHECK(fence->Release() == 0);
}

// Private data holds a reference to an object of the client, whose functions have the client's convention.
struct Counted : IUnknown {
    LONG references = 1;
    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void** out) override { return *out = nullptr, E_NOINTERFACE; }
    ULONG STDMETHODCALLTYPE AddRef() override { return ++references; }
    ULONG STDMETHODCALLTYPE Release() override { return --references; }
};

static void check_private_interfaces(ID3D12Device* device) {
    Counted counted;
    ID3D12Fence* fence = nullptr;
    CHECK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, (void**)&fence) == S_OK);
    CHECK(fence->SetPrivateDataInterface(IID_ID3D12Heap, &counted) == S_OK && counted.references == 2);
    CHECK(fence->Release() == 0 && counted.references == 1);
}

static void check_events(ID3D12Device* device) {
    Gpu gpu(device);
    HANDLE event = CreateEventW(nullptr, FALSE, FALSE, nullptr);
    CHECK(gpu.fence->SetEventOnCompletion(1, event) == S_OK);
    CHECK(WaitForSingleObject(event, 50) == WAIT_TIMEOUT);
    CHECK(gpu.queue->Signal(gpu.fence, 1) == S_OK);
    CHECK(WaitForSingleObject(event, 10000) == WAIT_OBJECT_0 && gpu.fence->GetCompletedValue() == 1);
    // The runtime has a duplicate: the client may close its event at any time.
    HANDLE closed = CreateEventW(nullptr, TRUE, FALSE, nullptr), same = nullptr;
    CHECK(DuplicateHandle(GetCurrentProcess(), closed, GetCurrentProcess(), &same, 0, FALSE, DUPLICATE_SAME_ACCESS));
    CHECK(gpu.fence->SetEventOnCompletion(2, closed) == S_OK && CloseHandle(closed));
    CHECK(gpu.fence->Signal(2) == S_OK && WaitForSingleObject(same, 10000) == WAIT_OBJECT_0 && CloseHandle(same));
    CHECK(gpu.fence->SetEventOnCompletion(3, (HANDLE)0x7ffc) == E_INVALIDARG);
    CHECK(CloseHandle(event));
}

static DWORD WINAPI use_fences(void* argument) {
    auto device = (ID3D12Device*)argument;
    for (int round = 0; round < 200; round++) {
        ID3D12Fence* fence = nullptr;
        CHECK(device->CreateFence(round, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, (void**)&fence) == S_OK);
        CHECK(fence->Signal(round + 1) == S_OK && fence->GetCompletedValue() == (UINT64)round + 1);
        CHECK(fence->Release() == 0);
    }
    return 0;
}

static void check_threads(ID3D12Device* device) {
    HANDLE threads[4];
    for (auto& thread : threads)
        thread = CreateThread(nullptr, 0, use_fences, device, 0, nullptr);
    CHECK(WaitForMultipleObjects(4, threads, TRUE, 60000) == WAIT_OBJECT_0);
}

// The adapter of DXGI: a device, its description and its budget.
static ID3D12Device* create_device() {
    IDXGIFactory4* factory = nullptr;
    CHECK(CreateDXGIFactory2(0, IID_IDXGIFactory4, (void**)&factory) == S_OK && factory->IsCurrent());
    IDXGIAdapter1 *first = nullptr, *second = nullptr;
    CHECK(factory->EnumAdapters1(0, &first) == S_OK);
    CHECK(factory->EnumAdapters1(1, &second) == DXGI_ERROR_NOT_FOUND && !second);
    DXGI_ADAPTER_DESC1 desc = {};
    CHECK(first->GetDesc1(&desc) == S_OK && wcscmp(desc.Description, L"Taut simulated adapter (reference)") == 0);
    CHECK(desc.AdapterLuid.LowPart == 1 && desc.DedicatedVideoMemory && !desc.Flags);
    IDXGIAdapter3 *same = nullptr;
    CHECK(factory->EnumAdapterByLuid(desc.AdapterLuid, IID_IDXGIAdapter3, (void**)&same) == S_OK);
    DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
    CHECK(same->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info) == S_OK && info.Budget);
    CHECK(same->QueryVideoMemoryInfo(1, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info) == E_INVALIDARG);
    IDXGIOutput* output = nullptr;
    CHECK(same->EnumOutputs(0, &output) == DXGI_ERROR_NOT_FOUND);
    IDXGIFactory* parent = nullptr;
    CHECK(same->GetParent(IID_IDXGIFactory, (void**)&parent) == S_OK && parent->Release() == 0);
    ID3D12Device* device = nullptr;
    CHECK(D3D12CreateDevice(same, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device, (void**)&device) == S_OK);
    CHECK(same->Release() == 0 && first->Release() == 0 && factory->Release() == 0);
    return device;
}

int main(int argc, char** argv) {
    ID3D12Device* device = create_device();
    check_structures(device);
    check_names(device);
    check_private_interfaces(device);
    check_events(device);
    check_copies(device);
    check_threads(device);
    CHECK(device->Release() == 0);
    puts("checked");
    return argc > 1 ? atoi(argv[1]) : 0;
}
