//! Driver that reports an error in a selected call, and a program that makes every call.

use crate::world::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_runtime::{Execute, Profile, Settings, driver};
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, Call, ContextCallbacks, CpuAccessFlags, D3d11CommandListId, D3d11ContextId,
    D3d11DeviceId, D3d11ResourceId, D3d11StateId, D3d11ViewId, Driver, DriverHandle, DriverLayer, EventCode,
    EventVisitor, FunctionTable, HResult, HResultCode, MapFlags, MapType, Mark, ObjectId, Opcode, PrivateSize,
    RecordedCommands, RenderTargetBlendDesc, ShaderStage, SharedMapData, Texture2dDesc, Usage, d3d11,
    d3d11_callbacks::SetError, d3d11_context_ddi as ddi, format::Format,
};

/// Selects the call that reports an error.
#[derive(Debug, Clone)]
pub enum When {
    /// Call with this number, from 1, among all that may report.
    At(u64),
    /// First call of a function on a deferred context or the immediate one.
    First(u16, bool),
}

#[derive(Debug, Clone)]
pub struct Report {
    pub when: When,
    pub codes: Vec<HResultCode>,
    /// Core-layer handle; that of the call's context if `None`.
    pub core_layer: Option<u64>,
}

struct Reporting {
    below: Box<dyn Driver>,
    report: Report,
    calls: Arc<AtomicU64>,
    found: AtomicU64,
    immediate: AtomicU64,
}

impl DriverLayer for Reporting {
    taut_schemas::changes!(d3d11_context_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.below
    }
}

impl Reporting {
    fn table(&self) -> &dyn ddi::DeviceFuncs {
        self.below.d3d11_context_ddi().unwrap()
    }

    /// Returns the errors to report in a call, with their handle.
    fn due(&self, line: u16, context: D3d11ContextId) -> Option<(DriverHandle, &[HResultCode])> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if line == ddi::CreateDevice::ID {
            self.immediate.store(context.0, Ordering::Relaxed);
        }
        let is_deferred = context.0 != self.immediate.load(Ordering::Relaxed);
        let is = match self.report.when {
            When::At(number) => call == number,
            When::First(of, deferred) => {
                (line, is_deferred) == (of, deferred) && self.found.fetch_add(1, Ordering::Relaxed) == 0
            }
        };
        let core_layer = DriverHandle(self.report.core_layer.unwrap_or(context.0));
        is.then_some((core_layer, &*self.report.codes))
    }
}

macro_rules! reporting {
    ($( $method:ident $Call:ident -> $Output:ty, $answer:expr; )*) => {
        impl ddi::DeviceFuncsLayer for Reporting {
            $( fn $method(&self, memory: &mut dyn ContextCallbacks, call: &ddi::$Call) -> $Output {
                let Some((core_layer, codes)) = self.due(ddi::$Call::ID, call.context) else {
                    return self.table().$method(memory, call);
                };
                codes.iter().for_each(|code| memory.set_error(&SetError { core_layer, code: *code }));
                $answer
            } )*

            fn recycle_create_deferred_context(
                &self,
                memory: &mut dyn ContextCallbacks,
                call: &ddi::RecycleCreateDeferredContext,
            ) -> HResult<FunctionTable> {
                match self.due(ddi::RecycleCreateDeferredContext::ID, call.context) {
                    None => self.table().recycle_create_deferred_context(memory, call),
                    Some((_, codes)) => Err(codes[0]),
                }
            }

            fn recycle_create_command_list(
                &self,
                memory: &mut dyn ContextCallbacks,
                call: &ddi::RecycleCreateCommandList,
            ) -> HResult<RecordedCommands> {
                match self.due(ddi::RecycleCreateCommandList::ID, call.context) {
                    None => self.table().recycle_create_command_list(memory, call),
                    Some((_, codes)) => Err(codes[0]),
                }
            }

            fn create_device(
                &self,
                memory: &mut dyn ContextCallbacks,
                call: &ddi::CreateDevice,
            ) -> HResult<FunctionTable> {
                match self.due(ddi::CreateDevice::ID, call.context) {
                    None => self.table().create_device(memory, call),
                    Some((_, codes)) => Err(codes[0]),
                }
            }
        }
    };
}

reporting! {
    create_deferred_context CreateDeferredContext -> FunctionTable, FunctionTable::default();
    calc_deferred_context_handle_size CalcDeferredContextHandleSize -> PrivateSize, PrivateSize::default();
    create_resource CreateResource -> HResult<taut_schemas::D3d11ResourceLayout>, Ok(Default::default());
    resource_copy ResourceCopy -> (), ();
    staging_resource_map StagingResourceMap -> SharedMapData, SharedMapData::default();
    dynamic_resource_map DynamicResourceMap -> SharedMapData, SharedMapData::default();
    dynamic_resource_unmap DynamicResourceUnmap -> (), ();
    create_shader_resource_view CreateShaderResourceView -> (), ();
    create_blend_state CreateBlendState -> (), ();
    set_blend_state SetBlendState -> (), ();
    set_shader_resources SetShaderResources -> (), ();
    set_constant_buffers SetConstantBuffers -> (), ();
    draw Draw -> (), ();
    flush Flush -> (), ();
    create_command_list CreateCommandList -> RecordedCommands, RecordedCommands::default();
    command_list_execute CommandListExecute -> RecordedCommands, RecordedCommands::default();
    abandon_command_list AbandonCommandList -> (), ();
}

