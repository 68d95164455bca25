// DirectML (its library is the program's argument): a device, and an addition compiled, initialised and dispatched. Its
// header is in no package; the declarations here are those that the program needs, with the slots of DirectML.h.

#include <wsl/winadapter.h>

#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#include <dlfcn.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>

#include "check.hpp"

// DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_TYPE_BUFFER, DML_OPERATOR_ELEMENT_WISE_ADD, DML_BINDING_TYPE_BUFFER.
static const UINT FLOAT32 = 1, TENSOR_BUFFER = 1, ADD = 4, BINDING_NONE = 0, BINDING_BUFFER = 1;

struct BufferTensor {
    UINT data_type, flags, dimensions;
    const UINT *sizes, *strides;
    UINT64 bytes;
    UINT alignment;
};
struct Typed {
    UINT type;
    const void* desc;
};
struct Addition {
    const Typed *a, *b, *output;
};
struct BufferBinding {
    ID3D12Resource* buffer;
    UINT64 offset, bytes;
};
struct BindingProperties {
    UINT descriptors;
    UINT64 temporary_bytes, persistent_bytes;
};
struct BindingTableDesc {
    IUnknown* dispatchable;
    D3D12_CPU_DESCRIPTOR_HANDLE cpu;
    D3D12_GPU_DESCRIPTOR_HANDLE gpu;
    UINT descriptors;
};

struct DmlObject : IUnknown {
    virtual HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) = 0;
    virtual HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) = 0;
    virtual HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, IUnknown*) = 0;
    virtual HRESULT STDMETHODCALLTYPE SetName(const WCHAR*) = 0;
};
struct DmlChild : DmlObject {
    virtual HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) = 0;
};
struct DmlDispatchable : DmlChild {
    virtual BindingProperties STDMETHODCALLTYPE GetBindingProperties() = 0;
};
struct DmlBindingTable : DmlChild {
    virtual void STDMETHODCALLTYPE BindInputs(UINT, const Typed*) = 0;
    virtual void STDMETHODCALLTYPE BindOutputs(UINT, const Typed*) = 0;
    virtual void STDMETHODCALLTYPE BindTemporaryResource(const Typed*) = 0;
    virtual void STDMETHODCALLTYPE BindPersistentResource(const Typed*) = 0;
    virtual HRESULT STDMETHODCALLTYPE Reset(const BindingTableDesc*) = 0;
};
struct DmlRecorder : DmlChild {
    virtual void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList*, IUnknown*, DmlBindingTable*) = 0;
};
struct DmlDevice : DmlObject {
    virtual HRESULT STDMETHODCALLTYPE CheckFeatureSupport(UINT, UINT, const void*, UINT, void*) = 0;
    virtual HRESULT STDMETHODCALLTYPE CreateOperator(const Typed*, REFIID, void**) = 0;
    virtual HRESULT STDMETHODCALLTYPE CompileOperator(IUnknown*, UINT, REFIID, void**) = 0;
    virtual HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT, IUnknown* const*, REFIID, void**) = 0;
    virtual HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID, void**) = 0;
    virtual HRESULT STDMETHODCALLTYPE CreateBindingTable(const BindingTableDesc*, REFIID, void**) = 0;
    virtual HRESULT STDMETHODCALLTYPE Evict(UINT, IUnknown* const*) = 0;
    virtual HRESULT STDMETHODCALLTYPE MakeResident(UINT, IUnknown* const*) = 0;
    virtual HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() = 0;
    virtual HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID, void**) = 0;
};

