//! Workload of the game of `hybrid-laptop` with a rotated panel.

use super::error::WorkloadError;
use super::hybrid_laptop::HybridLaptop;
use super::parameters::Parameters;
use super::steps::Steps;
use super::workload::{Scenario, Workload};
use taut_capture::Callers;

/// Game on a panel rotated by 90 degrees, whose presents depend on the driver's static overlay check.
pub struct RotatedDisplay;

impl Scenario for RotatedDisplay {
    const WORKLOAD: Workload = Workload {
        name: "rotated-display",
        description: "The game of hybrid-laptop on a panel rotated by 90 degrees, which cannot scan out linear \
                      buffers: the static check fails, and frames take two copies and are flipped. (With the drivers \
                      faulty-unturned+dgpu the check passes, and every frame is composed.)",
        ..HybridLaptop::WORKLOAD
    };

    const MACHINE: Option<&'static str> = Some("rotated-laptop");

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        HybridLaptop::run(callers, parameters)
    }

    fn steps(parameters: &Parameters) -> Steps {
        HybridLaptop::steps(parameters)
    }
}
