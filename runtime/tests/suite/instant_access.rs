//! Tests of the instant-access extension (rules T-04 to T-06), and of its misuse.

use crate::world::World;
use taut_runtime::{DirectTileFormat, Profile, Settings, driver};
use taut_schemas::{
    BindFlags, BufferDesc, Call, CopyKind, CpuAccessFlags, D3d11ContextId, D3d11DeviceId, D3d11ResourceId, HResult,
    HResultCode, MapFlags, MapType, SharedMapData, Texture2dDesc, TileFormat, Usage, d3d11, d3d11_ddi, format::Format,
};

const DRIVER: &str = "instant-access";

fn texture(width: u32, height: u32) -> Texture2dDesc {
    Texture2dDesc {
        width,
        height,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        usage: Usage::DEFAULT,
        bind_flags: BindFlags::SHADER_RESOURCE,
        cpu_access_flags: CpuAccessFlags::NONE,
    }
}

fn staging(width: u32, height: u32) -> Texture2dDesc {
    Texture2dDesc {
        usage: Usage::STAGING,
        bind_flags: BindFlags::NONE,
        cpu_access_flags: CpuAccessFlags::READ | CpuAccessFlags::WRITE,
        ..texture(width, height)
    }
}

/// Device with initialised extensions.
struct App {
    world: World,
    device: D3d11DeviceId,
    context: D3d11ContextId,
}

impl App {
    fn new(driver_name: &str) -> App {
        let mut app = App::without_init(driver_name);
        app.world.call(&d3d11::InitExtensions { device: app.device }).unwrap();
        app
    }

    fn without_init(driver_name: &str) -> App {
        App::on(World::new(driver_name))
    }

    fn on(mut world: World) -> App {
        let created = world.call(&d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() }).unwrap();
        App { world, device: created.device, context: created.immediate_context }
    }

    fn mark(&mut self) -> HResult<()> {
        self.world.call(&d3d11::SetDirectAccessResourceExtension { device: self.device })
    }

    fn create(&mut self, desc: Texture2dDesc) -> HResult<D3d11ResourceId> {
        self.world.call(&d3d11::CreateTexture2D { device: self.device, desc, initial_data: false })
    }

    fn marked(&mut self, desc: Texture2dDesc) -> D3d11ResourceId {
        self.mark().unwrap();
        self.create(desc).unwrap()
    }

    fn copy(&mut self, destination: D3d11ResourceId, source: D3d11ResourceId) -> HResult<CopyKind> {
        let outcome = self.world.call(&d3d11::CopyResource { context: self.context, destination, source });
        outcome.map(|outcome| outcome.kind)
    }

    fn map(&mut self, resource: D3d11ResourceId) -> HResult<SharedMapData> {
        self.map_as(resource, MapType::WRITE, MapFlags::NONE)
    }

    fn map_as(&mut self, resource: D3d11ResourceId, map_type: MapType, map_flags: MapFlags) -> HResult<SharedMapData> {
        self.world.call(&d3d11::Map { context: self.context, resource, subresource: 0, map_type, map_flags })
    }

    fn unmap(&mut self, resource: D3d11ResourceId) -> HResult<()> {
        self.world.call(&d3d11::Unmap { context: self.context, resource, subresource: 0 })
    }

    fn release(&mut self, resource: D3d11ResourceId) -> HResult<u32> {
        self.world.call(&d3d11::Release { object: resource.into() })
    }

    fn complete(&mut self) {
        self.world.call(&d3d11::GpuWorkCompleted { device: self.device }).unwrap();
    }

    /// Creates a texture with a bound staging texture.
    fn pair(&mut self, width: u32, height: u32) -> (D3d11ResourceId, D3d11ResourceId) {
        let gpu = self.marked(texture(width, height));
        let direct = self.marked(staging(width, height));
        assert_eq!(self.copy(direct, gpu), Ok(CopyKind::BOUND));
        (gpu, direct)
    }

    /// Returns the debug-layer messages of the last call.
    fn messages_text(&self) -> String {
        self.world.messages().into_iter().map(|message| message.description + "\n").collect()
    }
}

#[test]
fn t04_the_pair_is_bound_and_nothing_is_copied() {
    let mut app = App::new(DRIVER);
    let gpu = app.marked(texture(100, 40));
    assert!(app.world.ddi::<d3d11_ddi::CreateResource>()[0].direct_access);
    let direct = app.marked(staging(100, 40));
    assert_eq!(app.copy(direct, gpu), Ok(CopyKind::BOUND));
    assert!(app.world.ddi::<d3d11_ddi::ResourceCopy>()[0].direct_access_pair);
    // No GPU work was submitted, so nothing is waited for.
    assert!(app.map(direct).is_ok());
    assert_eq!(app.unmap(direct), Ok(()));
}

