//! Grid of the manual HLK test of cross-adapter scan-out, on a simulated machine: every combination of runtime, display
//! mode, format, size, sync interval with or without tearing, and full screen or a window.

mod case;
mod case_run;
mod judgement;
mod result;

pub use case::GridCase;
pub use result::GridResult;

use case_run::CaseRun;
use taut_runtime::{MachineProfile, Profile, Settings};

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
