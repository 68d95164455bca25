//! Grid of the manual HLK test of cross-adapter scan-out, on a machine.

use crate::progress::watched;
use crate::world::{DEFAULT_DRIVER, WorldOptions, machine};
use crate::{Error, Progress, Step};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use taut_conformance::{GridResult, grid_cases, run_grid};
use taut_runtime::{MachineProfile, Profile};

/// Options of the grid.
#[derive(Debug, Clone)]
pub struct GridOptions {
    /// Drivers instead of the machine's own, and rules.
    pub world: WorldOptions,
    /// Name of a machine, or path of a profile.
    pub machine: String,
}

/// Results of all cases.
pub struct GridResults {
    pub machine: MachineProfile,
    /// Names of the adapters' drivers.
    pub drivers: Vec<String>,
    pub results: Vec<GridResult>,
}

/// Runs every case.
///
/// # Errors
/// An option is wrong, or a profile cannot be read.
pub fn run(options: &GridOptions, progress: &dyn Progress) -> Result<GridResults, Error> {
    let (adapters, settings) = options.world.adapters(Some(&options.machine), DEFAULT_DRIVER)?;
    let machine = machine(&options.machine)?;
    let profiles: Vec<Profile> = adapters.profiles().cloned().collect();
    let run_cases = AtomicU64::new(0);
    let done = || run_cases.load(Ordering::Relaxed);
    let step = Step { total: grid_cases(&machine), name: "running", done: &done };
    let results = watched(progress, step, || {
        run_grid(&machine, &profiles, &settings, &mut |_| {
            run_cases.fetch_add(1, Ordering::Relaxed);
        })
    });
    let drivers = profiles.into_iter().map(|profile| profile.name).collect();
    Ok(GridResults { machine, drivers, results })
}

impl GridResults {
    /// The cases that fail.
    pub fn failures(&self) -> impl Iterator<Item = &GridResult> {
        self.results.iter().filter(|result| result.fault.is_some())
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        json!({
            "machine": self.machine.name,
            "drivers": self.drivers,
            "grid": self.results.iter().map(case_json).collect::<Vec<_>>(),
        })
    }
}

fn case_json(result: &GridResult) -> Value {
    let case = &result.case;
    json!({
        "runtime": if case.is_direct3d11 { "d3d11" } else { "d3d12" },
        "mode_width": case.mode_width,
        "mode_height": case.mode_height,
        "refresh_millihertz": case.refresh_millihertz,
        "format": format!("{:?}", case.format),
        "width": case.width,
        "height": case.height,
        "sync_interval": case.sync_interval,
        "tearing": case.may_tear,
        "full_screen": case.is_full_screen,
        "mode": result.path.map(|(mode, _)| format!("{mode:?}")),
        "reason": result.path.map(|(_, reason)| format!("{reason:?}")),
        "flipped": result.flipped,
        "composed": result.composed,
        "torn": result.torn,
        "status": if result.fault.is_some() { "fail" } else { "pass" },
        "fault": result.fault,
    })
}
