//! Direct3D 11 application with contexts, whose driver calls are all audited.

use crate::world::World;
use taut_runtime::{Execute, Profile, Settings, driver};
use taut_schemas::handle_rules::{HandleAudit, HandleFeed};
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, ColorWriteEnable, CpuAccessFlags, D3d11CommandListId, D3d11ContextId,
    D3d11DeviceId, D3d11ResourceId, D3d11StateId, D3d11ViewId, Driver, Encoder, EventCode, Field, HResult, MapFlags,
    MapType, ObjectId, RenderTargetBlendDesc, ShaderStage, SharedMapData, Texture2dDesc, Usage, d3d11, format::Format,
};

/// Conforming drivers with contexts.
pub const DRIVERS: [&str; 4] = ["d3d11on12-like", "multi-size", "dxvk-like", "replicated-fields"];

/// Driver without command lists and free threading.
pub const WITHOUT_LISTS: &str = "d3d10umd-like";

pub struct App {
    pub world: World,
    pub device: D3d11DeviceId,
    pub immediate: D3d11ContextId,
    pub audit: HandleAudit,
    feed: HandleFeed,
    /// Results of all calls.
    pub answers: Vec<Vec<u8>>,
    /// Events inside all calls.
    pub all_events: Vec<(EventCode, Vec<u8>)>,
    /// Before each call, the machine is serialised and restored.
    pub goes_through_records: bool,
}

impl App {
    pub fn new(name: &str) -> App {
        App::on(driver(&Profile::named(name).unwrap()), Settings::default())
    }

    pub fn on(driver: Box<dyn Driver>, settings: Settings) -> App {
        let none = (D3d11DeviceId::NULL, D3d11ContextId::NULL);
        let mut app = App {
            world: World::with(driver, settings),
            device: none.0,
            immediate: none.1,
            audit: HandleAudit::default(),
            feed: HandleFeed::default(),
            answers: Vec::new(),
            all_events: Vec::new(),
            goes_through_records: false,
        };
        let create = d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() };
        let created = app.call(&create).unwrap();
        (app.device, app.immediate) = (created.device, created.immediate_context);
        app
    }

    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        if self.goes_through_records {
            let records = self.world.machine.rundown().unwrap();
            self.world.machine.restore(&records).unwrap();
            assert!(self.world.machine.rundown().unwrap() == records, "what was written is read, before {}", C::NAME);
        }
        let output = self.world.call(call);
        self.all_events.extend_from_slice(&self.world.tap.events);
        for (code, row) in &self.world.tap.events {
            let audit = &mut self.audit;
            self.feed.on_event(*code, row, &mut |event| audit.on_event(&event)).unwrap();
        }
        assert_eq!(self.audit.broken, [], "every rule is kept");
        assert_eq!(self.world.violations(), [], "a sound driver");
        let mut answer = Vec::new();
        output.encode(&mut Encoder::new(&mut answer));
        self.answers.push(answer);
        output
    }

    pub fn deferred(&mut self) -> D3d11ContextId {
        self.call(&d3d11::CreateDeferredContext { device: self.device, flags: 0 }).unwrap()
    }

    pub fn texture(&mut self, bind_flags: BindFlags) -> D3d11ResourceId {
        let desc = Texture2dDesc {
            width: 8,
            height: 8,
            mip_levels: 1,
            array_size: 1,
            format: Format::R8G8B8A8_UNORM,
            usage: Usage::DEFAULT,
            bind_flags,
            cpu_access_flags: CpuAccessFlags::NONE,
        };
        self.call(&d3d11::CreateTexture2D { device: self.device, desc, initial_data: false }).unwrap()
    }

    /// Creates a dynamic constant buffer.
    pub fn dynamic(&mut self) -> D3d11ResourceId {
        let desc = BufferDesc {
            size_bytes: 256,
            usage: Usage::DYNAMIC,
            bind_flags: BindFlags::CONSTANT_BUFFER,
            cpu_access_flags: CpuAccessFlags::WRITE,
        };
        self.call(&d3d11::CreateBuffer { device: self.device, desc, initial_data: false }).unwrap()
    }

    pub fn view(&mut self, resource: D3d11ResourceId) -> D3d11ViewId {
        self.call(&d3d11::CreateShaderResourceView { device: self.device, resource, desc: None }).unwrap()
    }

    /// Creates a blend state with this write mask.
    pub fn blend(&mut self, write_mask: ColorWriteEnable) -> D3d11StateId {
        let target = RenderTargetBlendDesc { write_mask, ..Default::default() };
        let desc = BlendDesc { render_targets: vec![target], ..Default::default() };
        self.call(&d3d11::CreateBlendState { device: self.device, desc }).unwrap()
    }

    pub fn copy(&mut self, context: D3d11ContextId, destination: D3d11ResourceId, source: D3d11ResourceId) {
        self.call(&d3d11::CopyResource { context, destination, source }).unwrap();
    }

    pub fn set_view(&mut self, context: D3d11ContextId, view: D3d11ViewId) {
        let (stage, start_slot) = (ShaderStage::PIXEL, 0);
        self.call(&d3d11::SetShaderResources { context, stage, start_slot, views: vec![view] }).unwrap();
    }

    pub fn set_buffer(&mut self, context: D3d11ContextId, buffer: D3d11ResourceId) {
        let (stage, start_slot) = (ShaderStage::VERTEX, 2);
        self.call(&d3d11::SetConstantBuffers { context, stage, start_slot, buffers: vec![buffer] }).unwrap();
    }

    pub fn set_blend(&mut self, context: D3d11ContextId, blend_state: D3d11StateId) {
        let set = d3d11::OMSetBlendState { context, blend_state, blend_factor: Vec::new(), sample_mask: u32::MAX };
        self.call(&set).unwrap();
    }

    pub fn draw(&mut self, context: D3d11ContextId) {
        self.call(&d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }).unwrap();
    }

    pub fn map(&mut self, context: D3d11ContextId, resource: D3d11ResourceId, of: MapType) -> HResult<SharedMapData> {
        self.call(&d3d11::Map { context, resource, subresource: 0, map_type: of, map_flags: MapFlags::NONE })
    }

    pub fn unmap(&mut self, context: D3d11ContextId, resource: D3d11ResourceId) -> HResult<()> {
        self.call(&d3d11::Unmap { context, resource, subresource: 0 })
    }

    pub fn finish(&mut self, context: D3d11ContextId, restore: bool) -> D3d11CommandListId {
        let restore_deferred_context_state = restore;
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list: true };
        self.call(&finish).unwrap()
    }

    pub fn execute(&mut self, context: D3d11ContextId, command_list: D3d11CommandListId, restore: bool) {
        let restore_context_state = restore;
        self.call(&d3d11::ExecuteCommandList { context, command_list, restore_context_state }).unwrap();
    }

    pub fn release(&mut self, object: impl Into<ObjectId>) -> HResult<u32> {
        self.call(&d3d11::Release { object: object.into() })
    }

    pub fn flush(&mut self) {
        self.call(&d3d11::Flush { context: self.immediate }).unwrap();
    }

    /// Releases the immediate context and the device, after which no object may be left.
    pub fn end(mut self) {
        self.release(self.device).unwrap();
        assert!(self.audit.is_empty(), "{:#?}", self.audit);
        assert!(self.world.state.objects.is_empty());
    }
}
