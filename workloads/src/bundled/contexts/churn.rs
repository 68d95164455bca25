//! Workload that creates and releases contexts and command lists.

use super::bound_objects::BoundObjects;
use super::command_list_pool::CommandListPool;
use super::context_device::{ContextDevice, execute, finish, release};
use super::recording::{bind, draw};
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use crate::bundled::thread_barrier::ThreadBarrier;
use crate::bundled::thread_group::{self, ThreadBody};
use crate::bundled::{Parameter, Parameters, Scenario, Steps, Workload, WorkloadError};
use taut_capture::{Caller, Callers};

/// Creates, recycles, caches and destroys contexts and command lists.
pub struct ContextChurn;

impl Scenario for ContextChurn {
    const WORKLOAD: Workload = Workload {
        name: "context-churn",
        description: "Threads create deferred contexts, record command lists and release both, in any order: lists \
                      are recycled and cached, outlive their contexts, and are released by threads that did not \
                      record them.",
        driver: "d3d11on12-like",
        parameters: &[
            Parameter::number("seed", 1, 0, u64::MAX, "decides what is created and released"),
            Parameter::number("threads", 8, 1, 64, "application threads"),
            Parameter::number("contexts", 6, 0, 1_000_000, "contexts that each thread creates one after another"),
            Parameter::number("lists", 4, 0, 1_000_000, "command lists per context"),
        ],
        refused: &[],
        short: &[("contexts", "2")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let context_device = ContextDevice::create(&mut main)?;
        let bound_objects = BoundObjects::create(&mut main, &context_device, 0)?;
        let churn = Churn { context_device, bound_objects, command_list_pool: CommandListPool::default(), parameters };
        thread_group::play(callers, &mut main, parameters.count("threads"), &churn)?;
        let mut random = Random::new(parameters.get("seed"), u32::MAX);
        while let Some(list) = churn.command_list_pool.take(&mut main, &mut random) {
            execute(&mut main, context_device.immediate, list, false)?;
            release(&mut main, list)?;
        }
        bound_objects.release(&mut main)?;
        context_device.release(&mut main)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("contexts").saturating_mul(parameters.get("threads")))
    }
}

struct Churn<'p> {
    context_device: ContextDevice,
    /// Objects used by all contexts.
    bound_objects: BoundObjects,
    command_list_pool: CommandListPool,
    parameters: &'p Parameters,
}

impl ThreadBody for Churn<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), thread);
        for _ in 0..self.parameters.get("contexts") {
            check_interrupted(caller)?;
            if barrier.is_cancelled() {
                break;
            }
            let context = self.context_device.context(caller)?;
            for _ in 0..self.parameters.get("lists") {
                bind(caller, context, &self.bound_objects, &mut random)?;
                draw(caller, context, &self.bound_objects, &mut random, 2)?;
                let list = required("FinishCommandList", finish(caller, context, random.once_in(2)))?;
                self.command_list_pool.put(caller, list);
                if random.once_in(2)
                    && let Some(other) = self.command_list_pool.take(caller, &mut random)
                {
                    if random.once_in(2) {
                        execute(caller, context, other, true)?;
                    }
                    release(caller, other)?;
                }
            }
            release(caller, context)?;
            caller.step_done();
        }
        Ok(())
    }
}
