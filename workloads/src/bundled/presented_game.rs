//! Game in simulated time: the cost of its frames and their swap chain.

use super::check_interrupted::check_interrupted;
use super::error::WorkloadError;
use super::parameters::Parameters;
use super::random::Random;
use super::refusal::required;
use super::renderer::release_queue;
use taut_capture::Caller;
use taut_schemas::format::Format;
use taut_schemas::{
    CommandQueueId, HResult, HResultCode, PresentFlags, SwapChainDesc, SwapChainFlags, SwapChainId, SwapEffect, dxgi,
    machine,
};

const NS_PER_SECOND: u64 = 1_000_000_000;
/// Simulated time in nanoseconds in which the last frames must be shown.
const LAST_FRAMES_NS: u64 = 10 * NS_PER_SECOND;

/// Parses the size `2560x1600`.
pub(super) fn size(word: &str) -> (u32, u32) {
    let number = |text: &str| text.parse().unwrap_or_default();
    word.split_once('x').map_or((0, 0), |(width, height)| (number(width), number(height)))
}

/// Returns the swap chain description of the parameters.
pub(super) fn chain_desc(parameters: &Parameters) -> SwapChainDesc {
    let (width, height) = size(parameters.word("size"));
    SwapChainDesc {
        width,
        height,
        format: Format::parse(parameters.word("format")).unwrap_or_default(),
        buffer_count: 3,
        swap_effect: SwapEffect::FLIP_DISCARD,
        flags: if tears(parameters) { SwapChainFlags::ALLOW_TEARING } else { SwapChainFlags::NONE },
    }
}

fn tears(parameters: &Parameters) -> bool {
    parameters.word("tearing") == "on" && parameters.count("interval") == 0
}

/// Game with the cost of its frames and its swap chain.
pub(super) struct Game {
    pub queue: CommandQueueId,
    pub swap_chain: SwapChainId,
    random: Random,
    frame_ns: u64,
    gpu_ns: u64,
    spread_percent: u64,
    interval: u32,
    flags: PresentFlags,
    pub now_ns: u64,
}

impl Game {
    /// Creates a game on the first display, rendered by the queue's adapter.
    pub fn new<K: Caller>(
        caller: &mut K,
        queue: CommandQueueId,
        parameters: &Parameters,
        now_ns: u64,
    ) -> Result<Game, WorkloadError> {
        Game::in_window(caller, queue, true, parameters, now_ns)
    }

    /// Creates a game whose window is partly covered by another, so that it does not cover the display.
    pub fn under_another<K: Caller>(
        caller: &mut K,
        queue: CommandQueueId,
        parameters: &Parameters,
        now_ns: u64,
    ) -> Result<Game, WorkloadError> {
        Game::in_window(caller, queue, false, parameters, now_ns)
    }

    fn in_window<K: Caller>(
        caller: &mut K,
        queue: CommandQueueId,
        covers: bool,
        parameters: &Parameters,
        now_ns: u64,
    ) -> Result<Game, WorkloadError> {
        let desc = chain_desc(parameters);
        let create = dxgi::CreateSwapChainForHwnd { command_queue: queue, desc, display: 0, covers };
        let swap_chain = required("CreateSwapChainForHwnd", caller.call(create))?;
        Ok(Game::of_chain(queue, swap_chain, parameters, now_ns))
    }

    /// Creates a game with an existing swap chain.
    pub fn of_chain(queue: CommandQueueId, swap_chain: SwapChainId, parameters: &Parameters, now_ns: u64) -> Game {
        let frame_ns = NS_PER_SECOND / parameters.get("fps").max(1);
        let gpu_ns = match parameters.get("gpu_us") {
            0 => frame_ns / 2,
            microseconds => microseconds * 1000,
        };
        Game {
            queue,
            swap_chain,
            random: Random::new(parameters.get("seed"), swap_chain.0.saturating_sub(1) as u32),
            frame_ns,
            gpu_ns,
            spread_percent: parameters.get("spread_percent"),
            interval: parameters.count("interval"),
            flags: if tears(parameters) { PresentFlags::ALLOW_TEARING } else { PresentFlags::NONE },
            now_ns,
        }
    }

