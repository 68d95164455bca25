//! Run of a case: the machine, a swap chain, and its frames.

use super::case::GridCase;
use super::judgement::judge;
use super::result::{FRAMES, GridResult};
use std::sync::Arc;
use taut_runtime::{Display, EventLog, Execute, Machine, MachineProfile, Profile, Settings, driver};
use taut_schemas::{
    AdapterId, CommandListType, CommandQueueDesc, DisplayMode, DxgiUsage, HResult, HResultCode, PresentFlags,
    SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, SwapEffect, WindowState, d3d11, d3d12, dxgi,
    machine,
};

/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL_11_0: u32 = 0xb000;

/// Time of a frame on the processor and on the graphics engine, in nanoseconds: short, so that copies and scan-out decide
/// when a frame is shown.
const WORK_NS: u64 = 1_000_000;

/// Number of refreshes from one frame to the next. Each frame is shown before the next begins.
const REFRESHES_PER_FRAME: u64 = 4;

/// Number of refreshes in which the last frame is shown.
const LAST_REFRESHES: u64 = 60;

/// A machine with its events.
pub(super) struct CaseRun {
    machine: Machine<'static>,
    log: EventLog,
}

impl CaseRun {
    /// Runs a case and judges its events.
    pub fn judged(machine: &MachineProfile, profiles: &[Profile], settings: &Settings, case: GridCase) -> GridResult {
        let drivers = profiles.iter().map(|profile| Arc::from(driver(profile))).collect();
        let Some(runtime) = Machine::with_adapters(settings.clone(), drivers) else {
            return failed(case, "the machine has more adapters than a session can have".to_owned());
        };
        let mut run = CaseRun { machine: runtime, log: EventLog::default() };
        run.describe(machine, case);
        let played = run.create(machine, case).and_then(|swap_chain| run.present(swap_chain, case));
        match played {
            Ok(()) => judge(case, &run.log),
            Err((call, code)) => failed(case, format!("{call} returns {code:?}; expected S_OK")),
        }
    }

    fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.machine.call(call, &mut self.log)
    }

    /// Describes the machine, starts its adapters and connects its displays, of which the first has the case's mode.
    fn describe(&mut self, machine: &MachineProfile, case: GridCase) {
        self.call(&machine.description());
        for adapter in &machine.adapters {
            let (number, parts) = (machine.adapter_id(&adapter.name), machine.parts(adapter));
            self.call(&machine::DescribeAdapter { adapter: number, parts });
            // An adapter whose driver has no kernel-mode part does not start, and shares nothing.
            self.call(&machine::StartAdapter { adapter: number });
        }
        for (number, display) in machine.displays.iter().enumerate() {
            let mode = DisplayMode {
                width: display.width,
                height: display.height,
                refresh_millihertz: display.refresh_millihertz,
                rotation_degrees: display.rotation_degrees,
                variable_refresh_from_millihertz: display.variable_refresh_from_millihertz,
            };
            let mode = if number == 0 { case_mode(case, display, mode) } else { mode };
            self.call(&machine::ConnectDisplay { adapter: machine.adapter_id(&display.adapter), mode });
        }
    }

    /// Creates a device on the rendering adapter, and a swap chain on the first display.
    fn create(&mut self, machine: &MachineProfile, case: GridCase) -> Result<SwapChainId, Failure> {
        let (adapter, desc) = (render_adapter(machine), chain_desc(case));
        if !case.is_direct3d11 {
            let create = d3d12::CreateDevice { minimum_feature_level: FEATURE_LEVEL_11_0, adapter };
            let device = named("D3D12CreateDevice", self.call(&create))?;
            let queue_desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
            let queue = d3d12::CreateCommandQueue { device, desc: queue_desc };
            let command_queue = named("CreateCommandQueue", self.call(&queue))?;
            let (display, covers) = (0, case.is_full_screen);
            let create = dxgi::CreateSwapChainForHwnd { command_queue, desc, display, covers };
            return named("CreateSwapChainForHwnd", self.call(&create));
        }
        let create = d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL_11_0, adapter, ..Default::default() };
        let device = named("D3D11CreateDevice", self.call(&create))?.device.into();
        let (client_width, client_height) = (case.mode_width.saturating_sub(1), case.mode_height);
        let create = dxgi::CreateWindow { client_width, client_height, display: 0, state: WindowState::NONE };
        let window = named("CreateWindow", self.call(&create))?;
        let (usage, windowed) = (DxgiUsage::RENDER_TARGET_OUTPUT, !case.is_full_screen);
        let window_desc = SwapChainWindowDesc { samples: 1, usage, window, windowed, ..Default::default() };
        let create = dxgi::CreateSwapChain { device, desc, window_desc, has_desc: true, want_swap_chain: true };
        named("CreateSwapChain", self.call(&create))
    }

    /// Presents the frames and waits until the last is shown.
    fn present(&mut self, swap_chain: SwapChainId, case: GridCase) -> Result<(), Failure> {
        let refresh_ns = (1_000_000_000_000 / case.refresh_millihertz.max(1)).max(1);
        let flags = if case.may_tear { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE };
        for frame in 1..=FRAMES {
            let work = dxgi::SimulateWork { swap_chain, cpu_ns: WORK_NS, gpu_ns: WORK_NS };
            named("SimulateWork", self.call(&work))?;
            self.advance(frame * REFRESHES_PER_FRAME * refresh_ns.max(WORK_NS) + WORK_NS)?;
            let present = dxgi::Present1 { swap_chain, sync_interval: case.sync_interval, flags };
            named("Present1", self.call(&present))?;
            named("FinishPresent1", self.call(&dxgi::FinishPresent1 { swap_chain }))?;
        }
        self.advance((FRAMES * REFRESHES_PER_FRAME + LAST_REFRESHES) * refresh_ns.max(WORK_NS))
    }

    fn advance(&mut self, until_at_ns: u64) -> Result<(), Failure> {
        named("AdvanceSimulation", self.call(&machine::AdvanceSimulation { until_at_ns })).map(drop)
    }
}

/// A call with its error.
type Failure = (&'static str, HResultCode);

fn named<T>(call: &'static str, result: HResult<T>) -> Result<T, Failure> {
    result.map_err(|code| (call, code))
}

fn failed(case: GridCase, fault: String) -> GridResult {
    GridResult { case, path: None, flipped: 0, composed: 0, torn: 0, fault: Some(fault) }
}

/// Returns the case's mode of a display, with the display's rotation.
fn case_mode(case: GridCase, display: &Display, own: DisplayMode) -> DisplayMode {
    let rate = case.refresh_millihertz;
    DisplayMode {
        width: case.mode_width,
        height: case.mode_height,
        refresh_millihertz: rate,
        // The range of variable refresh must not begin above the rate of the mode.
        variable_refresh_from_millihertz: display.variable_refresh_from_millihertz.min(rate),
        ..own
    }
}

fn chain_desc(case: GridCase) -> SwapChainDesc {
    SwapChainDesc {
        width: case.width,
        height: case.height,
        format: case.format,
        buffer_count: 2,
        swap_effect: SwapEffect::FLIP_DISCARD,
        flags: if case.may_tear { SwapChainFlags::ALLOW_TEARING } else { SwapChainFlags::NONE },
    }
}

/// Returns the first adapter without the first display; the first of a machine with one adapter.
fn render_adapter(machine: &MachineProfile) -> AdapterId {
    let display_adapter = machine.displays.first().map(|display| display.adapter.as_str());
    let other = machine.adapters.iter().find(|adapter| Some(adapter.name.as_str()) != display_adapter);
    other.map_or(AdapterId::FIRST, |adapter| machine.adapter_id(&adapter.name))
}
