//! Workload in which the immediate context updates objects that deferred contexts use.

use super::bound_objects::BoundObjects;
use super::context_device::{ContextDevice, execute, finish, release};
use super::recording::bind;
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use crate::bundled::{Parameter, Parameters, Scenario, Steps, Workload, WorkloadError};
use taut_capture::{Caller, Callers};
use taut_schemas::{Bytes, HResultCode, d3d11};

/// Updates by the immediate context, and draws of deferred contexts.
pub struct ContextUpdates;

impl Scenario for ContextUpdates {
    const WORKLOAD: Workload = Workload {
        name: "context-updates",
        description: "The immediate context updates a vertex buffer at the beginning of each frame. Deferred contexts then \
                      record draws with it, and their lists are executed and released within the frame.",
        driver: "d3d11on12-like",
        parameters: &[
            Parameter::number("seed", 1, 0, u64::MAX, "decides what is bound"),
            Parameter::number("threads", 3, 1, 64, "deferred contexts, all used by one application thread"),
            Parameter::number("frames", 20, 0, 1_000_000, "frames"),
            Parameter::number("draws", 4, 0, 100_000, "draws in a list"),
        ],
        refused: &[],
        short: &[("frames", "4")],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let context_device = ContextDevice::create(&mut main)?;
        let bound_objects = BoundObjects::create(&mut main, &context_device, 0)?;
        let mut random = Random::new(parameters.get("seed"), 0);
        let mut contexts = Vec::new();
        for _ in 0..parameters.count("threads") {
            contexts.push(context_device.context(&mut main)?);
        }
        for frame in 0..parameters.get("frames") {
            check_interrupted(&main)?;
            let (context, resource) = (context_device.immediate, bound_objects.vertices);
            let data = Bytes(vec![frame as u8; 64]);
            let update = d3d11::UpdateSubresource { context, resource, subresource: 0, data };
            required("UpdateSubresource", main.call(update))?;
            for context in &contexts {
                bind(&mut main, *context, &bound_objects, &mut random)?;
                for _ in 0..parameters.get("draws") {
                    let draw = d3d11::Draw { context: *context, vertex_count: 3, start_vertex_location: 0 };
                    required("Draw", main.call(draw))?;
                }
                match finish(&mut main, *context, false) {
                    // Without memory there is no list, and the context starts a new recording.
                    Err(HResultCode::E_OUTOFMEMORY) => {}
                    finished => {
                        let list = required("FinishCommandList", finished)?;
                        execute(&mut main, context_device.immediate, list, false)?;
                        release(&mut main, list)?;
                    }
                }
            }
            main.step_done();
        }
        for context in contexts {
            release(&mut main, context)?;
        }
        bound_objects.release(&mut main)?;
        context_device.release(&mut main)
    }

    fn steps(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames"))
    }
}
