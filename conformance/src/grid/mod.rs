//! Grid of the manual HLK test of cross-adapter scan-out, on a simulated machine: every combination of runtime, display
//! mode, format, size, sync interval with or without tearing, and full screen or a window.

mod case;
mod case_run;
mod judgement;

pub use case::GridCase;

use case_run::CaseRun;
use taut_runtime::{MachineProfile, Profile, Settings};
use taut_schemas::{FallbackReason, HybridPresentMode};

/// Number of frames that a case presents.
const FRAMES: u64 = 4;

/// Result of a case.
#[derive(Debug, Clone)]
pub struct GridResult {
    pub case: GridCase,
    /// Present path and reason; `None` if the swap chain was not created.
    pub path: Option<(HybridPresentMode, FallbackReason)>,
    /// Number of frames that were flipped, composed and torn.
    pub flipped: u64,
    pub composed: u64,
    pub torn: u64,
    /// First finding against the machine's drivers; `None` if the case passes.
    pub fault: Option<String>,
}

/// Number of cases for a machine.
pub fn grid_cases(machine: &MachineProfile) -> u64 {
    case::cases(machine).len() as u64
}

/// Runs every case on a machine whose adapters have these drivers, each on a fresh runtime, and reports each result.
/// Display modes that the machine's first display does not have are left out.
pub fn run_grid(
    machine: &MachineProfile,
    profiles: &[Profile],
    settings: &Settings,
    report: &mut dyn FnMut(&GridResult),
) -> Vec<GridResult> {
    let cases = case::cases(machine);
    let run = |case: GridCase| {
        let result = CaseRun::judged(machine, profiles, settings, case);
        report(&result);
        result
    };
    cases.into_iter().map(run).collect()
}
