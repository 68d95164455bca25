//! Random Direct3D 11 programs on real threads, each with a deferred context, over objects that all of them create, use
//! and release: every handle rule holds, and each recording replays.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::Session;
use taut_replay::{Options, Replayer};
use taut_runtime::{Profile, Settings};
use taut_schemas::handle_rules::{CallSpan, HandleAudit, HandleFeed};
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, Bytes, ClearFlags, ColorWriteEnable, CpuAccessFlags, CullMode,
    D3d11CommandListId, D3d11ContextId, D3d11DepthStencilDesc, D3d11DeviceId, D3d11InputLayoutId, D3d11QueryId,
    D3d11RasterizerDesc, D3d11ResourceId, D3d11SamplerDesc, D3d11ShaderId, D3d11StateId, D3d11ViewId, D3d11Viewport,
    FillMode, GetDataFlags, InputLayoutDesc, Layer, MapFlags, MapType, ObjectId, Opcode, PrimitiveTopology, QueryDesc,
    QueryType, RenderTargetBlendDesc, ShaderDesc, ShaderStage, Texture2dDesc, TextureAddressMode, Usage,
    VertexBufferBinding, d3d11, format::Format,
};
use taut_testkit::{Recording, d3d11_device};
use taut_traces::Trace;

/// Kind of a shared object.
#[derive(Clone, Copy)]
enum Kind {
    Texture,
    Dynamic,
    Buffer,
    Input,
    Target,
    Depth,
    Unordered,
    Blend,
    Rasterizer,
    Sampler,
    DepthState,
    Shader,
    Layout,
    Query,
    List,
}

/// Number of slots per kind.
const PLACES: usize = 3;

/// Handles shared between threads, which may be released when they are used.
#[derive(Default)]
struct Shared([[AtomicU64; PLACES]; 15]);

/// Step: its kind and two numbers that select its arguments.
type Step = (u8, u8, u8);

struct Thread<'a> {
    session: &'a Session,
    shared: &'a Shared,
    device: D3d11DeviceId,
    immediate: D3d11ContextId,
    context: D3d11ContextId,
    /// True if the thread uses the immediate context as well.
    plays: bool,
}