static const GUID DML_DEVICE = {0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
static const GUID DML_OPERATOR = {0x26caae7a, 0x3081, 0x4633, {0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d}};
static const GUID DML_COMPILED = {0x6b15e56a, 0xbf5c, 0x4902, {0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4}};
static const GUID DML_INITIALIZER = {0x427c1113, 0x435c, 0x469c, {0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13}};
static const GUID DML_TABLE = {0x29c687dc, 0xde74, 0x4e3b, {0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc}};
static const GUID DML_RECORDER = {0xe6857a76, 0x2e3e, 0x4fdd, {0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53}};

static ID3D12Device* device;

template <class T> static T* function(const char* library, const char* name) {
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        printf("%s\n", dlerror());
    CHECK(handle);
    void* found = dlsym(handle, name);
    CHECK(found);
    return reinterpret_cast<T*>(found);
}

static ID3D12Resource* create_buffer(UINT64 bytes) {
    if (bytes == 0)
        return nullptr;
    D3D12_HEAP_PROPERTIES properties = {};
    properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = bytes;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    ID3D12Resource* buffer = nullptr;
    CHECK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                          IID_PPV_ARGS(&buffer)) == S_OK);
    return buffer;
}

template <class T> static void release(T* object) {
    if (object)
        object->Release();
}

// Records and executes a dispatch, and waits for its end.
struct Dispatcher {
    ID3D12CommandQueue* queue = nullptr;
    ID3D12CommandAllocator* allocator = nullptr;
    ID3D12GraphicsCommandList* list = nullptr;
    ID3D12Fence* fence = nullptr;
    DmlRecorder* recorder = nullptr;
    UINT64 value = 0;

    void begin(DmlDevice* dml) {
        D3D12_COMMAND_QUEUE_DESC desc = {};
        desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
        CHECK(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)) == S_OK);
        CHECK(device->CreateCommandAllocator(desc.Type, IID_PPV_ARGS(&allocator)) == S_OK);
        CHECK(device->CreateCommandList(0, desc.Type, allocator, nullptr, IID_PPV_ARGS(&list)) == S_OK);
        CHECK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)) == S_OK);
        CHECK(dml->CreateCommandRecorder(DML_RECORDER, reinterpret_cast<void**>(&recorder)) == S_OK);
    }

    void dispatch(ID3D12DescriptorHeap* heap, IUnknown* dispatchable, DmlBindingTable* table) {
        list->SetDescriptorHeaps(1, &heap);
        recorder->RecordDispatch(list, dispatchable, table);
        CHECK(list->Close() == S_OK);
        ID3D12CommandList* lists[] = {list};
        queue->ExecuteCommandLists(1, lists);
        int event = eventfd(0, 0);
        value += 1;
        CHECK(fence->SetEventOnCompletion(value, reinterpret_cast<HANDLE>(static_cast<intptr_t>(event))) == S_OK);
        CHECK(queue->Signal(fence, value) == S_OK);
        pollfd waited = {event, POLLIN, 0};
        CHECK(poll(&waited, 1, 10000) == 1 && fence->GetCompletedValue() == value);
        close(event);
        CHECK(allocator->Reset() == S_OK && list->Reset(allocator, nullptr) == S_OK);
    }

    void end() {
        release(recorder);
        release(fence);
        release(list);
        release(allocator);
        release(queue);
    }
};

