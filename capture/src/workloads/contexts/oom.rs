//! The memory of a deferred context runs out; nobody else notices.

use super::props::Props;
use super::recording::{bind, draw};
use super::studio::{Studio, execute, finish, release};
use crate::caller::{Caller, Callers};
use crate::workloads::go_on::go_on;
use crate::workloads::random::Random;
use crate::workloads::refusal::required;
use crate::workloads::rendezvous::Rendezvous;
use crate::workloads::thread_group::{self, ThreadBody};
use crate::workloads::{Parameter, Parameters, Scenario, Steps, Workload, WorkloadError};
use taut_schemas::{Call, HResultCode, d3d11};

/// Recordings that are too long.
pub struct ContextOom;

impl Scenario for ContextOom {
    const WORKLOAD: Workload = Workload {
        name: "context-oom",
        description: "Each thread records lists that grow until its driver has no more memory for them. FinishCommandList says \
                      so, the context begins anew, and the contexts of other threads go on.",
        driver: "small-contexts",
        parameters: &[
            Parameter::number("seed", 1, (0, u64::MAX), "decides what is recorded"),
            Parameter::number("threads", 4, (1, 64), "application threads, each with a context of its own"),
            Parameter::number("lists", 8, (0, 1_000_000), "command lists that each thread records"),
            Parameter::number("draws", 16, (0, 100_000), "draws by which a list is longer than the one before"),
        ],
        refused: &[d3d11::FinishCommandList::NAME, d3d11::Map::NAME],
        short: &[("lists", "4")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let studio = Studio::create(&mut main)?;
        let threads = parameters.count("threads");
        thread_group::play(callers, &mut main, threads, &Growth { studio, parameters })?;
        studio.release(&mut main)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("lists").saturating_mul(parameters.get("threads")))
    }
}

struct Growth<'p> {
    studio: Studio,
    parameters: &'p Parameters,
}

impl ThreadBody for Growth<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), thread);
        let context = self.studio.context(caller)?;
        let props = Props::create(caller, &self.studio, thread)?;
        for turn in 0..self.parameters.get("lists") {
            go_on(caller)?;
            if rendezvous.is_given_up() {
                break;
            }
            bind(caller, context, &props, &mut random)?;
            let draws = turn.saturating_mul(self.parameters.get("draws"));
            draw(caller, context, &props, (&mut random, draws))?;
            match finish(caller, context, random.once_in(2)) {
                Err(HResultCode::E_OUTOFMEMORY) => {}
                made => {
                    let list = required("FinishCommandList", made)?;
                    if thread == 0 {
                        execute(caller, self.studio.immediate, list, false)?;
                    }
                    release(caller, list)?;
                }
            }
            caller.step_done();
        }
        props.release(caller)?;
        release(caller, context)
    }
}