impl Thread<'_> {
    fn seen(&self, kind: Kind, place: u8) -> u64 {
        self.shared.0[kind as usize][usize::from(place) % PLACES].load(Ordering::Relaxed)
    }

    /// Stores a new object in a slot and releases the previous one.
    fn put<T: Into<ObjectId>>(&self, kind: Kind, place: u8, object: T) {
        let place = &self.shared.0[kind as usize][usize::from(place) % PLACES];
        let before = place.swap(object.into().0, Ordering::Relaxed);
        let _ = self.session.call(d3d11::Release { object: ObjectId(before) });
    }

    fn create_resource(&self, which: u8, a: u8, b: u8) {
        let (session, device) = (self.session, self.device);
        let (srv, rtv) = (BindFlags::SHADER_RESOURCE, BindFlags::RENDER_TARGET);
        match which {
            0 => {
                let flags = [srv, srv | rtv, BindFlags::DEPTH_STENCIL, srv | BindFlags::UNORDERED_ACCESS];
                let bind_flags = flags[usize::from(b) % flags.len()];
                let is_depth = bind_flags == BindFlags::DEPTH_STENCIL;
                let format = if is_depth { Format::D32_FLOAT } else { Format::R8G8B8A8_UNORM };
                let (width, height, mip_levels, array_size) = (8, 8, 1, 1);
                let desc =
                    Texture2dDesc { width, height, mip_levels, array_size, format, bind_flags, ..Default::default() };
                let created = session.call(d3d11::CreateTexture2D { device, desc, initial_data: false });
                self.put(Kind::Texture, a, created.unwrap_or_default());
            }
            1 => {
                let (bind_flags, cpu_access_flags) = (BindFlags::CONSTANT_BUFFER, CpuAccessFlags::WRITE);
                let desc = BufferDesc { size_bytes: 64, usage: Usage::DYNAMIC, bind_flags, cpu_access_flags };
                let created = session.call(d3d11::CreateBuffer { device, desc, initial_data: false });
                self.put(Kind::Dynamic, a, created.unwrap_or_default());
            }
            2 => {
                let bind_flags = BindFlags::VERTEX_BUFFER | BindFlags::INDEX_BUFFER;
                let desc = BufferDesc { size_bytes: 128, bind_flags, ..Default::default() };
                let created = session.call(d3d11::CreateBuffer { device, desc, initial_data: false });
                self.put(Kind::Buffer, a, created.unwrap_or_default());
            }
            _ => self.create_view(which, a, D3d11ResourceId(self.seen(Kind::Texture, b))),
        }
    }

    fn create_view(&self, which: u8, a: u8, resource: D3d11ResourceId) {
        let (session, device) = (self.session, self.device);
        match which {
            3 => {
                let create = d3d11::CreateShaderResourceView { device, resource, desc: None };
                self.put(Kind::Input, a, session.call(create).unwrap_or_default());
            }
            4 => {
                let create = d3d11::CreateRenderTargetView { device, resource, desc: None };
                self.put(Kind::Target, a, session.call(create).unwrap_or_default());
            }
            5 => {
                let create = d3d11::CreateDepthStencilView { device, resource, desc: None };
                self.put(Kind::Depth, a, session.call(create).unwrap_or_default());
            }
            _ => {
                let create = d3d11::CreateUnorderedAccessView { device, resource, desc: None };
                self.put(Kind::Unordered, a, session.call(create).unwrap_or_default());
            }
        }
    }

    fn create_state(&self, which: u8, a: u8, b: u8) {
        let (session, device, number) = (self.session, self.device, u32::from(b));
        match which {
            0 => {
                let write_mask = ColorWriteEnable(number % 4);
                let render_targets = vec![RenderTargetBlendDesc { write_mask, ..Default::default() }];
                let desc = BlendDesc { render_targets, ..Default::default() };
                let created = session.call(d3d11::CreateBlendState { device, desc });
                self.put(Kind::Blend, a, created.unwrap_or_default());
            }
            1 => {
                let (fill_mode, cull_mode) = (FillMode::SOLID, CullMode(1 + number % 3));
                let desc = D3d11RasterizerDesc { fill_mode, cull_mode, ..Default::default() };
                let created = session.call(d3d11::CreateRasterizerState { device, desc });
                self.put(Kind::Rasterizer, a, created.unwrap_or_default());
            }
            2 => {
                let address = TextureAddressMode(1 + number % 3);
                let (address_u, address_v, address_w) = (address, address, address);
                let desc = D3d11SamplerDesc { address_u, address_v, address_w, ..Default::default() };
                let created = session.call(d3d11::CreateSamplerState { device, desc });
                self.put(Kind::Sampler, a, created.unwrap_or_default());
            }
            3 => {
                let create = d3d11::CreateDepthStencilState { device, desc: D3d11DepthStencilDesc::default() };
                self.put(Kind::DepthState, a, session.call(create).unwrap_or_default());
            }
            4 => {
                let stage = ShaderStage(number % 6);
                let desc = ShaderDesc { stage, size_bytes: 64, digest: u64::from(b), ..Default::default() };
                let created = session.call(d3d11::CreateShader { device, desc });
                self.put(Kind::Shader, a, created.unwrap_or_default());
            }
            5 => {
                let desc = InputLayoutDesc { elements: 1 + number % 3, digest: u64::from(b) };
                let created = session.call(d3d11::CreateInputLayout { device, desc });
                self.put(Kind::Layout, a, created.unwrap_or_default());
            }
            _ => {
                let is_predicate = b.is_multiple_of(2);
                let query = if is_predicate { QueryType::OCCLUSION_PREDICATE } else { QueryType::OCCLUSION };
                let desc = QueryDesc { query, misc_flags: 0 };
                let created = session.call(d3d11::CreateQuery { device, desc, is_predicate });
                self.put(Kind::Query, a, created.unwrap_or_default());
            }
        }
    }

    fn bind_shaders(&self, context: D3d11ContextId, which: u8, a: u8, b: u8) {
        let (session, stage, start_slot) = (self.session, ShaderStage(u32::from(b) % 6), u32::from(b) % 2);
        match which {
            0 => {
                let views = vec![D3d11ViewId(self.seen(Kind::Input, a))];
                let _ = session.call(d3d11::SetShaderResources { context, stage, start_slot, views });
            }
            1 => {
                let buffers = vec![D3d11ResourceId(self.seen(Kind::Dynamic, a))];
                let _ = session.call(d3d11::SetConstantBuffers { context, stage, start_slot, buffers });
            }
            2 => {
                let samplers = vec![D3d11StateId(self.seen(Kind::Sampler, a))];
                let _ = session.call(d3d11::SetSamplers { context, stage, start_slot, samplers });
            }
            3 => {
                let shader = D3d11ShaderId(self.seen(Kind::Shader, a));
                let _ = session.call(d3d11::SetShader { context, stage, shader });
            }
            4 => {
                let views = vec![D3d11ViewId(self.seen(Kind::Unordered, a))];
                let _ = session.call(d3d11::CSSetUnorderedAccessViews { context, start_slot, views });
            }
            _ => {
                let predicate = D3d11QueryId(self.seen(Kind::Query, a));
                let _ = session.call(d3d11::SetPredication { context, predicate, value: b.is_multiple_of(2) });
            }
        }
    }

    fn bind_fixed(&self, context: D3d11ContextId, which: u8, a: u8, b: u8) {
        let session = self.session;
        let buffer = D3d11ResourceId(self.seen(Kind::Buffer, a));
        match which {
            0 => {
                let input_layout = D3d11InputLayoutId(self.seen(Kind::Layout, a));
                let _ = session.call(d3d11::IASetInputLayout { context, input_layout });
            }
            1 => {
                let vertex_buffers = vec![VertexBufferBinding { buffer, stride_bytes: 16, offset_bytes: 0 }];
                let _ = session.call(d3d11::IASetVertexBuffers { context, start_slot: 0, vertex_buffers });
            }
            2 => {
                let (index_buffer, format) = (buffer, Format::R16_UINT);
                let _ = session.call(d3d11::IASetIndexBuffer { context, index_buffer, format, offset_bytes: 0 });
            }
            3 => {
                let topology = PrimitiveTopology::TRIANGLELIST;
                let _ = session.call(d3d11::IASetPrimitiveTopology { context, topology });
            }
            4 => {
                let rasterizer_state = D3d11StateId(self.seen(Kind::Rasterizer, a));
                let _ = session.call(d3d11::RSSetState { context, rasterizer_state });
            }
            5 => {
                let side = 8.0_f32.to_bits();
                let viewports = vec![D3d11Viewport { width: side, height: side, ..Default::default() }];
                let _ = session.call(d3d11::RSSetViewports { context, viewports });
            }
            6 => {
                let render_targets = vec![D3d11ViewId(self.seen(Kind::Target, a))];
                let depth_stencil = D3d11ViewId(self.seen(Kind::Depth, b));
                let _ = session.call(d3d11::OMSetRenderTargets { context, render_targets, depth_stencil });
            }
            7 => {
                let depth_stencil_state = D3d11StateId(self.seen(Kind::DepthState, a));
                let _ = session.call(d3d11::OMSetDepthStencilState { context, depth_stencil_state, stencil_ref: 0 });
            }
            _ => {
                let blend_state = D3d11StateId(self.seen(Kind::Blend, a));
                let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
                let _ = session.call(d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask });
            }
        }
    }

    fn work(&self, context: D3d11ContextId, which: u8, a: u8, b: u8) {
        let session = self.session;
        let texture = |place| D3d11ResourceId(self.seen(Kind::Texture, place));
        match which {
            0 => drop(session.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 })),
            1 => drop(session.call(d3d11::DrawIndexed { context, index_count: 3, ..Default::default() })),
            2 => {
                let (thread_group_count_x, thread_group_count_y, thread_group_count_z) = (1, 1, 1);
                let dispatch =
                    d3d11::Dispatch { context, thread_group_count_x, thread_group_count_y, thread_group_count_z };
                let _ = session.call(dispatch);
            }
            3 => {
                let view = D3d11ViewId(self.seen(Kind::Target, a));
                let _ = session.call(d3d11::ClearRenderTargetView { context, view, color: vec![0; 4] });
            }
            4 => {
                let (view, clear_flags) = (D3d11ViewId(self.seen(Kind::Depth, a)), ClearFlags::DEPTH);
                let clear = d3d11::ClearDepthStencilView { context, view, clear_flags, depth: 0, stencil: 0 };
                let _ = session.call(clear);
            }
            5 => {
                let view = D3d11ViewId(self.seen(Kind::Unordered, a));
                let _ = session.call(d3d11::ClearUnorderedAccessViewUint { context, view, values: vec![0; 4] });
            }
            6 => {
                let (resource, data) = (D3d11ResourceId(self.seen(Kind::Buffer, a)), Bytes(vec![b; 16]));
                let _ = session.call(d3d11::UpdateSubresource { context, resource, subresource: 0, data });
            }
            7 => {
                let (destination, source) = (texture(a), texture(b));
                let _ = session.call(d3d11::CopyResource { context, destination, source });
            }
            8 => {
                let (resource, subresource) = (D3d11ResourceId(self.seen(Kind::Dynamic, a)), 0);
                let map_type = if b.is_multiple_of(2) { MapType::WRITE_DISCARD } else { MapType::WRITE_NO_OVERWRITE };
                let map_flags = MapFlags::NONE;
                let _ = session.call(d3d11::Map { context, resource, subresource, map_type, map_flags });
                if !b.is_multiple_of(5) {
                    let _ = session.call(d3d11::Unmap { context, resource, subresource });
                }
            }
            9 => drop(session.call(d3d11::Begin { context, query: D3d11QueryId(self.seen(Kind::Query, a)) })),
            10 => drop(session.call(d3d11::End { context, query: D3d11QueryId(self.seen(Kind::Query, a)) })),
            11 => {
                let query = D3d11QueryId(self.seen(Kind::Query, a));
                let flags = GetDataFlags((b & 1).into());
                let _ = session.call(d3d11::GetData { context, query, size_bytes: 8, want_data: true, flags });
            }
            12 => drop(session.call(d3d11::ClearState { context })),
            _ => drop(session.call(d3d11::Flush { context })),
        }
    }

    /// Queries a binding; the returned object has an additional reference, which is released.
    fn query_binding(&self, context: D3d11ContextId, which: u8, b: u8) {
        let (session, stage, start_slot) = (self.session, ShaderStage(u32::from(b) % 6), 0);
        let count = 2;
        let returned: Vec<u64> = match which {
            0 => {
                let get = d3d11::GetShaderResources { context, stage, start_slot, count };
                session.call(get).unwrap_or_default().into_iter().map(|view| view.0).collect()
            }
            1 => {
                let get = d3d11::GetConstantBuffers { context, stage, start_slot, count };
                session.call(get).unwrap_or_default().into_iter().map(|buffer| buffer.0).collect()
            }
            2 => {
                let get = d3d11::GetSamplers { context, stage, start_slot, count };
                session.call(get).unwrap_or_default().into_iter().map(|sampler| sampler.0).collect()
            }
            3 => vec![session.call(d3d11::GetShader { context, stage }).unwrap_or_default().0],
            4 => vec![session.call(d3d11::RSGetState { context }).unwrap_or_default().0],
            5 => {
                let bound = session.call(d3d11::OMGetRenderTargets { context, count }).unwrap_or_default();
                bound.render_targets.into_iter().chain([bound.depth_stencil]).map(|view| view.0).collect()
            }
            6 => vec![session.call(d3d11::OMGetBlendState { context }).unwrap_or_default().blend_state.0],
            _ => vec![session.call(d3d11::GetPredication { context }).unwrap_or_default().predicate.0],
        };
        for object in returned.into_iter().filter(|object| *object != 0) {
            let _ = session.call(d3d11::Release { object: ObjectId(object) });
        }
    }

    fn lists(&self, which: u8, a: u8, b: u8) {
        let (session, context) = (self.session, self.context);
        match which {
            0..=2 => {
                let (restore_deferred_context_state, want_command_list) = (b.is_multiple_of(2), !b.is_multiple_of(5));
                let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
                self.put(Kind::List, a, session.call(finish).unwrap_or_default());
            }
            _ => {
                let command_list = D3d11CommandListId(self.seen(Kind::List, a));
                let (context, restore_context_state) =
                    (if self.plays && which > 3 { self.immediate } else { context }, b.is_multiple_of(2));
                let _ = session.call(d3d11::ExecuteCommandList { context, command_list, restore_context_state });
            }
        }
    }

    fn step(&self, (kind, a, b): Step) {
        // A thread that may use the immediate context uses it for some of its steps.
        let context = if self.plays && a % 4 == 3 { self.immediate } else { self.context };
        match kind % 64 {
            which @ 0..=6 => self.create_resource(which, a, b),
            which @ 7..=13 => self.create_state(which - 7, a, b),
            which @ 14..=19 => self.bind_shaders(context, which - 14, a, b),
            which @ 20..=28 => self.bind_fixed(context, which - 20, a, b),
            which @ 29..=42 => self.work(context, which - 29, a, b),
            which @ 43..=50 => self.query_binding(context, which - 43, b),
            which @ 51..=57 => self.lists(which - 51, a, b),
            58 => {
                let places = self.shared.0.get(usize::from(b) % self.shared.0.len());
                let object =
                    ObjectId(places.map_or(0, |places| places[usize::from(a) % PLACES].load(Ordering::Relaxed)));
                if self.session.call(d3d11::AddRef { object }).is_ok() {
                    let _ = self.session.call(d3d11::Release { object });
                }
            }
            _ => drop(self.session.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 })),
        }
    }
}

