// Commands that change memory: the program finds what a GPU would have written.

struct Gpu {
    ID3D12Device* device;
    ID3D12CommandQueue* queue = nullptr;
    ID3D12CommandAllocator* allocator = nullptr;
    ID3D12GraphicsCommandList* list = nullptr;
    ID3D12Fence* fence = nullptr;
    UINT64 value = 0;

    explicit Gpu(ID3D12Device* of) : device(of) {
        const auto type = D3D12_COMMAND_LIST_TYPE_DIRECT;
        D3D12_COMMAND_QUEUE_DESC desc = {};
        CHECK(device->CreateCommandQueue(&desc, IID_ID3D12CommandQueue, (void**)&queue) == S_OK);
        CHECK(device->CreateCommandAllocator(type, IID_ID3D12CommandAllocator, (void**)&allocator) == S_OK);
        CHECK(device->CreateCommandList(0, type, allocator, nullptr, IID_ID3D12GraphicsCommandList, (void**)&list) == S_OK);
        CHECK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, (void**)&fence) == S_OK);
    }

    ~Gpu() {
        CHECK(list->Release() == 0 && allocator->Release() == 0 && queue->Release() == 0 && fence->Release() == 0);
    }

    // Executes the commands and waits for their end.
    void execute() {
        CHECK(list->Close() == S_OK);
        ID3D12CommandList* lists[] = {list};
        queue->ExecuteCommandLists(1, lists);
        CHECK(queue->Signal(fence, ++value) == S_OK && fence->SetEventOnCompletion(value, nullptr) == S_OK);
        CHECK(list->Reset(allocator, nullptr) == S_OK);
    }

    // The command makes the list fail to close.
    template <class Command>
    void refuse(Command command) {
        command();
        CHECK(list->Close() == E_INVALIDARG && list->Reset(allocator, nullptr) == S_OK);
    }

    ID3D12Resource* create(D3D12_HEAP_TYPE type, const D3D12_RESOURCE_DESC& desc) {
        D3D12_HEAP_PROPERTIES properties = {};
        properties.Type = type;
        if (type == D3D12_HEAP_TYPE_CUSTOM) {
            properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK;
            properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
        }
        const auto state = type == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                           : type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                              : D3D12_RESOURCE_STATE_COMMON;
        ID3D12Resource* resource = nullptr;
        CHECK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr, IID_ID3D12Resource, (void**)&resource) == S_OK);
        return resource;
    }

    // The bytes of a subresource, one row after another.
    std::vector<unsigned char> read(ID3D12Resource* texture, UINT subresource = 0) {
        D3D12_RESOURCE_DESC desc = texture->GetDesc();
        D3D12_TEXTURE_COPY_LOCATION to = {}, from = {};
        UINT rows = 0;
        UINT64 row_bytes = 0, bytes = 0;
        device->GetCopyableFootprints(&desc, subresource, 1, 0, &to.PlacedFootprint, &rows, &row_bytes, &bytes);
        ID3D12Resource* readback = create(D3D12_HEAP_TYPE_READBACK, buffer(bytes));
        to.pResource = readback;
        to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
        from.pResource = texture;
        from.SubresourceIndex = subresource;
        list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
        execute();
        unsigned char* data = nullptr;
        CHECK(readback->Map(0, nullptr, (void**)&data) == S_OK);
        std::vector<unsigned char> found;
        for (UINT row = 0; row < rows; row++, data += to.PlacedFootprint.Footprint.RowPitch)
            found.insert(found.end(), data, data + row_bytes);
        readback->Unmap(0, nullptr);
        readback->Release();
        return found;
    }
};

static D3D12_RESOURCE_DESC texture(DXGI_FORMAT format, UINT width, UINT height, D3D12_RESOURCE_FLAGS flags) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
    desc.Width = width;
    desc.Height = height;
    desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.Format = format;
    desc.SampleDesc.Count = 1;
    desc.Flags = flags;
    return desc;
}

static unsigned char pattern(size_t index) { return (unsigned char)(index * 31 + index / 251 + 1); }

