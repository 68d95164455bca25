//! The life of a small game level: its threads load their parts of it, draw frames, and unload.
//!
//! Each thread makes its own resources and places them in its own heaps; which thread's call comes first is decided by
//! the recording. What each thread asks for is decided by the seed, the driver's answers and nothing else.

mod part;
mod targets;
mod transients;

use super::error::WorkloadError;
use super::kit::Kit;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::random::Random;
use super::rendezvous::{GivenUp, Rendezvous};
use super::steps::Steps;
use super::table::{Scenario, Workload};
use crate::caller::{Caller, Callers};
use part::Part;
use taut_schemas::{PhaseEdge, mark};

/// The life of a small game level.
pub struct SmallLevel;

/// Phases, by number.
const PHASES: [&str; 4] = ["setup", "load", "play", "unload"];

impl Scenario for SmallLevel {
    const WORKLOAD: Workload = Workload {
        name: "small-level",
        description: "A small game level: threads create heaps, placed constant, vertex and index buffers, textures and \
                      render targets, map and stream for some frames, and release everything.",
        driver: "reference",
        parameters: &[
            Parameter::number("seed", 1, (0, u64::MAX), "decides sizes, formats and what lacks the tight flag"),
            Parameter::number("threads", 2, (1, 64), "application threads"),
            Parameter::number("frames", 90, (0, 1_000_000), "frames drawn between loading and unloading"),
            Parameter::number("constants", 96, (0, 100_000), "constant buffers per thread, of 64 to 512 bytes"),
            Parameter::number("meshes", 48, (0, 100_000), "meshes per thread, each a vertex and an index buffer"),
            Parameter::number("textures", 32, (0, 100_000), "textures per thread"),
        ],
        refused: &[],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let threads = u32::try_from(parameters.get("threads")).unwrap_or(u32::MAX).max(1);
        let mut main = callers.caller(0);
        phase(&mut main, 0, PhaseEdge::BEGIN);
        let kit = Kit::set_up(&mut main)?;
        phase(&mut main, 0, PhaseEdge::END);
        let level = Level { callers, parameters, rendezvous: Rendezvous::new(threads), started: main.last_stamp() };
        std::thread::scope(|scope| {
            for thread in 1..threads {
                let (level, kit) = (&level, kit.clone());
                let builder = std::thread::Builder::new().name(format!("application {thread}"));
                let run = move || level.attend(&mut level.callers.caller(thread), kit, thread);
                if let Err(source) = builder.spawn_scoped(scope, run) {
                    return level.rendezvous.give_up(WorkloadError::Thread { thread, source });
                }
            }
            level.attend(&mut main, kit, 0);
        });
        level.rendezvous.outcome()
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::frames_of_threads(parameters)
    }
}

/// What the level's threads share.
struct Level<'a, C> {
    callers: &'a C,
    parameters: &'a Parameters,
    rendezvous: Rendezvous,
    /// Stamp of the setup's end.
    started: u64,
}

impl<C> Level<'_, C> {
    /// Plays one thread's part; if it fails, the other threads hear of it.
    fn attend<K: Caller>(&self, caller: &mut K, kit: Kit, thread: u32) {
        let _attendance = self.rendezvous.attend();
        caller.observe(self.started);
        let random = Random::new(self.parameters.get("seed"), thread);
        let mut part = Part::new(kit, thread, random);
        // A thread that was given up on has nothing to add to the reason.
        let _ = self.play(caller, &mut part);
    }

    fn play<K: Caller>(&self, caller: &mut K, part: &mut Part) -> Result<(), GivenUp> {
        self.in_phase(caller, part, 1, |caller, part| part.load(caller, self.parameters))?;
        self.in_phase(caller, part, 2, |caller, part| part.play(caller, self.parameters))?;
        self.in_phase(caller, part, 3, |caller, part| part.unload(caller))
    }

    /// Runs a phase in all threads; the main thread marks its begin and end.
    fn in_phase<K: Caller>(
        &self,
        caller: &mut K,
        part: &mut Part,
        index: u32,
        run: impl FnOnce(&mut K, &mut Part) -> Result<(), WorkloadError>,
    ) -> Result<(), GivenUp> {
        if part.thread() == 0 {
            phase(caller, index, PhaseEdge::BEGIN);
        }
        self.rendezvous.meet(caller)?;
        run(caller, part).map_err(|error| {
            self.rendezvous.give_up(error);
            GivenUp
        })?;
        self.rendezvous.meet(caller)?;
        if part.thread() == 0 {
            phase(caller, index, PhaseEdge::END);
        }
        Ok(())
    }
}

fn phase<K: Caller>(caller: &mut K, index: u32, edge: PhaseEdge) {
    let name = PHASES.get(index as usize).copied().unwrap_or_default().to_owned();
    caller.mark(mark::WorkloadPhase { phase_index: index, edge, name });
}

#[cfg(test)]
mod tests;