/// Records the programs, each on its own thread.
fn record(file: &Path, profile: &Profile, programs: &[Vec<Step>]) -> Trace {
    let settings = Settings { handle_accesses: true, ..Settings::default() };
    let session = Recording::new(profile).with_settings(settings).session(file);
    let created = d3d11_device(&session);
    let (device, immediate) = (created.device, created.immediate_context);
    let shared = Shared::default();
    std::thread::scope(|scope| {
        for (number, program) in programs.iter().enumerate() {
            let (session, shared) = (&session, &shared);
            scope.spawn(move || {
                let context = session.call(d3d11::CreateDeferredContext { device, flags: 0 }).unwrap();
                let thread = Thread { session, shared, device, immediate, context, plays: number == 0 };
                // Initial objects.
                (0..14).for_each(|kind| thread.step((kind, number as u8, kind)));
                program.iter().for_each(|step| thread.step(*step));
                session.call(d3d11::Release { object: context.into() }).unwrap();
            });
        }
    });
    for object in shared.0.iter().flatten() {
        let _ = session.call(d3d11::Release { object: ObjectId(object.load(Ordering::Relaxed)) });
    }
    session.call(d3d11::ClearState { context: immediate }).unwrap();
    session.call(d3d11::Release { object: device.into() }).unwrap();
    session.finish().unwrap();
    Trace::open(file).unwrap()
}