int main(int, char** arguments) {
    using CreateDevice = HRESULT(IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**);
    using CreateDml = HRESULT(ID3D12Device*, UINT, REFIID, void**);
    void* out = nullptr;
    CHECK(function<CreateDevice>("libd3d12.so", "D3D12CreateDevice")(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device, &out) == S_OK);
    device = static_cast<ID3D12Device*>(out);
    DmlDevice* dml = nullptr;
    CHECK(function<CreateDml>(arguments[1], "DMLCreateDevice")(device, 0, DML_DEVICE, reinterpret_cast<void**>(&dml)) == S_OK);
    ID3D12Device* parent = nullptr;
    CHECK(dml->GetParentDevice(IID_PPV_ARGS(&parent)) == S_OK && parent == device);
    parent->Release();

    const UINT sizes[] = {1, 1, 16, 16};
    const UINT64 bytes = 16 * 16 * 4;
    BufferTensor tensor = {FLOAT32, 0, 4, sizes, nullptr, bytes, 0};
    Typed desc = {TENSOR_BUFFER, &tensor};
    Addition addition = {&desc, &desc, &desc};
    Typed operation = {ADD, &addition};
    IUnknown *added = nullptr, *compiled_unknown = nullptr;
    CHECK(dml->CreateOperator(&operation, DML_OPERATOR, reinterpret_cast<void**>(&added)) == S_OK);
    CHECK(dml->CompileOperator(added, 0, DML_COMPILED, reinterpret_cast<void**>(&compiled_unknown)) == S_OK);
    auto* compiled = static_cast<DmlDispatchable*>(compiled_unknown);
    DmlDispatchable* initializer = nullptr;
    CHECK(dml->CreateOperatorInitializer(1, &compiled_unknown, DML_INITIALIZER, reinterpret_cast<void**>(&initializer)) == S_OK);

    BindingProperties first = initializer->GetBindingProperties(), second = compiled->GetBindingProperties();
    UINT descriptors = first.descriptors > second.descriptors ? first.descriptors : second.descriptors;
    D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, descriptors ? descriptors : 1,
                                            D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    ID3D12DescriptorHeap* heap = nullptr;
    CHECK(device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap)) == S_OK);
    BindingTableDesc table_desc = {initializer, heap->GetCPUDescriptorHandleForHeapStart(),
                                   heap->GetGPUDescriptorHandleForHeapStart(), first.descriptors};
    DmlBindingTable* table = nullptr;
    CHECK(dml->CreateBindingTable(&table_desc, DML_TABLE, reinterpret_cast<void**>(&table)) == S_OK);
    ID3D12Resource *temporary = create_buffer(first.temporary_bytes), *persistent = create_buffer(second.persistent_bytes);
    BufferBinding temporary_binding = {temporary, 0, first.temporary_bytes};
    BufferBinding persistent_binding = {persistent, 0, second.persistent_bytes};
    Typed none = {BINDING_NONE, nullptr};
    if (temporary) {
        Typed binding = {BINDING_BUFFER, &temporary_binding};
        table->BindTemporaryResource(&binding);
    }
    Typed output = persistent ? Typed{BINDING_BUFFER, &persistent_binding} : none;
    table->BindOutputs(1, &output);

    Dispatcher dispatcher;
    dispatcher.begin(dml);
    dispatcher.dispatch(heap, initializer, table);

    table_desc.dispatchable = compiled;
    table_desc.descriptors = second.descriptors;
    CHECK(table->Reset(&table_desc) == S_OK);
    ID3D12Resource *a = create_buffer(bytes), *b = create_buffer(bytes), *sum = create_buffer(bytes);
    ID3D12Resource* second_temporary = create_buffer(second.temporary_bytes);
    BufferBinding bindings[] = {{a, 0, bytes}, {b, 0, bytes}, {sum, 0, bytes}, {second_temporary, 0, second.temporary_bytes}};
    Typed inputs[] = {{BINDING_BUFFER, &bindings[0]}, {BINDING_BUFFER, &bindings[1]}}, result = {BINDING_BUFFER, &bindings[2]};
    table->BindInputs(2, inputs);
    table->BindOutputs(1, &result);
    if (second_temporary) {
        Typed binding = {BINDING_BUFFER, &bindings[3]};
        table->BindTemporaryResource(&binding);
    }
    if (persistent) {
        Typed binding = {BINDING_BUFFER, &persistent_binding};
        table->BindPersistentResource(&binding);
    }
    dispatcher.dispatch(heap, compiled, table);
    CHECK(dml->GetDeviceRemovedReason() == S_OK);

    dispatcher.end();
    for (ID3D12Resource* buffer : {a, b, sum, temporary, second_temporary, persistent})
        release(buffer);
    release(table);
    release(heap);
    release(initializer);
    release(compiled);
    release(added);
    release(dml);
    CHECK(device->Release() == 0);
    printf("dispatched\n");
}
