//! Workload of random mode changes while threads submit work: the document "Background shader optimizations" allows
//! changes of settings at any time, so drivers must be robust against them.

use super::error::WorkloadError;
use super::event::{close, event, wait};
use super::mode::{ModeEvent, set_developer_mode, try_mode};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::pipeline::Pipeline;
use super::random::Random;
use super::refusal::required;
use super::renderer::{Renderer, create_device, create_queue, release_queue};
use super::steps::Steps;
use super::thread_barrier::ThreadBarrier;
use super::thread_group::{self, ThreadBody};
use super::workload::{Scenario, Workload};
use taut_capture::{Caller, Callers};
use taut_schemas::{
    BackgroundProcessingMode as Mode, Call, DeviceId, EventHandle, HResultCode, MeasurementsAction as Action, d3d12,
};

/// Number of pipeline states, which all threads draw with.
const PIPELINES: usize = 4;

/// Number of frames by which the CPU may be ahead of the GPU.
const FRAMES_AHEAD: u64 = 2;

/// Exclusive upper bound of wait timeouts, in milliseconds.
const MAX_WAIT_MS: u64 = 3;

/// Values outside of the mode and action enumerations.
const INVALID_VALUES: [u32; 4] = [4, 5, 1 << 31, u32::MAX];

/// Handle that no event has.
const NO_EVENT: EventHandle = EventHandle(u64::MAX);

/// Random mode changes, valid and invalid.
pub struct ModeStorm;

impl Scenario for ModeStorm {
    const WORKLOAD: Workload = Workload {
        name: "mode-storm",
        description: "Threads submit work and change the background processing mode at random: with undefined values, \
                      with events where none is allowed, with closed events, and with modes that need developer mode \
                      while it is switched on and off.",
        driver: "reference",
        parameters: &[
            Parameter::number("seed", 1, 0, u64::MAX, "decides what each thread changes, and what it draws"),
            Parameter::number("threads", 8, 1, 64, "application threads, which do not wait for each other"),
            Parameter::number("frames", 100, 0, 1_000_000_000, "submissions of each thread"),
            Parameter::number("every", 2, 1, 1_000_000, "submissions of a thread between two mode changes"),
            Parameter::SHADER,
            Parameter::number("draws", 6, 0, 10_000, "draws per pipeline state (of four) in a submission"),
        ],
        refused: &[d3d12::SetBackgroundProcessingMode::NAME],
        short: &[("frames", "24")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let main = &mut main;
        let storm = in_phase(main, 0, "setup", |main| Storm::set_up(main, parameters))?;
        in_phase(main, 1, "storm", |main| thread_group::play(callers, main, parameters.count("threads"), &storm))?;
        in_phase(main, 2, "teardown", |main| storm.tear_down(main))
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::frames_of_threads(parameters)
    }
}

/// State shared by the threads.
struct Storm<'a> {
    parameters: &'a Parameters,
    device: DeviceId,
    pipelines: Vec<Pipeline>,
}

impl Storm<'_> {
    fn set_up<'a, C: Caller>(caller: &mut C, parameters: &'a Parameters) -> Result<Storm<'a>, WorkloadError> {
        let device = create_device(caller)?;
        let materials = parameters.materials()?;
        let drawn = materials.iter().cycle().take(PIPELINES);
        let pipelines: Result<Vec<_>, _> =
            drawn.map(|material| Pipeline::new(caller, device, material, false)).collect();
        Ok(Storm { parameters, device, pipelines: pipelines? })
    }

    fn tear_down<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.pipelines.into_iter().try_for_each(|pipeline| pipeline.release(caller))?;
        required("ReleaseDevice", caller.release_device(self.device))
    }
}

impl ThreadBody for Storm<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let queue = create_queue(caller, self.device)?;
        let mut renderer = Renderer::new(caller, self.device, queue)?;
        let random = Random::new(self.parameters.get("seed"), thread);
        let mut mode_changer = ModeChanger { device: self.device, random, event: event(caller)?, closed: NO_EVENT };
        let (draws, every) = (self.parameters.count("draws"), self.parameters.get("every"));
        for frame in 0..self.parameters.get("frames") {
            if barrier.is_cancelled() {
                break;
            }
            renderer.frame(caller, &self.pipelines, frame as u32 / 16, draws)?;
            renderer.wait_for(caller, FRAMES_AHEAD)?;
            if (frame + 1).is_multiple_of(every) {
                mode_changer.step(caller)?;
            }
            // A frame ends with Present, which yields the processor.
            std::thread::yield_now();
        }
        renderer.release(caller)?;
        release_queue(caller, queue)?;
        close(caller, mode_changer.event)
    }
}

/// Mode changes of a thread.
struct ModeChanger {
    device: DeviceId,
    random: Random,
    event: EventHandle,
    /// Handle of an event that was closed.
    closed: EventHandle,
}

impl ModeChanger {
    fn step<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        match self.random.below(16) {
            0 => set_developer_mode(caller, false),
            // Twice as likely as turning it off, so that developer mode is on most of the time.
            1 | 2 => set_developer_mode(caller, true),
            3 => {
                close(caller, self.event)?;
                self.closed = std::mem::replace(&mut self.event, event(caller)?);
                Ok(())
            }
            4 | 5 => {
                let timeout_ms = self.random.below(MAX_WAIT_MS) as u32;
                wait(caller, self.event, timeout_ms).map(drop)
            }
            _ => self.change(caller),
        }
    }

    /// Sets a random mode, which may be invalid.
    fn change<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let (mode, action) = (Mode(self.value()), Action(self.value()));
        let event = match self.random.below(8) {
            0 => self.closed,
            1 => NO_EVENT,
            2..=4 => self.event,
            _ => EventHandle::NULL,
        };
        let signal = ModeEvent { event, want_further: self.random.once_in(2) };
        match try_mode(caller, self.device, mode, action, signal) {
            // Which error an invalid call returns depends partly on a setting, so any error is accepted.
            Ok(_) => Ok(()),
            Err(hr @ HResultCode::DXGI_ERROR_DEVICE_REMOVED) => {
                Err(WorkloadError::CallFailed { call: d3d12::SetBackgroundProcessingMode::NAME, hr })
            }
            Err(_) => Ok(()),
        }
    }

    /// Returns one of the four values of an enumeration, or sometimes an invalid one.
    fn value(&mut self) -> u32 {
        if self.random.once_in(12) { self.random.one_of(&INVALID_VALUES) } else { self.random.below(4) as u32 }
    }
}

#[cfg(test)]
mod tests;
