//! Contexts and lists come and go.

use super::props::Props;
use super::recording::{bind, draw};
use super::shelf::Shelf;
use super::studio::{Studio, execute, finish, release};
use crate::caller::{Caller, Callers};
use crate::workloads::go_on::go_on;
use crate::workloads::random::Random;
use crate::workloads::refusal::required;
use crate::workloads::rendezvous::Rendezvous;
use crate::workloads::thread_group::{self, ThreadBody};
use crate::workloads::{Parameter, Parameters, Scenario, Steps, Workload, WorkloadError};

/// Contexts and lists that are created, recycled, cached and destroyed.
pub struct ContextChurn;

impl Scenario for ContextChurn {
    const WORKLOAD: Workload = Workload {
        name: "context-churn",
        description: "Threads create deferred contexts, record lists in them and release both, in any order: lists are recycled \
                      and cached, outlive their contexts, and are released by other threads than those that recorded them.",
        driver: "d3d11on12-like",
        parameters: &[
            Parameter::number("seed", 1, (0, u64::MAX), "decides what comes and goes"),
            Parameter::number("threads", 8, (1, 64), "application threads"),
            Parameter::number("contexts", 6, (0, 1_000_000), "contexts that each thread creates, one after another"),
            Parameter::number("lists", 4, (0, 1_000_000), "command lists that are recorded in a context"),
        ],
        refused: &[],
        short: &[("contexts", "2")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let studio = Studio::create(&mut main)?;
        let props = Props::create(&mut main, &studio, 0)?;
        let churn = Churn { studio, props, shelf: Shelf::default(), parameters };
        thread_group::play(callers, &mut main, parameters.count("threads"), &churn)?;
        let mut random = Random::new(parameters.get("seed"), u32::MAX);
        while let Some(list) = churn.shelf.take(&mut main, &mut random) {
            execute(&mut main, studio.immediate, list, false)?;
            release(&mut main, list)?;
        }
        props.release(&mut main)?;
        studio.release(&mut main)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("contexts").saturating_mul(parameters.get("threads")))
    }
}

struct Churn<'p> {
    studio: Studio,
    /// All contexts use them.
    props: Props,
    shelf: Shelf,
    parameters: &'p Parameters,
}

impl ThreadBody for Churn<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        let mut random = Random::new(self.parameters.get("seed"), thread);
        for _ in 0..self.parameters.get("contexts") {
            go_on(caller)?;
            if rendezvous.is_given_up() {
                break;
            }
            let context = self.studio.context(caller)?;
            for _ in 0..self.parameters.get("lists") {
                bind(caller, context, &self.props, &mut random)?;
                draw(caller, context, &self.props, (&mut random, 2))?;
                let list = required("FinishCommandList", finish(caller, context, random.once_in(2)))?;
                self.shelf.put(caller, list);
                if random.once_in(2)
                    && let Some(other) = self.shelf.take(caller, &mut random)
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