#[test]
fn t04_init_comes_first() {
    let mut app = App::without_init(DRIVER);
    assert_eq!(app.mark(), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    assert!(app.messages_text().contains("Init has to come before"), "{}", app.messages_text());
    let found = app.world.call(&d3d11::InitExtensions { device: app.device }).unwrap();
    assert!(found.direct_access);
    assert_eq!(app.mark(), Ok(()));
}

#[test]
fn t04_a_driver_without_the_extension_reports_it() {
    let mut app = App::without_init("reference");
    let found = app.world.call(&d3d11::InitExtensions { device: app.device }).unwrap();
    assert!(!found.direct_access);
    assert_eq!(app.mark(), Err(HResultCode::DXGI_ERROR_UNSUPPORTED));
    let created = app.create(staging(100, 40)).unwrap();
    let data = app.map(created).unwrap();
    assert_eq!((data.tile_format, data.pitch_bytes, data.size_bytes), (TileFormat::LINEAR, 448, 448 * 40));
}

#[test]
fn t04_the_mark_is_for_one_creation() {
    let mut app = App::new(DRIVER);
    let gpu = app.marked(texture(64, 64));
    let plain = app.create(staging(64, 64)).unwrap();
    assert_eq!(app.copy(plain, gpu), Ok(CopyKind::COPIED), "a pair that was not created so: an ordinary copy");
    assert!(app.messages_text().contains("ordinary copy"), "{}", app.messages_text());
    let data = app.map(plain).unwrap();
    assert_eq!(data.tile_format, TileFormat::LINEAR);
}

#[test]
fn t04_the_mark_has_to_come_immediately_before_the_creation() {
    for immediate in [true, false] {
        let settings = Settings { mark_is_immediate: immediate, ..Settings::default() };
        let world = World::with(driver(&Profile::named(DRIVER).unwrap()), settings);
        let mut app = App::on(world);
        app.world.call(&d3d11::InitExtensions { device: app.device }).unwrap();
        app.mark().unwrap();
        app.complete();
        assert_eq!(app.messages_text().contains("immediately before"), immediate);
        app.create(texture(64, 64)).unwrap();
        assert_eq!(app.world.ddi::<d3d11_ddi::CreateResource>()[0].direct_access, !immediate);
    }
}

#[test]
fn t04_the_mark_is_not_for_buffers() {
    let mut app = App::new(DRIVER);
    let desc = BufferDesc { size_bytes: 1024, bind_flags: BindFlags::VERTEX_BUFFER, ..Default::default() };
    let create = d3d11::CreateBuffer { device: app.device, desc, initial_data: false };
    app.mark().unwrap();
    assert_eq!(app.world.call(&create), Err(HResultCode::E_INVALIDARG));
    assert!(app.messages_text().contains("is for textures"), "{}", app.messages_text());
    assert!(app.world.call(&create).is_ok(), "the mark is used up");
}

#[test]
fn t04_a_creation_that_fails_uses_the_mark_up() {
    let mut app = App::new(DRIVER);
    app.mark().unwrap();
    assert_eq!(app.create(texture(0, 64)), Err(HResultCode::E_INVALIDARG));
    assert!(app.messages_text().contains("used up"), "{}", app.messages_text());
    app.create(texture(64, 64)).unwrap();
    assert!(!app.world.ddi::<d3d11_ddi::CreateResource>()[0].direct_access);
    // The driver rejects textures with mips.
    app.mark().unwrap();
    assert_eq!(app.create(Texture2dDesc { mip_levels: 0, ..texture(64, 64) }), Err(HResultCode::E_INVALIDARG));
    assert!(app.messages_text().contains("used up"), "{}", app.messages_text());
}

#[test]
fn t04_only_staging_to_texture_binds() {
    let mut app = App::new(DRIVER);
    let (gpu, direct) = (app.marked(texture(64, 64)), app.marked(staging(64, 64)));
    assert_eq!(app.copy(gpu, direct), Err(HResultCode::E_INVALIDARG));
    assert!(app.messages_text().contains("not bound"), "{}", app.messages_text());
    let other = app.marked(staging(64, 32));
    assert_eq!(app.copy(other, gpu), Err(HResultCode::E_INVALIDARG));
    assert_eq!(app.copy(direct, gpu), Ok(CopyKind::BOUND));
    assert_eq!(app.copy(gpu, direct), Err(HResultCode::E_INVALIDARG), "the same memory");
    assert_eq!(app.copy(direct, gpu), Ok(CopyKind::BOUND), "binding again is harmless");
}

#[test]
fn t05_a_direct_access_staging_texture_allocates_nothing() {
    let mut app = App::new(DRIVER);
    let gpu = app.marked(texture(100, 40));
    let direct = app.marked(staging(100, 40));
    let after = app.create(staging(4, 4)).unwrap();
    app.copy(direct, gpu).unwrap();
    let data = app.map(direct).unwrap();
    // The next resource directly follows the texture: the staging texture needed no memory.
    assert_eq!(app.map(after).unwrap().base_address.0, data.base_address.0 + data.size_bytes);
    assert_eq!(data.size_bytes, 512 * 64, "whole tiles of 128 bytes by 32 rows");
}

#[test]
fn t05_the_pointer_is_that_of_the_bound_texture() {
    let mut app = App::new(DRIVER);
    let (first, direct) = app.pair(64, 64);
    let one = app.map(direct).unwrap().base_address;
    app.unmap(direct).unwrap();
    let second = app.marked(texture(64, 64));
    app.copy(direct, second).unwrap();
    let two = app.map(direct).unwrap().base_address;
    assert_ne!(one, two);
    app.unmap(direct).unwrap();
    app.copy(direct, first).unwrap();
    assert_eq!(app.map(direct).unwrap().base_address, one);
}

#[test]
fn t05_memory_lives_while_a_staging_texture_is_bound_to_it() {
    let mut app = App::new(DRIVER);
    let (gpu, direct) = app.pair(64, 64);
    let pointer = app.map(direct).unwrap().base_address;
    app.unmap(direct).unwrap();
    app.release(gpu).unwrap();
    assert!(app.world.ddi::<d3d11_ddi::DestroyResource>().is_empty());
    assert_eq!(app.map(direct).unwrap().base_address, pointer);
    app.release(direct).unwrap();
    let destroyed: Vec<_> =
        app.world.ddi::<d3d11_ddi::DestroyResource>().into_iter().map(|call| call.resource).collect();
    assert_eq!(destroyed, [direct, gpu]);
    let next = app.marked(texture(64, 64));
    let second_staging = app.marked(staging(64, 64));
    app.copy(second_staging, next).unwrap();
    assert_eq!(app.map(second_staging).unwrap().base_address, pointer, "the room was given back");
}

#[test]
fn t06_map_returns_tile_format_pitch_offsets_and_size() {
    let mut app = App::new("instant-access-no-csx");
    let (_, direct) = app.pair(100, 40);
    let data = app.map(direct).unwrap();
    assert_eq!(data.tile_format, TileFormat::TILE_Y_NO_CSX_SWIZZLE);
    assert_eq!((data.x_offset_bytes, data.y_offset_rows), (128, 32));
    assert_eq!((data.pitch_bytes, data.size_bytes), (1024, 1024 * 96));
    let mut app = App::new(DRIVER);
    let (_, direct) = app.pair(100, 40);
    let data = app.map(direct).unwrap();
    assert_eq!((data.tile_format, data.pitch_bytes), (TileFormat::TILE_Y, 512));
}

#[test]
fn t06_every_tile_format_is_reported() {
    let formats = [
        (DirectTileFormat::TileX, TileFormat::TILE_X, 512 * 8),
        (DirectTileFormat::TileXNoCsx, TileFormat::TILE_X_NO_CSX_SWIZZLE, 512 * 8),
        (DirectTileFormat::TileY, TileFormat::TILE_Y, 128 * 32),
        (DirectTileFormat::TileYNoCsx, TileFormat::TILE_Y_NO_CSX_SWIZZLE, 128 * 32),
    ];
    for (profile_format, returned_format, size_bytes) in formats {
        let mut profile = Profile::named(DRIVER).unwrap();
        profile.direct_access.as_mut().unwrap().tile_format = profile_format;
        let world = World::with(driver(&profile), Settings::default());
        let mut app = App::on(world);
        app.world.call(&d3d11::InitExtensions { device: app.device }).unwrap();
        let (_, direct) = app.pair(1, 1);
        let data = app.map(direct).unwrap();
        assert_eq!((data.tile_format, data.size_bytes), (returned_format, size_bytes));
    }
}

#[test]
fn t06_block_compressed_rows_are_rows_of_blocks() {
    let mut app = App::new(DRIVER);
    let desc = |desc: Texture2dDesc| Texture2dDesc { format: Format::BC1_UNORM, ..desc };
    let gpu = app.marked(desc(texture(256, 256)));
    let direct = app.marked(desc(staging(256, 256)));
    app.copy(direct, gpu).unwrap();
    let data = app.map(direct).unwrap();
    assert_eq!((data.pitch_bytes, data.size_bytes), (512, 512 * 64));
}

#[test]
fn t04_map_of_an_unbound_staging_texture_is_refused() {
    let mut app = App::new(DRIVER);
    let direct = app.marked(staging(64, 64));
    assert_eq!(app.map(direct), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    assert!(app.messages_text().contains("bound"), "{}", app.messages_text());
    assert!(app.world.ddi::<d3d11_ddi::StagingResourceMap>().is_empty());
}

#[test]
fn t04_map_while_the_graphics_processor_writes_is_refused() {
    let mut app = App::new(DRIVER);
    let (gpu, direct) = app.pair(64, 64);
    let source = app.create(texture(64, 64)).unwrap();
    assert_eq!(app.copy(gpu, source), Ok(CopyKind::COPIED));
    assert_eq!(app.map(direct), Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING));
    assert!(app.messages_text().contains("still writes"), "{}", app.messages_text());
    app.complete();
    assert!(app.map(direct).is_ok());
}

#[test]
fn an_ordinary_map_waits_unless_do_not_wait_is_set() {
    let mut app = App::new("reference");
    let (source, plain) = (app.create(texture(64, 64)).unwrap(), app.create(staging(64, 64)).unwrap());
    app.copy(plain, source).unwrap();
    let busy = Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING);
    assert_eq!(app.map_as(plain, MapType::READ, MapFlags::DO_NOT_WAIT), busy);
    assert!(app.messages_text().is_empty());
    assert!(app.map_as(plain, MapType::READ, MapFlags::NONE).is_ok());
}

