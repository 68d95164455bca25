//! Makes a log's presents again.

use super::log::PresentLog;
use super::plan::{PresentPlan, Seat};
use super::row::LoggedPresent;
use crate::caller::{Caller, Callers};
use crate::workloads::presented_machine::PresentedMachine;
use crate::workloads::refusal::required;
use crate::workloads::renderer::{create_queue, release_queue};
use crate::workloads::{Parameter, Parameters, WorkloadError};
use taut_schemas::format::Format;
use taut_schemas::{
    CommandQueueId, HResultCode, NtStatus, ObjectId, PresentFlags, SwapChainDesc, SwapChainFlags, SwapChainId,
    SwapChainWindowDesc, SwapEffect, WindowState, d3d12, dxgi, machine,
};

/// What making a log's presents again can be told: what logs do not say.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::word(
        "size",
        &["1920x1080", "1280x720", "1366x768", "2560x1440", "2560x1600", "3440x1440", "3840x2160"],
        "size of swap chains and displays, which a log does not say",
    ),
    Parameter::word(
        "flips",
        &["replace", "queue"],
        "what becomes of a frame without an interval that waits to be scanned out when the next one comes: that one takes its \
         place, or comes after it",
    ),
    Parameter::number("fps", 60, (1, 1000), "refreshes a second, where the log has no presents of the compositor"),
];

/// MinimumFeatureLevel of the device: 11_0 (d3dcommon.h: D3D_FEATURE_LEVEL).
const MINIMUM_FEATURE_LEVEL: u32 = 0xb000;
/// A swap chain stays so long after its last present.
const LAST_FRAMES_NS: u64 = 150_000_000;

fn state(seat: Seat) -> WindowState {
    if seat.covers { WindowState::NONE } else { WindowState::COVERED }
}

/// What is done next, and when.
#[derive(Debug, Clone, Copy)]
enum Step {
    Create(usize),
    Present { chain: usize, place: usize },
    Release(usize),
}

/// Makes the presents again; for each of the log, the swap chain and the frame's number that it became.
///
/// # Errors
/// A call failed that it cannot do without.
pub fn run<C: Callers>(
    log: &PresentLog,
    plan: &PresentPlan,
    callers: &C,
    parameters: &Parameters,
) -> Result<Vec<Option<(SwapChainId, u64)>>, WorkloadError> {
    let mut caller = callers.caller(0);
    let caller = &mut caller;
    let size = size(parameters.word("size"));
    let rates: Vec<u64> = plan.displays.iter().map(|display| display.refresh_millihertz).collect();
    let machine = PresentedMachine::of(callers.machine(), size, rates.first().copied().unwrap_or(60_000));
    let machine = machine.with_displays(&rates);
    machine.describe(caller)?;
    for (display, logged) in (0_u32..).zip(&plan.displays) {
        for refresh_at_ns in &logged.refreshes_at_ns {
            let refresh = machine::RefreshDisplay { display, refresh_at_ns: *refresh_at_ns };
            let status = caller.call(refresh);
            required("RefreshDisplay", if status == NtStatus::SUCCESS { Ok(()) } else { Err(HResultCode(status.0)) })?;
        }
    }
    let create = d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter: machine.renders() };
    let device = required("CreateDevice", caller.call(create))?;
    let queue = create_queue(caller, device)?;
    let mut player = Player {
        log,
        plan,
        size,
        queue,
        queues_flips: parameters.word("flips") == "queue",
        chains: vec![None; plan.chains.len()],
        now_ns: 0,
    };
    let mut frames = vec![None; log.presents.len()];
    for (at_ns, step) in steps(log, plan) {
        player.advance(caller, at_ns)?;
        match step {
            Step::Create(chain) => player.create(caller, chain)?,
            Step::Present { chain, place } => frames[place] = player.present(caller, chain, place)?,
            Step::Release(chain) => player.release(caller, chain)?,
        }
        caller.step_done();
    }
    release_queue(caller, queue)?;
    required("ReleaseDevice", caller.release_device(device))?;
    Ok(frames)
}

fn size(word: &str) -> (u32, u32) {
    let number = |text: &str| text.parse().unwrap_or_default();
    word.split_once('x').map_or((0, 0), |(width, height)| (number(width), number(height)))
}

/// Everything in order of time: at one time swap chains go before others come.
fn steps(log: &PresentLog, plan: &PresentPlan) -> Vec<(u64, Step)> {
    let at = |place: &usize| log.presents.get(*place).map_or(0, |present| present.at_ns - plan.begin_ns);
    let mut steps = Vec::new();
    for (number, chain) in plan.chains.iter().enumerate() {
        let (Some(first), Some(last)) = (chain.presents.first().map(at), chain.presents.last().map(at)) else {
            continue;
        };
        steps.push((first, Step::Create(number)));
        steps.extend(chain.presents.iter().map(|place| (at(place), Step::Present { chain: number, place: *place })));
        steps.push((last + LAST_FRAMES_NS, Step::Release(number)));
    }
    steps.sort_by_key(|(at_ns, step)| (*at_ns, !matches!(step, Step::Release(_))));
    steps
}

/// A swap chain, and its window where that moves.
#[derive(Debug, Clone, Copy)]
struct Shown {
    swap_chain: SwapChainId,
    window: Option<u64>,
    seat: Seat,
}

