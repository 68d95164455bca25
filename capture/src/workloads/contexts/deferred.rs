//! Threads record command lists, and one of them plays all of these.

use super::props::Props;
use super::recording::{bind, draw, query};
use super::shelf::Shelf;
use super::studio::{Studio, execute, finish, release};
use crate::caller::{Caller, Callers};
use crate::workloads::go_on::go_on;
use crate::workloads::random::Random;
use crate::workloads::refusal::required;
use crate::workloads::rendezvous::Rendezvous;
use crate::workloads::thread_group::{self, ThreadBody};
use crate::workloads::{Parameter, Parameters, Scenario, Steps, Workload, WorkloadError};
use taut_schemas::{D3d11ContextId, HResultCode};

/// Command lists of several threads.
pub struct DeferredContexts;

impl Scenario for DeferredContexts {
    const WORKLOAD: Workload = Workload {
        name: "deferred-contexts",
        description: "Each thread records command lists in a deferred context of its own, and the first plays those of all on \
                      the immediate one: out of order, repeatedly, late, one inside another. Objects are released while they \
                      are bound, recorded or open; queries stay open; state is restored and cleared.",
        driver: "d3d11on12-like",
        parameters: &[
            Parameter::number("seed", 1, (0, u64::MAX), "decides what is recorded, and what is played when"),
            Parameter::number(
                "threads",
                4,
                (1, 64),
                "application threads that record, the first of which plays as well",
            ),
            Parameter::number("lists", 12, (0, 1_000_000), "command lists that each thread records"),
            Parameter::number("draws", 8, (0, 100_000), "draws in a list"),
        ],
        refused: &[],
        short: &[("lists", "4")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let studio = Studio::create(&mut main)?;
        let threads = parameters.count("threads");
        let mut contexts = Vec::new();
        for _ in 0..threads {
            contexts.push(studio.context(&mut main)?);
        }
        let theatre = Theatre { studio, contexts, shelf: Shelf::default(), parameters };
        thread_group::play(callers, &mut main, threads, &theatre)?;
        theatre.close(&mut main)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("lists").saturating_mul(parameters.get("threads")))
    }
}

/// Where lists are recorded and played.
struct Theatre<'p> {
    studio: Studio,
    /// By thread.
    contexts: Vec<D3d11ContextId>,
    shelf: Shelf,
    parameters: &'p Parameters,
}

impl ThreadBody for Theatre<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), thread);
        let Some(context) = self.contexts.get(thread as usize).copied() else { return Ok(()) };
        for turn in 0..self.parameters.get("lists") {
            go_on(caller)?;
            if rendezvous.is_given_up() {
                break;
            }
            self.record(caller, context, (&mut random, turn))?;
            caller.step_done();
            if thread == 0 {
                self.perform(caller, &mut random)?;
            }
        }
        Ok(())
    }
}

impl Theatre<'_> {
    /// Records one list, and puts it on the shelf.
    fn record<K: Caller>(
        &self,
        caller: &mut K,
        context: D3d11ContextId,
        (random, turn): (&mut Random, u64),
    ) -> Result<(), WorkloadError> {
        // A list of whichever thread, inside this one.
        if random.once_in(4)
            && let Some(inner) = self.shelf.take(caller, random)
        {
            execute(caller, context, inner, random.once_in(2))?;
            release(caller, inner)?;
        }
        let props = Props::create(caller, &self.studio, (turn % 5) as u32)?;
        bind(caller, context, &props, random)?;
        let draws = self.parameters.get("draws");
        draw(caller, context, &props, (random, draws / 2))?;
        if random.once_in(3) {
            query(caller, context, &props, random.once_in(2))?;
        }
        let early = random.once_in(2);
        if early {
            // The recording goes on with what nobody but the context has.
            props.release(caller)?;
        }
        draw(caller, context, &props, (random, draws - draws / 2))?;
        let made = finish(caller, context, random.once_in(3));
        if !early {
            props.release(caller)?;
        }
        // Where memory has run out there is no list, and the context begins anew.
        if made != Err(HResultCode::E_OUTOFMEMORY) {
            self.shelf.put(caller, required("FinishCommandList", made)?);
        }
        Ok(())
    }

    /// Plays some of what there is.
    fn perform<K: Caller>(&self, caller: &mut K, random: &mut Random) -> Result<(), WorkloadError> {
        for _ in 0..random.below(4) {
            let Some(list) = self.shelf.take(caller, random) else { break };
            self.execute(caller, list, random)?;
            match random.once_in(3) {
                true => self.shelf.put(caller, list),
                false => release(caller, list)?,
            }
        }
        Ok(())
    }

    fn execute<K: Caller>(
        &self,
        caller: &mut K,
        list: taut_schemas::D3d11CommandListId,
        random: &mut Random,
    ) -> Result<(), WorkloadError> {
        for _ in 0..=random.below(2) {
            execute(caller, self.studio.immediate, list, random.once_in(2))?;
        }
        Ok(())
    }

    /// The contexts go, and what is left of their lists is played late.
    fn close<K: Caller>(self, caller: &mut K) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), u32::MAX);
        for context in &self.contexts {
            release(caller, *context)?;
        }
        while let Some(list) = self.shelf.take(caller, &mut random) {
            self.execute(caller, list, &mut random)?;
            release(caller, list)?;
        }
        self.studio.release(caller)
    }
}