static void check_buffers(Gpu& gpu) {
    const size_t size = 100000;
    ID3D12Resource* upload = gpu.create(D3D12_HEAP_TYPE_UPLOAD, buffer(size));
    ID3D12Resource* middle = gpu.create(D3D12_HEAP_TYPE_DEFAULT, buffer(size));
    ID3D12Resource* readback = gpu.create(D3D12_HEAP_TYPE_READBACK, buffer(size));
    unsigned char* data = nullptr;
    CHECK(upload->Map(0, nullptr, (void**)&data) == S_OK);
    for (size_t index = 0; index < size; index++)
        data[index] = pattern(index);
    unsigned char* again = nullptr;
    CHECK(upload->Map(0, nullptr, (void**)&again) == S_OK && again == data);
    upload->Unmap(0, nullptr);
    upload->Unmap(0, nullptr);
    gpu.list->CopyBufferRegion(middle, 512, upload, 256, 90000);
    gpu.list->CopyResource(readback, middle);
    gpu.execute();
    gpu.refuse([&] { gpu.list->CopyBufferRegion(middle, size - 1, upload, 0, 2); });
    gpu.refuse([&] { gpu.list->CopyBufferRegion(middle, 0, upload, ~0ull, 2); });
    for (int map = 0; map < 2; map++) {
        CHECK(readback->Map(0, nullptr, (void**)&data) == S_OK);
        for (size_t index = 0; index < size; index++) {
            const bool copied = index >= 512 && index < 90512;
            CHECK(data[index] == (copied ? pattern(index - 256) : 0));
        }
        readback->Unmap(0, nullptr);
    }
    // Released memory begins as zeros.
    CHECK(upload->Release() == 0);
    upload = gpu.create(D3D12_HEAP_TYPE_UPLOAD, buffer(size));
    CHECK(upload->Map(0, nullptr, (void**)&data) == S_OK && data[1000] == 0);
    CHECK(upload->Release() == 0 && middle->Release() == 0 && readback->Release() == 0);
}

// A map of more memory than there is returns an error, and the process lives.
static void check_large_maps(Gpu& gpu) {
    for (UINT64 size : {1ull << 39, 1ull << 41}) {
        D3D12_HEAP_PROPERTIES properties = {};
        properties.Type = D3D12_HEAP_TYPE_UPLOAD;
        ID3D12Resource* resource = nullptr;
        const auto desc = buffer(size);
        if (gpu.device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr, IID_ID3D12Resource, (void**)&resource) != S_OK)
            continue;
        void* data = &gpu;
        CHECK(resource->Map(0, nullptr, &data) == E_OUTOFMEMORY && !data);
        CHECK(resource->Release() == 0);
    }
}

static void check_aliases(Gpu& gpu) {
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = 1 << 20;
    desc.Properties.Type = D3D12_HEAP_TYPE_UPLOAD;
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
    ID3D12Heap* heap = nullptr;
    CHECK(gpu.device->CreateHeap(&desc, IID_ID3D12Heap, (void**)&heap) == S_OK);
    const auto resource_desc = buffer(65536);
    ID3D12Resource* placed[3] = {};
    unsigned char* data[3] = {};
    for (int index = 0; index < 3; index++) {
        const UINT64 offset = index == 2 ? 65536 : 0;
        CHECK(gpu.device->CreatePlacedResource(heap, offset, &resource_desc, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr, IID_ID3D12Resource, (void**)&placed[index]) == S_OK);
        CHECK(placed[index]->Map(0, nullptr, (void**)&data[index]) == S_OK);
    }
    data[0][77] = 5;
    CHECK(data[1][77] == 5 && data[2][77] == 0 && data[2] == data[0] + 65536);
    for (auto resource : placed)
        CHECK(resource->Release() == 0);
    CHECK(heap->Release() == 0);
}

static D3D12_CPU_DESCRIPTOR_HANDLE first(ID3D12Device* device, D3D12_DESCRIPTOR_HEAP_TYPE type, ID3D12DescriptorHeap** heap) {
    D3D12_DESCRIPTOR_HEAP_DESC desc = {};
    desc.Type = type;
    desc.NumDescriptors = 4;
    CHECK(device->CreateDescriptorHeap(&desc, IID_ID3D12DescriptorHeap, (void**)heap) == S_OK);
    return (*heap)->GetCPUDescriptorHandleForHeapStart();
}

