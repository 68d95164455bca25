//! A game as it is played: threads that never wait for each other draw scenes, whose pipeline states come and go while
//! shaders are being specialised for them, and change the background processing mode whenever they like.
//!
//! Each thread decides by its own random numbers and by what its calls return. All that it does is legal, but for what it
//! reaches for among the [`SharedObjects`]: that may be released by another thread just then, which `races` says how often
//! happens.

mod modes;
mod player;
mod scene;
mod shared_objects;

use super::error::WorkloadError;
use super::event::{close, event, wait};
use super::mode::{set_developer_mode, set_mode};
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::refusal::required;
use super::renderer::{create_device, create_queue, release_queue};
use super::rendezvous::Rendezvous;
use super::steps::Steps;
use super::table::{Scenario, Workload};
use super::thread_group::{self, ThreadBody};
use crate::caller::{Caller, Callers};
use player::GameThread;
use shared_objects::SharedObjects;
use std::sync::Arc;
use taut_schemas::{
    BackgroundProcessingMode as Mode, CommandQueueId, DeviceId, EventHandle, MeasurementsAction as Action,
};
use taut_shaders::Material;

/// Longest wait for the event of a commit that the device's destruction ends.
const MOST_WAIT_MS: u32 = 60_000;

/// A game as it is played.
pub struct GameSession;

impl Scenario for GameSession {
    const WORKLOAD: Workload = Workload {
        name: "game-session",
        description: "A game as it is played: free-running threads draw scenes whose pipeline states come and go with \
                      compilations under way, constants drift and settle, results are committed, waited for or not, and the \
                      background processing mode changes at any time.",
        driver: "reference",
        parameters: &[
            Parameter::number("seed", 1, (0, u64::MAX), "decides what each thread draws, and when it changes the mode"),
            Parameter::number("threads", 4, (1, 64), "application threads, none of which waits for another"),
            Parameter::number("frames", 300, (0, 1_000_000_000), "frames each thread draws, of some 40 calls each"),
            Parameter::number("scene", 48, (1, 1_000_000), "frames of a scene; its constants drift in the first half"),
            Parameter::SHADER,
            Parameter::number("pipelines", 3, (1, 7), "pipeline states of a scene"),
            Parameter::number("draws", 6, (0, 10_000), "draws of each pipeline state in a frame"),
            Parameter::number("calm", 12, (1, 1_000_000), "frames between two mode changes of a thread, on average"),
            Parameter::word(
                "queues",
                &["mixed", "own", "shared"],
                "command queues: a thread's own, one that all share, or one or the other",
            ),
            Parameter::number("shared", 4, (1, 64), "pipeline states that all threads use"),
            Parameter::number("races", 25, (0, 100), "percentage of frames that touch what all threads use"),
        ],
        refused: &[],
        short: &[("frames", "24"), ("scene", "10"), ("calm", "4")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let main = &mut main;
        let game = in_phase(main, (0, "setup"), |main| Game::set_up(main, parameters))?;
        in_phase(main, (1, "play"), |main| thread_group::play(callers, main, parameters.count("threads"), &game))?;
        in_phase(main, (2, "teardown"), |main| game.tear_down(main))
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::frames_of_threads(parameters)
    }
}

/// What the threads share.
struct Game<'a> {
    parameters: &'a Parameters,
    materials: Vec<Arc<Material>>,
    device: DeviceId,
    queue: CommandQueueId,
    shared: SharedObjects,
    /// For the last commit of all.
    done: EventHandle,
}

impl Game<'_> {
    fn set_up<'a, C: Caller>(caller: &mut C, parameters: &'a Parameters) -> Result<Game<'a>, WorkloadError> {
        // Some of the modes need it.
        set_developer_mode(caller, true)?;
        let device = create_device(caller)?;
        let queue = create_queue(caller, device)?;
        let materials = parameters.materials()?;
        let extent = (parameters.get("shared"), parameters.get("threads"));
        let shared = SharedObjects::set_up(caller, device, materials.clone(), extent)?;
        Ok(Game { parameters, materials, device, queue, shared, done: event(caller)? })
    }

    /// Whether a thread has a command queue of its own.
    fn has_own_queue(&self, thread: u32) -> bool {
        match self.parameters.word("queues") {
            "own" => true,
            "shared" => false,
            _ => thread.is_multiple_of(2),
        }
    }

    /// The device goes while its tasks are under way; the last commit's event comes all the same (rule B-58).
    fn tear_down<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        let commit = (Mode::ALLOWED, Action::COMMIT_RESULTS);
        set_mode(caller, self.device, commit, (self.done, false))?;
        self.shared.tear_down(caller)?;
        release_queue(caller, self.queue)?;
        required("ReleaseDevice", caller.release_device(self.device))?;
        wait(caller, self.done, MOST_WAIT_MS)?;
        close(caller, self.done)
    }
}

impl ThreadBody for Game<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        let mut player = GameThread::new(self, caller, thread)?;
        player.play(caller, rendezvous)?;
        // Others may still make their command queues wait for this thread's fence.
        let _ = rendezvous.meet(caller);
        player.leave(caller)
    }
}

#[cfg(test)]
mod tests;