/// Result of a run: results of the calls on each context, and DDI events by context.
#[derive(Debug, Default)]
pub struct RunLog {
    pub answers: Vec<(u64, String)>,
    pub events: Vec<(u64, EventCode, Vec<u8>)>,
    pub rules: Vec<String>,
    pub removed: Option<HResultCode>,
    /// Deferred contexts, which make the same calls.
    pub deferred: [u64; 2],
    /// Number of DDI calls that may report.
    pub calls: u64,
}

impl RunLog {
    /// True if some call returned this code.
    pub fn answered(&self, code: HResultCode) -> bool {
        let text = format!("{:?}", Err::<(), _>(code));
        self.answers.iter().any(|(_, answer)| *answer == text)
    }

    /// Returns the driver's calls on a context.
    pub fn of(&self, context: u64) -> Vec<(EventCode, &[u8])> {
        self.events.iter().filter(|(of, ..)| *of == context).map(|(_, code, row)| (*code, &**row)).collect()
    }

    /// Returns the names of the driver's calls on a context.
    pub fn names(&self, context: u64) -> Vec<&'static str> {
        struct Names(EventCode, Option<&'static str>);
        impl EventVisitor for Names {
            fn call<C: Call>(&mut self) {
                if C::ID == self.0.id() && self.0.opcode() == Some(Opcode::Start) {
                    self.1 = Some(C::NAME);
                }
            }

            fn mark<M: Mark>(&mut self) {}
        }
        let name = |(code, _): (EventCode, &[u8])| {
            let mut names = Names(code, None);
            taut_schemas::visit_events(&mut names);
            names.1
        };
        self.of(context).into_iter().filter_map(name).collect()
    }
}

struct Run {
    world: World,
    run_log: RunLog,
    /// Context of the current DDI call.
    inside: u64,
}

impl Run {
    /// Makes a call.
    fn make<C: Execute>(&mut self, call: &C) -> C::Output {
        let output = self.world.call(call);
        let ddi_lines = ddi::FAMILY.first..=ddi::FAMILY.last;
        for (code, row) in &self.world.tap.events {
            if ddi_lines.contains(&code.id()) && code.opcode() == Some(Opcode::Start) {
                // The first argument of every function is its context, except for three of the device's.
                let first = row.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                self.inside = first;
            }
            self.run_log.events.push((self.inside, *code, row.clone()));
        }
        self.run_log.rules.extend(self.world.violations().into_iter().map(|violation| violation.rule));
        output
    }

    fn call_checked<C: Execute<Output = HResult<T>>, T: Default>(&mut self, context: u64, call: &C) -> T {
        let output = self.make(call);
        let ended = output.as_ref().map(|_| ()).map_err(|code| *code);
        self.run_log.answers.push((context, format!("{ended:?}")));
        output.unwrap_or_default()
    }

    fn record(&mut self, context: D3d11ContextId, program_objects: &ProgramObjects) {
        let of = context.0;
        let ProgramObjects { textures: [destination, source], view, state, buffer, list, .. } = *program_objects;
        self.call_checked(of, &d3d11::CopyResource { context, destination, source });
        let stage = ShaderStage::PIXEL;
        self.call_checked(of, &d3d11::SetShaderResources { context, stage, start_slot: 0, views: vec![view] });
        let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
        self.call_checked(of, &d3d11::OMSetBlendState { context, blend_state: state, blend_factor, sample_mask });
        self.call_checked(of, &d3d11::SetConstantBuffers { context, stage, start_slot: 1, buffers: vec![buffer] });
        let (map_type, map_flags) = (MapType::WRITE_DISCARD, MapFlags::NONE);
        let map = d3d11::Map { context, resource: buffer, subresource: 0, map_type, map_flags };
        self.call_checked(of, &map);
        // Nothing to unmap if Map has failed.
        let _ = self.make(&d3d11::Unmap { context, resource: buffer, subresource: 0 });
        self.call_checked(of, &d3d11::ExecuteCommandList { context, command_list: list, restore_context_state: true });
        self.call_checked(of, &d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 });
    }

    fn finish(&mut self, context: D3d11ContextId) -> D3d11CommandListId {
        let (restore_deferred_context_state, want_command_list) = (true, true);
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
        self.call_checked(context.0, &finish)
    }
}