/// Checks the handle rules on a recording.
fn audited(trace: &Trace) -> HandleAudit {
    let (mut audit, mut feeds, mut rows) =
        (HandleAudit::default(), Vec::<(u32, HandleFeed, Vec<u64>)>::new(), trace.rows());
    let schema = &trace.header().schema;
    while let Some(row) = rows.next_row() {
        let is_api = schema.event(row.code).is_some_and(|event| event.layer == Layer::Api);
        if is_api || ![Some(Opcode::Start), Some(Opcode::Stop), Some(Opcode::Info)].contains(&row.code.opcode()) {
            continue;
        }
        let at = feeds.iter().position(|(thread, ..)| *thread == row.thread).unwrap_or_else(|| {
            feeds.push((row.thread, HandleFeed::default(), Vec::new()));
            feeds.len() - 1
        });
        let (thread, feed, open) = &mut feeds[at];
        let began = match row.code.opcode() {
            Some(Opcode::Start) => {
                open.push(row.stamp);
                row.stamp
            }
            Some(Opcode::Stop) => open.pop().unwrap_or_default(),
            _ => open.last().copied().unwrap_or(row.stamp),
        };
        let within = CallSpan { thread: *thread, began, at: row.stamp };
        let mut observe = |event| audit.on_event_in(within, &event);
        feed.on_event(row.code, row.payload, &mut observe).unwrap();
    }
    audit
}

