//! Replays a log's presents.

use super::devices::Devices;
use super::flip_queue::WaitingFlip;
use super::gpu_cost::gpu_costs;
use super::log::PresentLog;
use super::plan::{LAST_FRAMES_NS, LoggedDisplay, PresentPlan, WindowPosition};
use super::row::LoggedPresent;
use super::steps::{Step, steps};
use super::swap_chain::{self, PlayedChain, window_state};
use crate::bundled::presented_machine::{DisplayRate, PresentedMachine};
use crate::bundled::refusal::required;
use crate::bundled::{Parameter, Parameters, WorkloadError};
use std::collections::VecDeque;
use taut_capture::{Caller, Callers};
use taut_schemas::{HResultCode, NtStatus, PresentFlags, SwapChainId, dxgi, machine, mark};

/// Parameters for data that logs do not contain.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::word(
        "size",
        &["1920x1080", "1280x720", "1366x768", "2560x1440", "2560x1600", "3440x1440", "3840x2160"],
        "size of swap chains and displays; captures do not contain it",
    ),
    Parameter::word(
        "flips",
        &["inferred", "replace", "queue"],
        "effect of a flip with SyncInterval 0 on the frame that waits for scan-out: it replaces that frame or queues \
         after it; inferred: per swap chain, the effect that the capture shows",
    ),
    Parameter::number(
        "fps",
        0,
        0,
        1000,
        "refreshes per second, used if the capture has no presents of the compositor; 0: derived from the times at which \
         frames were displayed",
    ),
];

/// Replays the presents; returns for each present of the log its swap chain and frame number.
///
/// # Errors
/// A required call failed.
pub fn run<C: Callers>(
    log: &PresentLog,
    plan: &PresentPlan,
    callers: &C,
    parameters: &Parameters,
) -> Result<Vec<Option<(SwapChainId, u64)>>, WorkloadError> {
    let mut caller = callers.caller(0);
    let caller = &mut caller;
    let size = size(parameters.word("size"));
    let rates: Vec<DisplayRate> = plan.displays.iter().map(DisplayRate::from).collect();
    let first_millihertz = rates.first().map_or(60_000, |rate| rate.refresh_millihertz);
    let machine = PresentedMachine::new(callers.machine(), size, first_millihertz).with_displays(&rates);
    machine.describe(caller)?;
    for (display, logged) in (0_u32..).zip(&plan.displays) {
        for refresh_at_ns in &logged.refreshes_at_ns {
            let refresh = machine::RefreshDisplay { display, refresh_at_ns: *refresh_at_ns };
            let status = caller.call(refresh);
            required("RefreshDisplay", if status == NtStatus::SUCCESS { Ok(()) } else { Err(HResultCode(status.0)) })?;
        }
    }
    let mut player = Player {
        log,
        plan,
        size,
        machine: &machine,
        devices: Devices::default(),
        gpu_costs_ns: gpu_costs(log, &plan.chains, |chain| swap_chain::adapter(&machine, chain)),
        chains: vec![None; plan.chains.len()],
        waiting: vec![Waiting::default(); plan.chains.len()],
        frames: vec![None; log.presents.len()],
        now_ns: 0,
    };
    for (at_ns, step) in steps(log, plan) {
        player.advance(caller, at_ns)?;
        match step {
            Step::Create(chain) => player.create(caller, chain)?,
            Step::Present { chain, place } => {
                player.waiting[chain].presents.push_back(place);
                player.present_waiting(caller, chain)?;
            }
            Step::Generated(place) => player.mark_generated(caller, place),
            Step::Release(chain) => player.release(caller, chain)?,
        }
        caller.step_done();
    }
    player.devices.release(caller)?;
    Ok(player.frames)
}

fn size(word: &str) -> (u32, u32) {
    let number = |text: &str| text.parse().unwrap_or_default();
    word.split_once('x').map_or((0, 0), |(width, height)| (number(width), number(height)))
}

