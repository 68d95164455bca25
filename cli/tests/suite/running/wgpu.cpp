// A client of wgpu's Direct3D 12 backend: the unmodified DLL for Windows, given by its path. It writes a buffer and a
// texture, copies both, and finds their bytes.

#include <windows.h>

#include "wgpu.h"

#include <cstdio>
#include <cstring>
#include <initializer_list>

#define CHECK(condition)                                        \
    do {                                                        \
        if (!(condition)) {                                     \
            printf("line %d: %s\n", __LINE__, #condition);      \
            fflush(stdout);                                     \
            TerminateProcess(GetCurrentProcess(), 1);           \
        }                                                       \
    } while (0)

static HMODULE library;

#define CALL(function) ((decltype(&function))GetProcAddress(library, #function))

static void print(WGPUStringView text, FILE* file = stdout) {
    fprintf(file, "%.*s\n", (int)(text.length == WGPU_STRLEN ? strlen(text.data) : text.length), text.data);
    fflush(stdout);
}

static unsigned char pattern(size_t index) { return (unsigned char)(index * 31 + index / 251 + 1); }

int main(int, char** arguments) {
    library = LoadLibraryA(arguments[1]);
    if (!library)
        printf("error %lu\n", GetLastError());
    CHECK(library);
    CALL(wgpuSetLogCallback)([](WGPULogLevel, WGPUStringView message, void*) { print(message, stderr); }, nullptr);
    CALL(wgpuSetLogLevel)(WGPULogLevel_Error);
    WGPUInstanceExtras extras = {};
    extras.chain.sType = (WGPUSType)WGPUSType_InstanceExtras;
    extras.backends = WGPUInstanceBackend_DX12;
    WGPUInstanceDescriptor instance_desc = {};
    instance_desc.nextInChain = &extras.chain;
    WGPUInstance instance = CALL(wgpuCreateInstance)(&instance_desc);
    CHECK(instance);

    WGPUAdapter adapter = nullptr;
    WGPURequestAdapterCallbackInfo on_adapter = {};
    on_adapter.mode = WGPUCallbackMode_AllowSpontaneous;
    on_adapter.userdata1 = &adapter;
    on_adapter.callback = [](WGPURequestAdapterStatus status, WGPUAdapter found, WGPUStringView message, void* out, void*) {
        if (status != WGPURequestAdapterStatus_Success)
            print(message);
        *(WGPUAdapter*)out = found;
    };
    WGPURequestAdapterOptions options = {};
    options.backendType = WGPUBackendType_D3D12;
    CALL(wgpuInstanceRequestAdapter)(instance, &options, on_adapter);
    CHECK(adapter);
    WGPUAdapterInfo info = {};
    CHECK(CALL(wgpuAdapterGetInfo)(adapter, &info) == WGPUStatus_Success && info.backendType == WGPUBackendType_D3D12);
    print(info.device);

    WGPUDevice device = nullptr;
    WGPURequestDeviceCallbackInfo on_device = {};
    on_device.mode = WGPUCallbackMode_AllowSpontaneous;
    on_device.userdata1 = &device;
    on_device.callback = [](WGPURequestDeviceStatus status, WGPUDevice found, WGPUStringView message, void* out, void*) {
        if (status != WGPURequestDeviceStatus_Success)
            print(message);
        *(WGPUDevice*)out = found;
    };
    CALL(wgpuAdapterRequestDevice)(adapter, nullptr, on_device);
    CHECK(device);
    WGPUQueue queue = CALL(wgpuDeviceGetQueue)(device);

    const size_t size = 64 * 256;
    static unsigned char bytes[size];
    for (size_t index = 0; index < size; index++)
        bytes[index] = pattern(index);
    auto create = [&](WGPUBufferUsage usage) {
        WGPUBufferDescriptor desc = {};
        desc.usage = usage;
        desc.size = size;
        return CALL(wgpuDeviceCreateBuffer)(device, &desc);
    };
    WGPUBuffer written = create(WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
    WGPUBuffer from_buffer = create(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUBuffer from_texture = create(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    CALL(wgpuQueueWriteBuffer)(queue, written, 0, bytes, size);

    WGPUTextureDescriptor desc = {};
    desc.usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst;
    desc.dimension = WGPUTextureDimension_2D;
    desc.size = {64, 64, 1};
    desc.format = WGPUTextureFormat_RGBA8Unorm;
    desc.mipLevelCount = desc.sampleCount = 1;
    WGPUTexture texture = CALL(wgpuDeviceCreateTexture)(device, &desc);
    WGPUTexelCopyTextureInfo place = {};
    place.texture = texture;
    place.aspect = WGPUTextureAspect_All;
    const WGPUTexelCopyBufferLayout layout = {0, 256, 64};
    CALL(wgpuQueueWriteTexture)(queue, &place, bytes, size, &layout, &desc.size);

    WGPUCommandEncoder encoder = CALL(wgpuDeviceCreateCommandEncoder)(device, nullptr);
    CALL(wgpuCommandEncoderCopyBufferToBuffer)(encoder, written, 0, from_buffer, 0, size);
    const WGPUTexelCopyBufferInfo target = {layout, from_texture};
    CALL(wgpuCommandEncoderCopyTextureToBuffer)(encoder, &place, &target, &desc.size);
    WGPUCommandBuffer commands = CALL(wgpuCommandEncoderFinish)(encoder, nullptr);
    CALL(wgpuQueueSubmit)(queue, 1, &commands);

    for (WGPUBuffer buffer : {from_buffer, from_texture}) {
        bool is_mapped = false;
        WGPUBufferMapCallbackInfo on_map = {};
        on_map.mode = WGPUCallbackMode_AllowSpontaneous;
        on_map.userdata1 = &is_mapped;
        on_map.callback = [](WGPUMapAsyncStatus status, WGPUStringView message, void* out, void*) {
            if (status != WGPUMapAsyncStatus_Success)
                print(message);
            *(bool*)out = status == WGPUMapAsyncStatus_Success;
        };
        CALL(wgpuBufferMapAsync)(buffer, WGPUMapMode_Read, 0, size, on_map);
        CALL(wgpuDevicePoll)(device, true, nullptr);
        CHECK(is_mapped);
        CHECK(memcmp(CALL(wgpuBufferGetConstMappedRange)(buffer, 0, size), bytes, size) == 0);
        CALL(wgpuBufferUnmap)(buffer);
    }
    for (WGPUBuffer buffer : {written, from_buffer, from_texture})
        CALL(wgpuBufferRelease)(buffer);
    CALL(wgpuCommandBufferRelease)(commands);
    CALL(wgpuCommandEncoderRelease)(encoder);
    CALL(wgpuTextureRelease)(texture);
    CALL(wgpuQueueRelease)(queue);
    CALL(wgpuDeviceRelease)(device);
    CALL(wgpuAdapterRelease)(adapter);
    CALL(wgpuInstanceRelease)(instance);
    puts("checked");
    return 0;
}
