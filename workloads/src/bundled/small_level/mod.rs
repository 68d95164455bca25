//! Workload of a small game level: threads load parts of the level, draw frames, and unload the parts.
//!
//! Each thread creates its own resources in its own heaps; the order of calls between threads is only decided during
//! recording. The calls of each thread depend only on the seed and the driver's answers.

mod level_thread;
mod targets;
mod transients;

use super::allocator::Allocator;
use super::error::WorkloadError;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::random::Random;
use super::steps::Steps;
use super::thread_barrier::{Cancelled, ThreadBarrier};
use super::thread_group::{self, ThreadBody};
use super::workload::{Scenario, Workload};
use level_thread::LevelThread;
use taut_capture::{Caller, Callers};
use taut_schemas::{PhaseEdge, mark};

/// Life of a small game level.
pub struct SmallLevel;

/// Names of the phases by number.
const PHASES: [&str; 4] = ["setup", "load", "play", "unload"];

impl Scenario for SmallLevel {
    const WORKLOAD: Workload = Workload {
        name: "small-level",
        description: "A small game level: threads create heaps, placed constant, vertex and index buffers, textures \
                      and render targets, map and stream resources for some frames, and release everything.",
        driver: "reference",
        parameters: &[
            Parameter::number(
                "seed",
                1,
                0,
                u64::MAX,
                "decides sizes, formats, and which resources have no tight-alignment flag",
            ),
            Parameter::number("threads", 2, 1, 64, "application threads"),
            Parameter::number("frames", 90, 0, 1_000_000, "frames drawn between loading and unloading"),
            Parameter::number("constants", 96, 0, 100_000, "constant buffers per thread, of 64 to 512 bytes"),
            Parameter::number(
                "meshes",
                48,
                0,
                100_000,
                "meshes per thread, each with a vertex buffer and an index buffer",
            ),
            Parameter::number("textures", 32, 0, 100_000, "textures per thread"),
        ],
        refused: &[],
        short: &[],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        phase(&mut main, 0, PhaseEdge::BEGIN);
        let allocator = Allocator::set_up(&mut main)?;
        phase(&mut main, 0, PhaseEdge::END);
        thread_group::play(callers, &mut main, parameters.count("threads"), &Level { parameters, allocator })
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::frames_of_threads(parameters)
    }
}

/// State shared by the level's threads.
struct Level<'a> {
    parameters: &'a Parameters,
    allocator: Allocator,
}

impl ThreadBody for Level<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let random = Random::new(self.parameters.get("seed"), thread);
        let mut level = LevelThread::new(self.allocator.clone(), thread, random);
        // The barrier already has the reason.
        let _ = self.in_phases(caller, &mut level, barrier);
        Ok(())
    }
}

impl Level<'_> {
    fn in_phases<K: Caller>(
        &self,
        caller: &mut K,
        level: &mut LevelThread,
        barrier: &ThreadBarrier,
    ) -> Result<(), Cancelled> {
        let parameters = self.parameters;
        in_phase(caller, level, 1, barrier, |caller, level| level.load(caller, parameters))?;
        in_phase(caller, level, 2, barrier, |caller, level| level.play(caller, parameters))?;
        in_phase(caller, level, 3, barrier, |caller, level| level.unload(caller))
    }
}

/// Runs a phase in all threads; the main thread marks its begin and end.
fn in_phase<K: Caller>(
    caller: &mut K,
    level: &mut LevelThread,
    index: u32,
    barrier: &ThreadBarrier,
    run: impl FnOnce(&mut K, &mut LevelThread) -> Result<(), WorkloadError>,
) -> Result<(), Cancelled> {
    if level.thread() == 0 {
        phase(caller, index, PhaseEdge::BEGIN);
    }
    barrier.wait(caller)?;
    run(caller, level).map_err(|error| {
        barrier.cancel(error);
        Cancelled
    })?;
    barrier.wait(caller)?;
    if level.thread() == 0 {
        phase(caller, index, PhaseEdge::END);
    }
    Ok(())
}

fn phase<K: Caller>(caller: &mut K, index: u32, edge: PhaseEdge) {
    let name = PHASES.get(index as usize).copied().unwrap_or_default().to_owned();
    caller.mark(mark::WorkloadPhase { phase_index: index, edge, name });
}

#[cfg(test)]
mod tests;