impl From<&LoggedDisplay> for DisplayRate {
    fn from(display: &LoggedDisplay) -> DisplayRate {
        DisplayRate { refresh_millihertz: display.refresh_millihertz, is_variable: display.is_variable }
    }
}

/// Presents of a swap chain that wait because too many frames are queued.
#[derive(Debug, Clone, Default)]
struct Waiting {
    /// True while the last Present1 blocks.
    is_blocked: bool,
    /// Indices of the presents in the log.
    presents: VecDeque<usize>,
}

struct Player<'l> {
    log: &'l PresentLog,
    plan: &'l PresentPlan,
    size: (u32, u32),
    machine: &'l PresentedMachine,
    devices: Devices,
    /// GPU cost of each present of the log.
    gpu_costs_ns: Vec<u64>,
    chains: Vec<Option<PlayedChain>>,
    /// By swap chain.
    waiting: Vec<Waiting>,
    /// Swap chain and frame number of each present of the log.
    frames: Vec<Option<(SwapChainId, u64)>>,
    now_ns: u64,
}

impl Player<'_> {
    fn waiting_flip(&self, chain: usize) -> WaitingFlip {
        self.plan.chains.get(chain).map_or(WaitingFlip::Replace, |chain| chain.waiting_flip)
    }

    fn played(&self, chain: usize) -> Option<PlayedChain> {
        self.chains.get(chain).copied().flatten()
    }

    /// Advances time. Presents that wait are retried at every event, because any may end a frame.
    fn advance<K: Caller>(&mut self, caller: &mut K, until_at_ns: u64) -> Result<(), WorkloadError> {
        // Before the first swap chain there is nothing to simulate.
        if self.chains.iter().all(Option::is_none) && self.now_ns == 0 {
            return Ok(());
        }
        while self.waiting.iter().any(|waiting| !waiting.presents.is_empty()) {
            let next_at_ns = self.advance_to(caller, self.now_ns)?;
            if next_at_ns >= until_at_ns {
                break;
            }
            self.advance_to(caller, next_at_ns)?;
            (0..self.waiting.len()).try_for_each(|chain| self.present_waiting(caller, chain))?;
        }
        // A swap chain whose presents waited may have been released after the time of the next step.
        self.advance_to(caller, until_at_ns.max(self.now_ns)).map(drop)
    }

    /// Advances time; returns the time of the next event.
    fn advance_to<K: Caller>(&mut self, caller: &mut K, until_at_ns: u64) -> Result<u64, WorkloadError> {
        self.now_ns = until_at_ns;
        required("AdvanceSimulation", caller.call(machine::AdvanceSimulation { until_at_ns }))
    }

    fn create<K: Caller>(&mut self, caller: &mut K, number: usize) -> Result<(), WorkloadError> {
        if let Some(chain) = self.plan.chains.get(number) {
            self.chains[number] = swap_chain::create(caller, self.machine, &mut self.devices, chain, self.size)?;
        }
        Ok(())
    }

    /// Moves the window to its position at this present.
    fn move_window<K: Caller>(&mut self, caller: &mut K, number: usize, place: usize) -> Result<(), WorkloadError> {
        let chain = self.plan.chains.get(number);
        let at = chain.and_then(|chain| Some((chain, chain.presents.binary_search(&place).ok()?)));
        let position = at.and_then(|(chain, at)| chain.positions.get(at).copied());
        let (Some(position), Some(played)) = (position, self.played(number)) else { return Ok(()) };
        if let Some(window) = played.window.filter(|_| played.position != position) {
            let ((client_width, client_height), WindowPosition { display, .. }) = (self.size, position);
            let set = dxgi::SetWindow { window, client_width, client_height, display, state: window_state(position) };
            required("SetWindow", caller.call(set))?;
            self.chains[number] = Some(PlayedChain { position, ..played });
        }
        Ok(())
    }

    /// Presents the waiting frames of a swap chain until its queue is full.
    fn present_waiting<K: Caller>(&mut self, caller: &mut K, number: usize) -> Result<(), WorkloadError> {
        while let Some(place) = self.waiting[number].presents.front().copied() {
            if self.waiting[number].is_blocked && !self.finish_present(caller, number)? {
                return Ok(());
            }
            self.waiting[number].presents.pop_front();
            self.frames[place] = self.present(caller, number, place)?;
        }
        Ok(())
    }

    /// Polls the end of the last Present1; returns false if too many frames are queued.
    fn finish_present<K: Caller>(&mut self, caller: &mut K, number: usize) -> Result<bool, WorkloadError> {
        let Some(PlayedChain { swap_chain, .. }) = self.played(number) else { return Ok(true) };
        let is_blocked = match caller.call(dxgi::FinishPresent1 { swap_chain }) {
            Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING) => true,
            finished => required("FinishPresent1", finished).map(|_| false)?,
        };
        self.waiting[number].is_blocked = is_blocked;
        Ok(!is_blocked)
    }

    /// Presents a frame; returns `None` if the call fails.
    fn present<K: Caller>(
        &mut self,
        caller: &mut K,
        number: usize,
        place: usize,
    ) -> Result<Option<(SwapChainId, u64)>, WorkloadError> {
        let Some((PlayedChain { swap_chain, allows_tearing, .. }, logged)) =
            self.played(number).zip(self.log.presents.get(place))
        else {
            return Ok(None);
        };
        self.move_window(caller, number, place)?;
        let LoggedPresent { sync_interval, .. } = *logged;
        let gpu_ns = self.gpu_costs_ns.get(place).copied().unwrap_or(0);
        required("SimulateWork", caller.call(dxgi::SimulateWork { swap_chain, cpu_ns: 0, gpu_ns }))?;
        let tears = allows_tearing && logged.tears();
        let flags = if tears { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE };
        let queues = self.waiting_flip(number) == WaitingFlip::Queue && logged.is_flipped() && !tears;
        // With an interval a frame is not replaced by the next one.
        let sync_interval = if queues { sync_interval.max(1) } else { sync_interval };
        let Ok(frame) = caller.call(dxgi::Present1 { swap_chain, sync_interval, flags }) else { return Ok(None) };
        self.finish_present(caller, number)?;
        Ok(Some((swap_chain, frame)))
    }

    /// Records a frame that the driver generated. The model has no frame generation, so such a frame is only a mark.
    fn mark_generated<K: Caller>(&self, caller: &mut K, place: usize) {
        let Some(frame) = self.log.generated.get(place) else { return };
        let chain = self.plan.chains.iter().position(|chain| chain.chain == *frame.chain);
        let swap_chain = chain.and_then(|chain| self.played(chain)).map_or(SwapChainId(0), |played| played.swap_chain);
        let shown_at_ns = frame.shown_at_ns().map_or(0, |at_ns| at_ns.saturating_sub(self.plan.begin_ns));
        let frame_type = frame.generated_by.as_deref().unwrap_or_default().to_owned();
        caller.mark(mark::GeneratedFrame { swap_chain, frame_type, shown_at_ns });
    }

    /// Releases a swap chain after its last present, which may have to wait for room in the queue.
    fn release<K: Caller>(&mut self, caller: &mut K, number: usize) -> Result<(), WorkloadError> {
        let Some(PlayedChain { swap_chain, .. }) = self.played(number) else { return Ok(()) };
        if !self.waiting[number].presents.is_empty() {
            while !self.waiting[number].presents.is_empty() {
                let next_at_ns = self.advance_to(caller, self.now_ns)?;
                if next_at_ns == u64::MAX {
                    break;
                }
                self.advance_to(caller, next_at_ns)?;
                (0..self.waiting.len()).try_for_each(|chain| self.present_waiting(caller, chain))?;
            }
            self.advance(caller, self.now_ns + LAST_FRAMES_NS)?;
        }
        required("ReleaseSwapChain", caller.call(dxgi::ReleaseSwapChain { swap_chain }))
    }
}