static void check_clears(Gpu& gpu) {
    const auto target = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    ID3D12DescriptorHeap *targets = nullptr, *depths = nullptr;
    auto start = first(gpu.device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, &targets);
    auto depth_view = first(gpu.device, D3D12_DESCRIPTOR_HEAP_TYPE_DSV, &depths);
    const FLOAT color[] = {1, 0.5f, 0, 0.25f}, black[] = {0, 0, 0, 1};
    const D3D12_RECT rect = {3, 2, 5, 100};
    for (UINT samples : {1, 4}) {
        auto desc = texture(DXGI_FORMAT_R8G8B8A8_UNORM, 10, 6, target);
        desc.SampleDesc.Count = samples;
        ID3D12Resource* image = gpu.create(D3D12_HEAP_TYPE_DEFAULT, desc);
        // The view of the second descriptor is copied to the fourth.
        const SIZE_T increment = gpu.device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
        const D3D12_CPU_DESCRIPTOR_HANDLE from = {start.ptr + increment}, to = {start.ptr + 2 * increment};
        const D3D12_CPU_DESCRIPTOR_HANDLE view = {start.ptr + 3 * increment};
        gpu.device->CreateRenderTargetView(image, nullptr, from);
        gpu.device->CopyDescriptorsSimple(2, to, start, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
        gpu.list->ClearRenderTargetView(view, color, 0, nullptr);
        gpu.list->ClearRenderTargetView(view, black, 1, &rect);
        ID3D12Resource* single = image;
        if (samples > 1) {
            single = gpu.create(D3D12_HEAP_TYPE_DEFAULT, texture(DXGI_FORMAT_R8G8B8A8_UNORM, 10, 6, target));
            gpu.list->ResolveSubresource(single, 0, image, 0, DXGI_FORMAT_R8G8B8A8_UNORM);
            CHECK(image->Release() == 0);
        }
        const auto found = gpu.read(single);
        CHECK(found.size() == 10 * 6 * 4);
        for (LONG texel = 0; texel < 60; texel++) {
            const LONG x = texel % 10, y = texel / 10;
            const bool is_in = x >= rect.left && x < rect.right && y >= rect.top;
            const unsigned char expected[2][4] = {{255, 128, 0, 64}, {0, 0, 0, 255}};
            CHECK(memcmp(&found[4 * texel], expected[is_in], 4) == 0);
        }
        CHECK(single->Release() == 0);
    }
    auto desc = texture(DXGI_FORMAT_D24_UNORM_S8_UINT, 8, 8, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    ID3D12Resource* depth = gpu.create(D3D12_HEAP_TYPE_DEFAULT, desc);
    gpu.device->CreateDepthStencilView(depth, nullptr, depth_view);
    gpu.list->ClearDepthStencilView(depth_view, D3D12_CLEAR_FLAG_DEPTH | D3D12_CLEAR_FLAG_STENCIL, 1, 9, 0, nullptr);
    gpu.list->ClearDepthStencilView(depth_view, D3D12_CLEAR_FLAG_STENCIL, 0, 7, 1, &rect);
    const auto depths_found = gpu.read(depth, 0), stencils = gpu.read(depth, 1);
    CHECK(depths_found.size() == 256 && depths_found[0] == 255 && depths_found[2] == 255 && stencils.size() == 64);
    CHECK(stencils[0] == 9 && stencils[2 * 8 + 3] == 7 && stencils[2 * 8 + 5] == 9);
    CHECK(depth->Release() == 0 && targets->Release() == 0 && depths->Release() == 0);
}

static void check_textures(Gpu& gpu) {
    auto desc = texture(DXGI_FORMAT_R8_UNORM, 30, 20, D3D12_RESOURCE_FLAG_NONE);
    ID3D12Resource* image = gpu.create(D3D12_HEAP_TYPE_DEFAULT, desc);
    ID3D12Resource* other = gpu.create(D3D12_HEAP_TYPE_DEFAULT, desc);
    ID3D12Resource* upload = gpu.create(D3D12_HEAP_TYPE_UPLOAD, buffer(256 * 20));
    unsigned char* data = nullptr;
    CHECK(upload->Map(0, nullptr, (void**)&data) == S_OK);
    for (size_t index = 0; index < 256 * 20; index++)
        data[index] = pattern(index);
    D3D12_TEXTURE_COPY_LOCATION from = {}, to = {};
    from.pResource = upload;
    from.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    from.PlacedFootprint.Footprint = {DXGI_FORMAT_R8_UNORM, 30, 20, 1, 256};
    to.pResource = image;
    const D3D12_BOX box = {2, 3, 0, 12, 9, 1};
    gpu.list->CopyTextureRegion(&to, 5, 7, 0, &from, &box);
    gpu.list->CopyResource(other, image);
    const D3D12_BOX beyond = {2, 3, 0, 31, 9, 1}, none = {2, 3, 0, 2, 9, 1};
    gpu.list->CopyTextureRegion(&to, 0, 0, 0, &from, &none);
    const auto found = gpu.read(other);
    gpu.refuse([&] { gpu.list->CopyTextureRegion(&to, 0, 0, 0, &from, &beyond); });
    gpu.refuse([&] { gpu.list->CopyTextureRegion(&to, 21, 0, 0, &from, &box); });
    to.SubresourceIndex = 1;
    gpu.refuse([&] { gpu.list->CopyTextureRegion(&to, 0, 0, 0, &from, &box); });
    from.PlacedFootprint.Offset = 256 * 12;
    to.SubresourceIndex = 0;
    gpu.refuse([&] { gpu.list->CopyTextureRegion(&to, 0, 0, 0, &from, &box); });
    gpu.refuse([&] { gpu.list->CopyResource(upload, image); });
    for (UINT y = 0; y < 20; y++)
        for (UINT x = 0; x < 30; x++) {
            const bool copied = x >= 5 && x < 15 && y >= 7 && y < 13;
            CHECK(found[y * 30 + x] == (copied ? pattern((y - 4) * 256 + x - 3) : 0));
        }
    CHECK(image->Release() == 0 && other->Release() == 0 && upload->Release() == 0);
    // The processor reads and writes the texels of a texture in custom memory.
    image = gpu.create(D3D12_HEAP_TYPE_CUSTOM, desc);
    CHECK(image->Map(0, nullptr, nullptr) == S_OK && image->Map(0, nullptr, (void**)&data) == E_INVALIDARG && !data);
    unsigned char bytes[600], read[600] = {};
    for (size_t index = 0; index < sizeof bytes; index++)
        bytes[index] = pattern(index);
    CHECK(image->WriteToSubresource(0, nullptr, bytes, 30, 600) == S_OK);
    CHECK(image->ReadFromSubresource(read, 10, 60, 0, &box) == S_OK);
    for (UINT y = 0; y < 6; y++)
        CHECK(memcmp(read + 10 * y, bytes + 30 * (y + 3) + 2, 10) == 0);
    CHECK(read[60] == 0 && gpu.read(image) == std::vector<unsigned char>(bytes, bytes + 600));
    const D3D12_BOX outside = {2, 3, 0, 31, 9, 1};
    CHECK(image->ReadFromSubresource(read, 10, 60, 0, &outside) == E_INVALIDARG);
    CHECK(image->WriteToSubresource(1, nullptr, bytes, 30, 600) == E_INVALIDARG);
    CHECK(image->WriteToSubresource(0, nullptr, nullptr, 30, 600) == E_INVALIDARG);
    CHECK(image->Release() == 0);
}

static void check_queries(Gpu& gpu) {
    D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
    ID3D12QueryHeap* heap = nullptr;
    CHECK(gpu.device->CreateQueryHeap(&desc, IID_ID3D12QueryHeap, (void**)&heap) == S_OK);
    ID3D12Resource* readback = gpu.create(D3D12_HEAP_TYPE_READBACK, buffer(64));
    UINT64 before = 0, after = 0, cpu = 0, *data = nullptr;
    CHECK(gpu.queue->GetClockCalibration(&before, &cpu) == S_OK);
    gpu.list->EndQuery(heap, D3D12_QUERY_TYPE_TIMESTAMP, 1);
    gpu.list->EndQuery(heap, D3D12_QUERY_TYPE_TIMESTAMP, 2);
    gpu.list->ResolveQueryData(heap, D3D12_QUERY_TYPE_TIMESTAMP, 1, 2, readback, 8);
    gpu.execute();
    CHECK(gpu.queue->GetClockCalibration(&after, &cpu) == S_OK);
    CHECK(readback->Map(0, nullptr, (void**)&data) == S_OK);
    CHECK(!data[0] && before <= data[1] && data[1] <= data[2] && data[2] <= after && !data[3]);
    CHECK(readback->Release() == 0 && heap->Release() == 0);
}

// The command list's later interfaces: writes of values, and copies of 32 and 64 bits.
static void check_later_lists(Gpu& gpu) {
    ID3D12GraphicsCommandList2* list = nullptr;
    CHECK(gpu.list->QueryInterface(IID_ID3D12GraphicsCommandList2, (void**)&list) == S_OK);
    CHECK(list->Release() == 1);
    ID3D12Resource* readback = gpu.create(D3D12_HEAP_TYPE_READBACK, buffer(64));
    ID3D12Resource* other = gpu.create(D3D12_HEAP_TYPE_DEFAULT, buffer(64));
    const auto address = readback->GetGPUVirtualAddress(), other_address = other->GetGPUVirtualAddress();
    D3D12_WRITEBUFFERIMMEDIATE_PARAMETER values[] = {{address + 8, 0x11223344}, {other_address, 5}, {other_address + 4, 6}};
    const D3D12_WRITEBUFFERIMMEDIATE_MODE modes[] = {D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT};
    list->WriteBufferImmediate(3, values, modes);
    const D3D12_SUBRESOURCE_RANGE_UINT64 range = {0, {0, 8}};
    list->AtomicCopyBufferUINT(readback, 16, other, 4, 1, &other, &range);
    list->AtomicCopyBufferUINT64(readback, 24, other, 0, 0, nullptr, nullptr);
    D3D12_SAMPLE_POSITION positions[4] = {};
    list->OMSetDepthBounds(0, 1);
    list->SetSamplePositions(4, 1, positions);
    list->SetSamplePositions(0, 0, nullptr);
    list->SetViewInstanceMask(1);
    // A bundle writes when the list executes it.
    ID3D12CommandAllocator* allocator = nullptr;
    ID3D12GraphicsCommandList2* bundle = nullptr;
    const auto type = D3D12_COMMAND_LIST_TYPE_BUNDLE;
    CHECK(gpu.device->CreateCommandAllocator(type, IID_ID3D12CommandAllocator, (void**)&allocator) == S_OK);
    CHECK(gpu.device->CreateCommandList(0, type, allocator, nullptr, IID_ID3D12GraphicsCommandList2, (void**)&bundle) == S_OK);
    values[0] = {address + 40, 7};
    bundle->WriteBufferImmediate(1, values, nullptr);
    CHECK(bundle->Close() == S_OK);
    list->ExecuteBundle(bundle);
    gpu.execute();
    UINT* data = nullptr;
    CHECK(readback->Map(0, nullptr, (void**)&data) == S_OK);
    const UINT expected[16] = {0, 0, 0x11223344, 0, 6, 0, 5, 6, 0, 0, 7};
    CHECK(memcmp(data, expected, sizeof expected) == 0);
    D3D12_FEATURE_DATA_D3D12_OPTIONS3 options = {};
    CHECK(gpu.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS3, &options, sizeof options) == S_OK);
    CHECK(options.WriteBufferImmediateSupportFlags == 15 && !options.BarycentricsSupported);
    gpu.refuse([&] { list->WriteBufferImmediate(1, nullptr, nullptr); });
    const UINT64 wrong_addresses[] = {0, address + 2, address + (1ull << 41), ~3ull};
    for (UINT64 wrong : wrong_addresses) {
        values[0].Dest = wrong;
        gpu.refuse([&] { list->WriteBufferImmediate(1, values, nullptr); });
    }
    gpu.refuse([&] { list->AtomicCopyBufferUINT(readback, 61, other, 0, 0, nullptr, nullptr); });
    gpu.refuse([&] { list->AtomicCopyBufferUINT64(readback, 0, other, 60, 0, nullptr, nullptr); });
    gpu.refuse([&] { list->AtomicCopyBufferUINT(readback, 0, other, 0, 1, nullptr, nullptr); });
    gpu.refuse([&] { list->SetSamplePositions(8, 4, nullptr); });
    gpu.refuse([&] { list->ResolveSubresourceRegion(nullptr, 0, 0, 0, nullptr, 0, nullptr, DXGI_FORMAT_R8_UNORM, D3D12_RESOLVE_MODE_AVERAGE); });
    CHECK(readback->Release() == 0 && other->Release() == 0 && bundle->Release() == 0 && allocator->Release() == 0);
}

// No tile is mapped: a copy from tiles writes zeros, one to tiles has no effect.
static void check_tiles(Gpu& gpu) {
    const UINT64 tile = D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES;
    auto desc = texture(DXGI_FORMAT_R8G8B8A8_UNORM, 300, 200, D3D12_RESOURCE_FLAG_NONE);
    desc.Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE;
    ID3D12Resource* tiled = nullptr;
    CHECK(gpu.device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_ID3D12Resource, (void**)&tiled) == S_OK);
    ID3D12Resource* buffers[] = {gpu.create(D3D12_HEAP_TYPE_CUSTOM, buffer(3 * tile)), gpu.create(D3D12_HEAP_TYPE_DEFAULT, buffer(tile))};
    unsigned char* data = nullptr;
    CHECK(buffers[0]->Map(0, nullptr, (void**)&data) == S_OK);
    memset(data, 7, 3 * tile);
    // The texture has 3 x 2 tiles of 128 x 128 texels.
    const D3D12_TILED_RESOURCE_COORDINATE start = {1, 1, 0, 0}, outside = {3, 0, 0, 0}, no_level = {0, 0, 0, 1};
    D3D12_PACKED_MIP_INFO mips = {};
    D3D12_TILE_SHAPE shape = {};
    D3D12_SUBRESOURCE_TILING tilings[2] = {};
    UINT tiles = 0, count = 2;
    gpu.device->GetResourceTiling(tiled, &tiles, &mips, &shape, &count, 0, tilings);
    CHECK(tiles == 6 && count == 1 && mips.NumStandardMips == 1 && !mips.NumPackedMips && shape.WidthInTexels == 128);
    CHECK(tilings[0].WidthInTiles == 3 && tilings[0].HeightInTiles == 2 && tilings[0].DepthInTiles == 1);
    const D3D12_TILE_REGION_SIZE two = {2}, three = {3}, box = {2, TRUE, 2, 1, 1}, large = {3, TRUE, 3, 1, 1};
    const auto to_tiles = D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE;
    const auto to_buffer = D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;
    gpu.list->CopyTiles(tiled, &start, &box, buffers[0], 0, to_tiles);
    gpu.list->CopyTiles(tiled, &start, &two, buffers[0], tile - 8, to_buffer);
    gpu.execute();
    for (UINT64 index = 0; index < 3 * tile; index++)
        CHECK(data[index] == (index >= tile - 8 && index < 3 * tile - 8 ? 0 : 7));
    gpu.refuse([&] { gpu.list->CopyTiles(tiled, &start, &three, buffers[0], 0, to_tiles); });
    gpu.refuse([&] { gpu.list->CopyTiles(tiled, &start, &large, buffers[0], 0, to_buffer); });
    gpu.refuse([&] { gpu.list->CopyTiles(tiled, &outside, &two, buffers[0], 0, to_buffer); });
    gpu.refuse([&] { gpu.list->CopyTiles(tiled, &no_level, &two, buffers[0], 0, to_buffer); });
    gpu.refuse([&] { gpu.list->CopyTiles(tiled, &start, &two, buffers[0], tile + 1, to_buffer); });
    gpu.refuse([&] { gpu.list->CopyTiles(tiled, &start, &two, buffers[1], 0, to_tiles); });
    gpu.refuse([&] { gpu.list->CopyTiles(tiled, &start, &two, buffers[0], 0, D3D12_TILE_COPY_FLAG_NONE); });
    gpu.refuse([&] { gpu.list->CopyTiles(buffers[1], &start, &two, buffers[0], 0, to_tiles); });
    CHECK(tiled->Release() == 0 && buffers[0]->Release() == 0 && buffers[1]->Release() == 0);
}

static void check_copies(ID3D12Device* device) {
    Gpu gpu(device);
    check_buffers(gpu);
    check_large_maps(gpu);
    check_aliases(gpu);
    check_clears(gpu);
    check_textures(gpu);
    check_queries(gpu);
    check_later_lists(gpu);
    check_tiles(gpu);
}
