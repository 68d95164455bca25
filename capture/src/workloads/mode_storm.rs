//! Mode changes without sense or measure, while threads submit: what a driver has to be robust against, as the document
//! "Background shader optimizations" says of settings that change at any time.

use super::error::WorkloadError;
use super::event::{close, event, wait};
use super::mode::{set_developer_mode, try_mode};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::pipeline::Pipeline;
use super::random::Random;
use super::refusal::required;
use super::renderer::{Renderer, create_device, create_queue, release_queue};
use super::rendezvous::Rendezvous;
use super::steps::Steps;
use super::table::{Scenario, Workload};
use super::thread_group::{self, ThreadBody};
use crate::caller::{Caller, Callers};
use taut_schemas::{
    BackgroundProcessingMode as Mode, Call, DeviceId, EventHandle, HResultCode, MeasurementsAction as Action, d3d12,
};

/// Pipeline states, which all threads draw with.
const PIPELINES: usize = 4;

/// Frames that the processor may be ahead of the graphics processor.
const FRAMES_AHEAD: u64 = 2;

/// Time limits of waits end below this.
const MOST_WAIT_MS: u64 = 3;

/// Modes and actions that there are not.
const BEYOND: [u32; 4] = [4, 5, 1 << 31, u32::MAX];

/// No event has this handle.
const NO_EVENT: EventHandle = EventHandle(u64::MAX);

/// Mode changes without sense or measure.
pub struct ModeStorm;

impl Scenario for ModeStorm {
    const WORKLOAD: Workload = Workload {
        name: "mode-storm",
        description: "Threads that submit change the background processing mode at random, again and again: values that there \
                      are not, events where none may be, events that are closed, modes that need developer mode while that \
                      is turned on and off.",
        driver: "reference",
        parameters: &[
            Parameter::number("seed", 1, (0, u64::MAX), "decides what each thread changes, and what it draws"),
            Parameter::number("threads", 8, (1, 64), "application threads, none of which waits for another"),
            Parameter::number("frames", 100, (0, 1_000_000_000), "submissions of each thread"),
            Parameter::number("every", 2, (1, 1_000_000), "submissions of a thread between two of its changes"),
            Parameter::SHADER,
            Parameter::number("draws", 6, (0, 10_000), "draws of each of the four pipeline states in a submission"),
        ],
        refused: &[d3d12::SetBackgroundProcessingMode::NAME],
        short: &[("frames", "24")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let main = &mut main;
        let storm = in_phase(main, (0, "setup"), |main| Storm::set_up(main, parameters))?;
        in_phase(main, (1, "storm"), |main| thread_group::play(callers, main, parameters.count("threads"), &storm))?;
        in_phase(main, (2, "teardown"), |main| storm.tear_down(main))
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::frames_of_threads(parameters)
    }
}

/// What the threads share.
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
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        let queue = create_queue(caller, self.device)?;
        let mut renderer = Renderer::new(caller, self.device, queue)?;
        let random = Random::new(self.parameters.get("seed"), thread);
        let mut gust = Gust { device: self.device, random, event: event(caller)?, closed: NO_EVENT };
        let (draws, every) = (self.parameters.count("draws"), self.parameters.get("every"));
        for frame in 0..self.parameters.get("frames") {
            if rendezvous.is_given_up() {
                break;
            }
            renderer.frame(caller, &self.pipelines, (frame as u32 / 16, draws))?;
            renderer.wait_for(caller, FRAMES_AHEAD)?;
            if (frame + 1).is_multiple_of(every) {
                gust.blow(caller)?;
            }
            // A frame ends with Present, where a thread gives way.
            std::thread::yield_now();
        }
        renderer.release(caller)?;
        release_queue(caller, queue)?;
        close(caller, gust.event)
    }
}

/// The changes of a thread.
struct Gust {
    device: DeviceId,
    random: Random,
    event: EventHandle,
    /// An event that there was.
    closed: EventHandle,
}

impl Gust {
    fn blow<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        match self.random.below(16) {
            0 => set_developer_mode(caller, false),
            // Most of the time it is on.
            1 | 2 => set_developer_mode(caller, true),
            3 => {
                close(caller, self.event)?;
                self.closed = std::mem::replace(&mut self.event, event(caller)?);
                Ok(())
            }
            4 | 5 => {
                let timeout_ms = self.random.below(MOST_WAIT_MS) as u32;
                wait(caller, self.event, timeout_ms).map(drop)
            }
            _ => self.change(caller),
        }
    }

    /// Sets some mode, or asks for what cannot be.
    fn change<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let mode = (Mode(self.value()), Action(self.value()));
        let event = match self.random.below(8) {
            0 => self.closed,
            1 => NO_EVENT,
            2..=4 => self.event,
            _ => EventHandle::NULL,
        };
        match try_mode(caller, self.device, mode, (event, self.random.once_in(2))) {
            // Which refusal it is, is in part a setting.
            Ok(_) => Ok(()),
            Err(hr @ HResultCode::DXGI_ERROR_DEVICE_REMOVED) => {
                Err(WorkloadError::Refused { call: d3d12::SetBackgroundProcessingMode::NAME, hr })
            }
            Err(_) => Ok(()),
        }
    }

    /// One of the four values of an enumeration; once in a while one that it has not.
    fn value(&mut self) -> u32 {
        if self.random.once_in(12) { self.random.one_of(&BEYOND) } else { self.random.below(4) as u32 }
    }
}

#[cfg(test)]
mod tests;
