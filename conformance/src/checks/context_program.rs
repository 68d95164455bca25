//! Program with contexts on a machine of its own, whose DDI calls are audited.

use std::rc::Rc;
use std::sync::Arc;
use taut_runtime::EventLog;
use taut_runtime::Settings;
use taut_runtime::{Execute, Machine};
use taut_schemas::handle_rules::{HandleAudit, HandleFeed};
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, ColorWriteEnable, ComparisonFunc, CpuAccessFlags, D3d11CommandListId,
    D3d11ContextId, D3d11Filter, D3d11SamplerDesc, Driver, HResult, MapFlags, MapType, ObjectId, RenderTargetBlendDesc,
    ShaderStage, Texture2dDesc, TextureAddressMode, Usage, d3d11, d3d12, format::Format,
};

/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
pub(super) const FEATURE_LEVEL: u32 = 0xb000;

/// Number of draws of the longest recording.
const DRAWS: usize = 12;

/// Machine whose DDI calls are audited.
pub(super) struct Program<'d> {
    machine: Machine<'d>,
    feed: HandleFeed,
    audit: HandleAudit,
    /// Events of the last call.
    pub last: EventLog,
}

impl<'d> Program<'d> {
    /// Creates a program on a driver.
    pub fn new(driver: Arc<dyn Driver + 'd>, settings: &Settings) -> Program<'d> {
        let settings = Settings { strict: false, handle_accesses: true, ..settings.clone() };
        let (feed, audit, last) = Default::default();
        Program { machine: Machine::new(settings, driver), feed, audit, last }
    }

    /// Executes a call.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        let mut log = EventLog::default();
        let output = self.machine.call(call, &mut log);
        if let Some(remove) = self.machine.removal(call) {
            let _ = self.machine.call(&remove, &mut log);
        }
        for (code, row) in &log.events {
            let audit = &mut self.audit;
            // This cannot fail: the rows were written with the same lists.
            let _ = self.feed.on_event(*code, row, &mut |event| audit.on_event(&event));
        }
        self.last = log;
        output
    }
}

/// Runs the program on a driver and audits it. `None` if the driver has no handles per context.
pub(super) fn audited(driver: Arc<dyn Driver + '_>, settings: &Settings) -> Option<HandleAudit> {
    driver.d3d11_context_ddi()?;
    let mut program = Program::new(driver, settings);
    // If the program stops early, the calls until then are judged.
    let _ = make(&mut program);
    Some(program.audit)
}

/// Objects that the recordings name.
pub(super) struct ProgramObjects {
    textures: [taut_schemas::D3d11ResourceId; 2],
    pub buffer: taut_schemas::D3d11ResourceId,
    view: taut_schemas::D3d11ViewId,
    blend_state: taut_schemas::D3d11StateId,
}

fn make(program: &mut Program<'_>) -> HResult<()> {
    program.call(&d3d12::CreateDevice::default())?;
    let program_objects =
        program.call(&d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() })?;
    let (device, immediate) = (program_objects.device, program_objects.immediate_context);
    let mut contexts = Vec::new();
    for _ in 0..2 {
        contexts.push(program.call(&d3d11::CreateDeferredContext { device, flags: 0 })?);
    }
    let objects = create(program, device)?;
    let mut lists = Vec::new();
    for draws in [1, 2, DRAWS, 1, 2] {
        for context in &contexts {
            record(program, *context, &objects, draws);
            let (restore_deferred_context_state, want_command_list) = (false, true);
            let finish =
                d3d11::FinishCommandList { context: *context, restore_deferred_context_state, want_command_list };
            lists.extend(program.call(&finish).ok());
        }
        record(program, immediate, &objects, draws);
        for command_list in std::mem::take(&mut lists) {
            execute(program, immediate, command_list);
            if draws == DRAWS {
                // The recording context holds the list; the others are destroyed and created again.
                execute(program, contexts[0], command_list);
            }
            let _ = program.call(&d3d11::Release { object: command_list.into() });
        }
        let _ = program.call(&d3d11::Flush { context: immediate });
    }
    let rest = [objects.view.0, objects.blend_state.0, objects.buffer.0, objects.textures[0].0, objects.textures[1].0];
    for object in contexts.iter().map(|context| context.0).chain(rest).chain([device.0]) {
        let _ = program.call(&d3d11::Release { object: ObjectId(object) });
    }
    Ok(())
}

