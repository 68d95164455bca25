//! Workload in which threads record command lists, and the first thread executes the lists of all.

use super::bound_objects::BoundObjects;
use super::command_list_pool::CommandListPool;
use super::context_device::{ContextDevice, execute, finish, release};
use super::recording::{bind, draw, query};
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use crate::bundled::thread_barrier::ThreadBarrier;
use crate::bundled::thread_group::{self, ThreadBody};
use crate::bundled::{Parameter, Parameters, Scenario, Steps, Workload, WorkloadError};
use taut_capture::{Caller, Callers};
use taut_schemas::{D3d11ContextId, HResultCode};

/// Command lists recorded by several threads.
pub struct DeferredContexts;

impl Scenario for DeferredContexts {
    const WORKLOAD: Workload = Workload {
        name: "deferred-contexts",
        description: "Each thread records command lists in its own deferred context, and the first thread executes \
                      all lists on the immediate context: out of order, repeatedly, late, and nested. Objects are \
                      released while they are bound, recorded or open; queries stay open; state is restored and \
                      cleared.",
        driver: "d3d11on12-like",
        parameters: &[
            Parameter::number("seed", 1, 0, u64::MAX, "decides what is recorded, and when lists are executed"),
            Parameter::number(
                "threads",
                4,
                1,
                64,
                "recording application threads; the first one also executes the lists",
            ),
            Parameter::number("lists", 12, 0, 1_000_000, "command lists that each thread records"),
            Parameter::number("draws", 8, 0, 100_000, "draws in a list"),
        ],
        refused: &[],
        short: &[("lists", "4")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let context_device = ContextDevice::create(&mut main)?;
        let threads = parameters.count("threads");
        let mut contexts = Vec::new();
        for _ in 0..threads {
            contexts.push(context_device.context(&mut main)?);
        }
        let recording_threads =
            RecordingThreads { context_device, contexts, command_list_pool: CommandListPool::default(), parameters };
        thread_group::play(callers, &mut main, threads, &recording_threads)?;
        recording_threads.close(&mut main)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("lists").saturating_mul(parameters.get("threads")))
    }
}

/// State of the recording threads.
struct RecordingThreads<'p> {
    context_device: ContextDevice,
    /// Deferred context of each thread.
    contexts: Vec<D3d11ContextId>,
    command_list_pool: CommandListPool,
    parameters: &'p Parameters,
}

impl ThreadBody for RecordingThreads<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), thread);
        let Some(context) = self.contexts.get(thread as usize).copied() else { return Ok(()) };
        for turn in 0..self.parameters.get("lists") {
            check_interrupted(caller)?;
            if barrier.is_cancelled() {
                break;
            }
            self.record(caller, context, &mut random, turn)?;
            caller.step_done();
            if thread == 0 {
                self.execute_some(caller, &mut random)?;
            }
        }
        Ok(())
    }
}

impl RecordingThreads<'_> {
    /// Records one list and adds it to the pool.
    fn record<K: Caller>(
        &self,
        caller: &mut K,
        context: D3d11ContextId,
        random: &mut Random,
        turn: u64,
    ) -> Result<(), WorkloadError> {
        // Executes a list of any thread inside this one.
        if random.once_in(4)
            && let Some(inner) = self.command_list_pool.take(caller, random)
        {
            execute(caller, context, inner, random.once_in(2))?;
            release(caller, inner)?;
        }
        let bound_objects = BoundObjects::create(caller, &self.context_device, (turn % 5) as u32)?;
        bind(caller, context, &bound_objects, random)?;
        let draws = self.parameters.get("draws");
        draw(caller, context, &bound_objects, random, draws / 2)?;
        if random.once_in(3) {
            query(caller, context, &bound_objects, random.once_in(2))?;
        }
        let early = random.once_in(2);
        if early {
            // The objects remain alive through the context's references, on which the rest of the recording depends.
            bound_objects.release(caller)?;
        }
        draw(caller, context, &bound_objects, random, draws - draws / 2)?;
        let finished = finish(caller, context, random.once_in(3));
        if !early {
            bound_objects.release(caller)?;
        }
        // If memory has run out there is no list, and the context starts a new recording.
        if finished != Err(HResultCode::E_OUTOFMEMORY) {
            self.command_list_pool.put(caller, required("FinishCommandList", finished)?);
        }
        Ok(())
    }

    /// Executes some lists of the pool.
    fn execute_some<K: Caller>(&self, caller: &mut K, random: &mut Random) -> Result<(), WorkloadError> {
        for _ in 0..random.below(4) {
            let Some(list) = self.command_list_pool.take(caller, random) else { break };
            self.execute(caller, list, random)?;
            match random.once_in(3) {
                true => self.command_list_pool.put(caller, list),
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
            execute(caller, self.context_device.immediate, list, random.once_in(2))?;
        }
        Ok(())
    }

    /// Releases the contexts, then executes and releases the remaining lists.
    fn close<K: Caller>(self, caller: &mut K) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), u32::MAX);
        for context in &self.contexts {
            release(caller, *context)?;
        }
        while let Some(list) = self.command_list_pool.take(caller, &mut random) {
            self.execute(caller, list, &mut random)?;
            release(caller, list)?;
        }
        self.context_device.release(caller)
    }
}
