//! Workload of a large game's world: free-running threads load and unload levels, stream textures by mip level, create
//! and release transient buffers each frame, and use a few common objects.
//!
//! Each thread decides by its own random numbers and by the results of its calls. An object of the [`SharedHandles`]
//! may be mapped, named or released by another thread at the same time: such races of an application are legal input
//! here, and are recorded in the order in which they happened.

mod level;
mod player;
mod pool;
mod shared_handles;
mod textures;
mod transients;

use super::allocator::Allocator;
use super::error::WorkloadError;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::steps::Steps;
use super::thread_barrier::ThreadBarrier;
use super::thread_group::{self, ThreadBody};
use super::workload::{Scenario, Workload};
use player::WorldThread;
use shared_handles::SharedHandles;
use taut_capture::{Caller, Callers};
use taut_schemas::{PhaseEdge, mark};

/// World of a large game with streaming.
pub struct StreamingWorld;

/// Names of the phases by number.
const PHASES: [&str; 3] = ["setup", "play", "teardown"];

impl Scenario for StreamingWorld {
    const WORKLOAD: Workload = Workload {
        name: "streaming-world",
        description: "The world of a large game: threads without synchronisation load and unload levels, stream \
                      textures by mip level, create transient buffers in each frame, and use shared objects while \
                      other threads map, name and release them.",
        driver: "reference",
        parameters: &[
            Parameter::number("seed", 1, 0, u64::MAX, "decides sizes, formats and what each thread does"),
            Parameter::number("threads", 4, 1, 64, "application threads, which do not wait for each other"),
            Parameter::number("frames", 30, 0, 1_000_000_000, "frames per thread, about 65 events each"),
            Parameter::number("levels", 2, 1, 64, "loaded levels per thread; one level is replaced every 64 frames"),
            Parameter::number("scale", 1, 1, 1000, "multiplies the resources of a level and the streamed textures"),
            Parameter::number(
                "transients",
                2,
                0,
                1000,
                "transient buffers per frame, each with a lifetime of 3 frames",
            ),
            Parameter::number(
                "shared",
                16,
                1,
                1024,
                "objects that all threads use, buffers and heaps in equal numbers",
            ),
            Parameter::number("races", 25, 0, 100, "percentage of frames that use a shared object"),
            Parameter::word(
                "tight",
                &["off", "on"],
                "set the tight-alignment flag of most resources if the driver supports it",
            ),
        ],
        refused: &[],
        short: &[],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        phase(&mut main, 0, PhaseEdge::BEGIN);
        let allocator = Allocator::set_up(&mut main)?.with_tight(parameters.word("tight") == "on");
        let shared = SharedHandles::set_up(&allocator, &mut main, parameters.get("shared") as usize)?;
        phase(&mut main, 0, PhaseEdge::END);
        phase(&mut main, 1, PhaseEdge::BEGIN);
        let world = SharedWorld { parameters, allocator: &allocator, shared: &shared };
        let outcome = thread_group::play(callers, &mut main, parameters.count("threads"), &world);
        phase(&mut main, 1, PhaseEdge::END);
        phase(&mut main, 2, PhaseEdge::BEGIN);
        let torn_down = shared.tear_down(&allocator, &mut main);
        phase(&mut main, 2, PhaseEdge::END);
        outcome.and(torn_down)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::frames_of_threads(parameters)
    }
}

/// State shared by the world's threads.
struct SharedWorld<'a> {
    parameters: &'a Parameters,
    allocator: &'a Allocator,
    shared: &'a SharedHandles,
}

impl ThreadBody for SharedWorld<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let mut player = WorldThread::new(self.allocator, self.shared, self.parameters, thread);
        let played = player.play(caller, barrier);
        let left = player.leave(caller);
        played.and(left)
    }
}

fn phase<K: Caller>(caller: &mut K, index: u32, edge: PhaseEdge) {
    let name = PHASES.get(index as usize).copied().unwrap_or_default().to_owned();
    caller.mark(mark::WorkloadPhase { phase_index: index, edge, name });
}

#[cfg(test)]
mod tests;