pub(super) fn create(program: &mut Program<'_>, device: taut_schemas::D3d11DeviceId) -> HResult<ProgramObjects> {
    let desc = Texture2dDesc {
        width: 8,
        height: 8,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        bind_flags: BindFlags::SHADER_RESOURCE,
        ..Default::default()
    };
    let first = program.call(&d3d11::CreateTexture2D { device, desc, initial_data: false })?;
    let second = program.call(&d3d11::CreateTexture2D { device, desc, initial_data: false })?;
    let view = program.call(&d3d11::CreateShaderResourceView { device, resource: first, desc: None })?;
    let target = RenderTargetBlendDesc { write_mask: ColorWriteEnable::ALL, ..Default::default() };
    let desc = BlendDesc { render_targets: vec![target], ..Default::default() };
    let blend_state = program.call(&d3d11::CreateBlendState { device, desc })?;
    let (usage, bind_flags) = (Usage::DYNAMIC, BindFlags::CONSTANT_BUFFER);
    let desc = BufferDesc { size_bytes: 256, usage, bind_flags, cpu_access_flags: CpuAccessFlags::WRITE };
    let buffer = program.call(&d3d11::CreateBuffer { device, desc, initial_data: false })?;
    // Nothing depends on the sampler: some drivers have no memory for samplers.
    let wrap = TextureAddressMode::WRAP;
    let (filter, comparison_func) = (D3d11Filter::MIN_MAG_MIP_LINEAR, ComparisonFunc::NEVER);
    let (max_anisotropy, max_lod) = (1, f32::MAX.to_bits());
    let desc = D3d11SamplerDesc {
        filter,
        address_u: wrap,
        address_v: wrap,
        address_w: wrap,
        max_anisotropy,
        comparison_func,
        max_lod,
        ..Default::default()
    };
    let _ = program.call(&d3d11::CreateSamplerState { device, desc });
    Ok(ProgramObjects { textures: [first, second], buffer, view, blend_state })
}

pub(super) fn record(
    program: &mut Program<'_>,
    context: D3d11ContextId,
    program_objects: &ProgramObjects,
    draws: usize,
) {
    let [destination, source] = program_objects.textures;
    let _ = program.call(&d3d11::CopyResource { context, destination, source });
    for stage in 0..6 {
        let (stage, start_slot) = (ShaderStage(stage), 0);
        let _ =
            program.call(&d3d11::SetShaderResources { context, stage, start_slot, views: vec![program_objects.view] });
        let _ = program.call(&d3d11::SetConstantBuffers {
            context,
            stage,
            start_slot,
            buffers: vec![program_objects.buffer],
        });
    }
    let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
    let set = d3d11::OMSetBlendState { context, blend_state: program_objects.blend_state, blend_factor, sample_mask };
    let _ = program.call(&set);
    let (map_type, map_flags) = (MapType::WRITE_DISCARD, MapFlags::NONE);
    let _ =
        program.call(&d3d11::Map { context, resource: program_objects.buffer, subresource: 0, map_type, map_flags });
    let _ = program.call(&d3d11::Unmap { context, resource: program_objects.buffer, subresource: 0 });
    for _ in 0..draws {
        let _ = program.call(&d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 });
    }
}

fn execute(program: &mut Program<'_>, context: D3d11ContextId, command_list: D3d11CommandListId) {
    let _ = program.call(&d3d11::ExecuteCommandList { context, command_list, restore_context_state: true });
}

/// Audit that is run once and shared.
pub(super) type Found = Rc<Option<HandleAudit>>;