/// Objects that a program creates.
#[derive(Debug, Clone, Default)]
struct ProgramObjects {
    device: D3d11DeviceId,
    immediate: D3d11ContextId,
    deferred: [D3d11ContextId; 2],
    textures: [D3d11ResourceId; 2],
    staging: D3d11ResourceId,
    view: D3d11ViewId,
    state: D3d11StateId,
    buffer: D3d11ResourceId,
    list: D3d11CommandListId,
}

/// Runs the program on a driver that reports an error.
pub fn run(driver_name: &str, report: Report, settings: Settings) -> RunLog {
    let below = driver(&Profile::named(driver_name).unwrap());
    let calls = Arc::new(AtomicU64::new(0));
    let (found, immediate) = (AtomicU64::new(0), AtomicU64::new(0));
    let reporting = Reporting { below, report, calls: Arc::clone(&calls), found, immediate };
    let world = World::with(Box::new(reporting), settings);
    let mut run_log = program(&mut Run { world, run_log: RunLog::default(), inside: 0 });
    run_log.calls = calls.load(Ordering::Relaxed);
    run_log
}

fn create(run: &mut Run) -> ProgramObjects {
    let create = d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() };
    let program_objects: taut_schemas::D3d11DeviceAndContext = run.call_checked(0, &create);
    let (device, immediate) = (program_objects.device, program_objects.immediate_context);
    let deferred = [(); 2].map(|()| run.call_checked(0, &d3d11::CreateDeferredContext { device, flags: 0 }));
    let desc = Texture2dDesc {
        width: 8,
        height: 8,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        usage: Usage::DEFAULT,
        bind_flags: BindFlags::SHADER_RESOURCE,
        cpu_access_flags: CpuAccessFlags::NONE,
    };
    let textures = [(); 2].map(|()| run.call_checked(0, &d3d11::CreateTexture2D { device, desc, initial_data: false }));
    let (usage, bind_flags) = (Usage::STAGING, BindFlags::NONE);
    let read = Texture2dDesc { usage, bind_flags, cpu_access_flags: CpuAccessFlags::READ, ..desc };
    let staging = run.call_checked(0, &d3d11::CreateTexture2D { device, desc: read, initial_data: false });
    let view = run.call_checked(0, &d3d11::CreateShaderResourceView { device, resource: textures[0], desc: None });
    let blend = BlendDesc { render_targets: vec![RenderTargetBlendDesc::default()], ..Default::default() };
    let state = run.call_checked(0, &d3d11::CreateBlendState { device, desc: blend });
    let (usage, bind_flags) = (Usage::DYNAMIC, BindFlags::CONSTANT_BUFFER);
    let desc = BufferDesc { size_bytes: 64, usage, bind_flags, cpu_access_flags: CpuAccessFlags::WRITE };
    let buffer = run.call_checked(0, &d3d11::CreateBuffer { device, desc, initial_data: false });
    ProgramObjects { device, immediate, deferred, textures, staging, view, state, buffer, ..ProgramObjects::default() }
}

/// Two deferred contexts record the same calls twice, and the immediate one executes the lists; then everything is
/// released.
fn program(run: &mut Run) -> RunLog {
    let mut program_objects = create(run);
    run.run_log.deferred = program_objects.deferred.map(|context| context.0);
    program_objects.list = run.finish(program_objects.deferred[1]);
    let mut lists = Vec::new();
    for _ in 0..2 {
        for context in program_objects.deferred {
            run.record(context, &program_objects);
        }
        for context in program_objects.deferred {
            let list = run.finish(context);
            run.call_checked(0, &d3d11::Release { object: list.into() });
            run.record(context, &program_objects);
            lists.push(run.finish(context));
        }
    }
    let context = program_objects.immediate;
    for command_list in &lists {
        let command_list = *command_list;
        run.call_checked(context.0, &d3d11::ExecuteCommandList { context, command_list, restore_context_state: false });
    }
    run.record(context, &program_objects);
    let (resource, map_type) = (program_objects.staging, MapType::READ);
    run.call_checked(context.0, &d3d11::Map { context, resource, subresource: 0, map_type, map_flags: MapFlags::NONE });
    run.call_checked(context.0, &d3d11::Flush { context });
    let reason = run.make(&d3d11::GetDeviceRemovedReason { device: program_objects.device });
    // Without a device, none was removed.
    run.run_log.removed = reason.err().filter(|code| *code != HResultCode::E_HANDLE);
    let singles = [
        program_objects.view.0,
        program_objects.state.0,
        program_objects.buffer.0,
        program_objects.staging.0,
        program_objects.list.0,
        program_objects.device.0,
    ];
    let others = program_objects
        .textures
        .map(|texture| texture.0)
        .into_iter()
        .chain(program_objects.deferred.map(|context| context.0));
    for object in lists.iter().map(|list| list.0).chain(others).chain(singles).filter(|object| *object != 0) {
        // Objects that could not be created have no id.
        let _ = run.make(&d3d11::Release { object: ObjectId(object) });
    }
    assert!(run.world.state.objects.is_empty(), "whatever was reported, nothing is left");
    std::mem::take(&mut run.run_log)
}