    /// Disables tearing.
    pub fn without_tearing(self) -> Game {
        Game { flags: PresentFlags::NONE, ..self }
    }

    /// Sets the duration of a frame and its time on the GPU.
    pub fn at_pace(self, frame_ns: u64, gpu_ns: u64) -> Game {
        Game { frame_ns, gpu_ns, ..self }
    }

    /// Returns a random cost in nanoseconds that differs from `ns` by at most the spread.
    fn around(&mut self, ns: u64) -> u64 {
        let spread = ns / 100 * self.spread_percent;
        ns - spread + self.random.below(2 * spread + 1)
    }

    /// Plays a number of frames.
    pub fn play<K: Caller>(&mut self, caller: &mut K, frames: u64) -> Result<(), WorkloadError> {
        for _ in 0..frames {
            check_interrupted(caller)?;
            let until_ns = self.work(caller)?;
            self.advance(caller, until_ns)?;
            required("Present1", self.present(caller))?;
            self.wait_until_presented(caller)?;
            caller.step_done();
        }
        Ok(())
    }

    /// Simulates the work of a frame; returns the time at which it ends.
    pub fn work<K: Caller>(&mut self, caller: &mut K) -> Result<u64, WorkloadError> {
        let (cpu_ns, gpu_ns) = (self.around(self.frame_ns), self.around(self.gpu_ns));
        let work = dxgi::SimulateWork { swap_chain: self.swap_chain, cpu_ns, gpu_ns };
        required("SimulateWork", caller.call(work))
    }

    /// Presents a frame.
    pub fn present<K: Caller>(&mut self, caller: &mut K) -> HResult<u64> {
        let (swap_chain, sync_interval, flags) = (self.swap_chain, self.interval, self.flags);
        caller.call(dxgi::Present1 { swap_chain, sync_interval, flags })
    }

    /// True if Present1 has returned; must be polled until it has.
    pub fn is_presented<K: Caller>(&mut self, caller: &mut K) -> Result<bool, WorkloadError> {
        match caller.call(dxgi::FinishPresent1 { swap_chain: self.swap_chain }) {
            Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING) => Ok(false),
            finished => required("FinishPresent1", finished).map(|_| true),
        }
    }

    /// Advances simulated time; returns the time of the next event.
    pub fn advance<K: Caller>(&mut self, caller: &mut K, until_at_ns: u64) -> Result<u64, WorkloadError> {
        let next = required("AdvanceSimulation", caller.call(machine::AdvanceSimulation { until_at_ns }))?;
        self.now_ns = until_at_ns;
        Ok(next)
    }

    /// Waits until Present1 returns, which it does once few enough frames are queued.
    fn wait_until_presented<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        let mut next = None;
        while !self.is_presented(caller)? {
            let until_ns = next.map_or_else(|| self.advance(caller, self.now_ns), Ok)?;
            next = Some(self.advance(caller, until_ns)?);
        }
        Ok(())
    }

    /// Advances time until the last frames are shown.
    pub fn show_the_rest<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        let until_ns = self.now_ns + LAST_FRAMES_NS;
        let mut next = self.advance(caller, self.now_ns)?;
        while next < until_ns {
            next = self.advance(caller, next)?;
        }
        Ok(())
    }

    /// Releases the swap chain and its queue.
    pub fn release<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        let release = dxgi::ReleaseSwapChain { swap_chain: self.swap_chain };
        required("ReleaseSwapChain", caller.call(release))?;
        release_queue(caller, self.queue)
    }

    /// Shows the last frames and ends the game.
    pub fn leave<K: Caller>(&mut self, caller: &mut K) -> Result<(), WorkloadError> {
        self.show_the_rest(caller)?;
        self.release(caller)
    }
}