fn holds(driver: &str, programs: &[Vec<Step>]) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let trace = record(&folder.path().join("program.taut"), &Profile::named(driver).unwrap(), programs);
    let outcome = Replayer::new(&trace, Options::default()).run().unwrap();
    prop_assert!(outcome.is_identical(), "{driver}: {:#?}", outcome.divergences);
    prop_assert_eq!(outcome.unfinished_calls, 0);
    // A rundown between any two calls must contain all state that the rest needs.
    let every_call = Options { rundown_every: 1, ..Options::default() };
    let through_records = Replayer::new(&trace, every_call).run().unwrap();
    prop_assert!(through_records.is_identical(), "{driver}: {:#?}", through_records.divergences);
    prop_assert!(through_records.states_restored > 20);
    let audit = audited(&trace);
    prop_assert!(audit.events > 0 && audit.broken.is_empty(), "{driver}: {:#?}", audit.broken);
    Ok(())
}

/// Generates programs of one to four threads.
fn programs() -> impl Strategy<Value = Vec<Vec<Step>>> {
    prop::collection::vec(prop::collection::vec(any::<Step>(), 20..120), 1..=4)
}

const DRIVERS: [&str; 3] = ["d3d11on12-like", "multi-size", "d3d10umd-like"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 256, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_keep_every_rule_of_handles_and_replay(driver in prop::sample::select(&DRIVERS[..]), programs in programs()) {
        holds(driver, &programs)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, max_shrink_iters: 256, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "minutes"]
    fn thousands_of_random_programs_keep_every_rule_of_handles_and_replay(
        driver in prop::sample::select(&DRIVERS[..]),
        programs in programs(),
    ) {
        holds(driver, &programs)?;
    }
}