#[test]
fn what_is_mapped_is_not_copied() {
    let mut app = App::new(DRIVER);
    let (gpu, direct) = app.pair(64, 64);
    let source = app.create(texture(64, 64)).unwrap();
    app.map(direct).unwrap();
    let refused = Err(HResultCode::DXGI_ERROR_INVALID_CALL);
    assert_eq!(app.copy(gpu, source), refused);
    assert_eq!(app.copy(source, gpu), refused);
    assert_eq!(app.copy(direct, gpu), refused);
    app.unmap(direct).unwrap();
    assert_eq!(app.copy(gpu, source), Ok(CopyKind::COPIED));
}

#[test]
fn wrong_arguments_are_refused() {
    let mut app = App::new(DRIVER);
    let invalid = Err(HResultCode::E_INVALIDARG);
    let (gpu, direct) = app.pair(64, 64);
    assert_eq!(app.map(gpu).unwrap_err(), HResultCode::E_INVALIDARG);
    assert_eq!(app.unmap(direct), invalid);
    assert_eq!(app.map_as(direct, MapType::WRITE_DISCARD, MapFlags::NONE).unwrap_err(), HResultCode::E_INVALIDARG);
    app.map(direct).unwrap();
    assert_eq!(app.map(direct).unwrap_err(), HResultCode::E_INVALIDARG);
    let wrong = [
        Texture2dDesc { usage: Usage::DYNAMIC, ..texture(4, 4) },
        Texture2dDesc { cpu_access_flags: CpuAccessFlags::READ, ..texture(4, 4) },
        Texture2dDesc { cpu_access_flags: CpuAccessFlags::NONE, ..staging(4, 4) },
        Texture2dDesc { bind_flags: BindFlags::SHADER_RESOURCE, ..staging(4, 4) },
        Texture2dDesc { format: Format::UNKNOWN, ..texture(4, 4) },
        Texture2dDesc { mip_levels: 4, ..texture(4, 4) },
        Texture2dDesc { array_size: 0, ..texture(4, 4) },
        Texture2dDesc { format: Format::BC1_UNORM, ..texture(6, 4) },
        texture(16385, 4),
    ];
    for desc in wrong {
        assert_eq!(app.create(desc).unwrap_err(), HResultCode::E_INVALIDARG, "{desc:?}");
    }
    assert_eq!(app.release(D3d11ResourceId(99)), Err(HResultCode::E_HANDLE));
    assert_eq!(app.world.call(&d3d11::Release { object: app.device.into() }), Ok(0));
    assert_eq!(app.mark(), Err(HResultCode::E_HANDLE));
    assert_eq!(app.unmap(direct), Err(HResultCode::E_HANDLE));
    assert_eq!(d3d11::Map::NAME, "Map");
}

#[test]
fn resources_belong_to_their_device() {
    let mut app = App::new(DRIVER);
    let (_, direct) = app.pair(64, 64);
    let other = app.world.call(&d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() }).unwrap();
    let unmap = d3d11::Unmap { context: other.immediate_context, resource: direct, subresource: 0 };
    assert_eq!(app.world.call(&unmap), Err(HResultCode::E_INVALIDARG));
}
