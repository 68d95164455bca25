//! Workload in which the memory of deferred contexts runs out, without effect on other contexts.

use super::bound_objects::BoundObjects;
use super::context_device::{ContextDevice, execute, finish, release};
use super::recording::{bind, draw};
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use crate::bundled::thread_barrier::ThreadBarrier;
use crate::bundled::thread_group::{self, ThreadBody};
use crate::bundled::{Parameter, Parameters, Scenario, Steps, Workload, WorkloadError};
use taut_capture::{Caller, Callers};
use taut_schemas::{Call, HResultCode, d3d11};

/// Recordings that exceed the memory of their context.
pub struct ContextOom;

impl Scenario for ContextOom {
    const WORKLOAD: Workload = Workload {
        name: "context-oom",
        description: "Each thread records command lists that grow until the driver is out of memory. \
                      FinishCommandList then fails, the context starts a new recording, and the contexts of other \
                      threads continue.",
        driver: "small-contexts",
        parameters: &[
            Parameter::number("seed", 1, 0, u64::MAX, "decides what is recorded"),
            Parameter::number("threads", 4, 1, 64, "application threads, each with its own context"),
            Parameter::number("lists", 8, 0, 1_000_000, "command lists that each thread records"),
            Parameter::number("draws", 16, 0, 100_000, "draws that each list has more than the list before"),
        ],
        refused: &[d3d11::FinishCommandList::NAME, d3d11::Map::NAME],
        short: &[("lists", "4")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let context_device = ContextDevice::create(&mut main)?;
        let threads = parameters.count("threads");
        thread_group::play(callers, &mut main, threads, &Growth { context_device, parameters })?;
        context_device.release(&mut main)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("lists").saturating_mul(parameters.get("threads")))
    }
}

struct Growth<'p> {
    context_device: ContextDevice,
    parameters: &'p Parameters,
}

impl ThreadBody for Growth<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), thread);
        let context = self.context_device.context(caller)?;
        let bound_objects = BoundObjects::create(caller, &self.context_device, thread)?;
        for turn in 0..self.parameters.get("lists") {
            check_interrupted(caller)?;
            if barrier.is_cancelled() {
                break;
            }
            bind(caller, context, &bound_objects, &mut random)?;
            let draws = turn.saturating_mul(self.parameters.get("draws"));
            draw(caller, context, &bound_objects, &mut random, draws)?;
            match finish(caller, context, random.once_in(2)) {
                Err(HResultCode::E_OUTOFMEMORY) => {}
                finished => {
                    let list = required("FinishCommandList", finished)?;
                    if thread == 0 {
                        execute(caller, self.context_device.immediate, list, false)?;
                    }
                    release(caller, list)?;
                }
            }
            caller.step_done();
        }
        bound_objects.release(caller)?;
        release(caller, context)
    }
}