struct Player<'l> {
    log: &'l PresentLog,
    plan: &'l PresentPlan,
    size: (u32, u32),
    queue: CommandQueueId,
    queues_flips: bool,
    chains: Vec<Option<Shown>>,
    now_ns: u64,
}

impl Player<'_> {
    fn shown(&self, chain: usize) -> Option<Shown> {
        self.chains.get(chain).copied().flatten()
    }

    fn advance<K: Caller>(&mut self, caller: &mut K, until_at_ns: u64) -> Result<(), WorkloadError> {
        // There is nothing to simulate before the first swap chain.
        if self.chains.iter().all(Option::is_none) && self.now_ns == 0 {
            return Ok(());
        }
        self.now_ns = until_at_ns;
        required("AdvanceSimulation", caller.call(machine::AdvanceSimulation { until_at_ns })).map(drop)
    }

    fn create<K: Caller>(&mut self, caller: &mut K, number: usize) -> Result<(), WorkloadError> {
        let Some((chain, seat)) = self.plan.chains.get(number).and_then(|chain| Some((chain, *chain.seats.first()?)))
        else {
            return Ok(());
        };
        let tears =
            chain.presents.iter().filter_map(|place| self.log.presents.get(*place)).any(|one| one.allows_tearing);
        // Whoever presented waited where the log says: here nobody waits.
        let waits = SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT;
        let desc = SwapChainDesc {
            width: self.size.0,
            height: self.size.1,
            format: Format::B8G8R8A8_UNORM,
            buffer_count: 3,
            swap_effect: SwapEffect::FLIP_DISCARD,
            flags: if tears { waits | SwapChainFlags::ALLOW_TEARING } else { waits },
        };
        let shown = if chain.seats.iter().all(|other| *other == seat) {
            let Seat { display, covers } = seat;
            let create = dxgi::CreateSwapChainForHwnd { command_queue: self.queue, desc, display, covers };
            Shown { swap_chain: required("CreateSwapChainForHwnd", caller.call(create))?, window: None, seat }
        } else {
            let ((client_width, client_height), Seat { display, .. }) = (self.size, seat);
            let create = dxgi::CreateWindow { client_width, client_height, display, state: state(seat) };
            let window = required("CreateWindow", caller.call(create))?;
            let of_window =
                SwapChainWindowDesc { samples: 1, window, windowed: true, ..SwapChainWindowDesc::default() };
            let (device, has_desc, want_swap_chain) = (ObjectId(self.queue.0), true, true);
            let create = dxgi::CreateSwapChain { device, desc, of_window, has_desc, want_swap_chain };
            Shown { swap_chain: required("CreateSwapChain", caller.call(create))?, window: Some(window), seat }
        };
        self.chains[number] = Some(shown);
        Ok(())
    }

    /// The window comes to where it is at this present.
    fn sit<K: Caller>(&mut self, caller: &mut K, number: usize, place: usize) -> Result<(), WorkloadError> {
        let chain = self.plan.chains.get(number);
        let at = chain.and_then(|chain| Some((chain, chain.presents.binary_search(&place).ok()?)));
        let seat = at.and_then(|(chain, at)| chain.seats.get(at).copied());
        let (Some(seat), Some(shown)) = (seat, self.shown(number)) else { return Ok(()) };
        if let Some(window) = shown.window.filter(|_| shown.seat != seat) {
            let ((client_width, client_height), Seat { display, .. }) = (self.size, seat);
            let set = dxgi::SetWindow { window, client_width, client_height, display, state: state(seat) };
            required("SetWindow", caller.call(set))?;
            self.chains[number] = Some(Shown { seat, ..shown });
        }
        Ok(())
    }

    /// Presents; none where too many frames are on their way.
    fn present<K: Caller>(
        &mut self,
        caller: &mut K,
        number: usize,
        place: usize,
    ) -> Result<Option<(SwapChainId, u64)>, WorkloadError> {
        let Some((Shown { swap_chain, .. }, logged)) = self.shown(number).zip(self.log.presents.get(place)) else {
            return Ok(None);
        };
        self.sit(caller, number, place)?;
        let LoggedPresent { gpu_ns, sync_interval, allows_tearing, .. } = *logged;
        required("SimulateWork", caller.call(dxgi::SimulateWork { swap_chain, cpu_ns: 0, gpu_ns }))?;
        let tears = allows_tearing && sync_interval == 0;
        let flags = if tears { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE };
        let queues = self.queues_flips && logged.is_flipped() && !tears;
        let sync_interval = if queues { sync_interval.max(1) } else { sync_interval };
        let Ok(frame) = caller.call(dxgi::Present1 { swap_chain, sync_interval, flags }) else { return Ok(None) };
        // Where too many frames are on their way the next present is refused, and not this one.
        let _ = caller.call(dxgi::FinishPresent1 { swap_chain });
        Ok(Some((swap_chain, frame)))
    }

    fn release<K: Caller>(&mut self, caller: &mut K, number: usize) -> Result<(), WorkloadError> {
        let Some(Shown { swap_chain, .. }) = self.shown(number) else { return Ok(()) };
        required("ReleaseSwapChain", caller.call(dxgi::ReleaseSwapChain { swap_chain }))
    }
}
