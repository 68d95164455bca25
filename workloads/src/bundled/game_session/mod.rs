//! Workload of a game: free-running threads draw scenes whose pipeline states are created and released during shader
//! specialisation, and change the background processing mode at any time.
//!
//! Each thread decides by its own random numbers and by the results of its calls. All calls are legal, except those on
//! [`SharedObjects`], which another thread may release at the same time; the parameter `races` sets how often such
//! calls are made.

mod game;
mod modes;
mod player;
mod scene;
mod shared_objects;

use super::error::WorkloadError;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::phase::in_phase;
use super::steps::Steps;
use super::thread_barrier::ThreadBarrier;
use super::thread_group::{self, ThreadBody};
use super::workload::{Scenario, Workload};
use game::Game;
use player::GameThread;
use taut_capture::{Caller, Callers};

/// Game with free-running threads.
pub struct GameSession;

impl Scenario for GameSession {
    const WORKLOAD: Workload = Workload {
        name: "game-session",
        description: "A game session: threads without synchronisation draw scenes, create and release pipeline states \
                      during compilations, change constants and stop changing them, commit results with or without \
                      waiting, and change the background processing mode at any time.",
        driver: "reference",
        parameters: &[
            Parameter::number("seed", 1, 0, u64::MAX, "decides what each thread draws, and when it changes the mode"),
            Parameter::number("threads", 4, 1, 64, "application threads, which do not wait for each other"),
            Parameter::number("frames", 300, 0, 1_000_000_000, "frames per thread, about 40 calls each"),
            Parameter::number(
                "scene",
                48,
                1,
                1_000_000,
                "frames per scene; the constants of a scene change in its first half",
            ),
            Parameter::SHADER,
            Parameter::number("pipelines", 3, 1, 7, "pipeline states of a scene"),
            Parameter::number("draws", 6, 0, 10_000, "draws of each pipeline state in a frame"),
            Parameter::number(
                "calm",
                12,
                1,
                1_000_000,
                "average number of frames between two mode changes of a thread",
            ),
            Parameter::word(
                "queues",
                &["mixed", "own", "shared"],
                "command queues: one per thread, one shared by all threads, or both",
            ),
            Parameter::number("shared", 4, 1, 64, "pipeline states that all threads use"),
            Parameter::number("races", 25, 0, 100, "percentage of frames that use shared pipeline states"),
        ],
        refused: &[],
        short: &[("frames", "24"), ("scene", "10"), ("calm", "4")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let main = &mut main;
        let game = in_phase(main, 0, "setup", |main| Game::set_up(main, parameters))?;
        in_phase(main, 1, "play", |main| thread_group::play(callers, main, parameters.count("threads"), &game))?;
        in_phase(main, 2, "teardown", |main| game.tear_down(main))
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::frames_of_threads(parameters)
    }
}

impl ThreadBody for Game<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let mut player = GameThread::new(self, caller, thread)?;
        player.play(caller, barrier)?;
        // The threads synchronise before this thread releases its fence, because other threads may submit waits for it.
        let _ = barrier.wait(caller);
        player.leave(caller)
    }
}

#[cfg(test)]
mod tests;
