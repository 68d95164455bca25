//! Budgets: limits on figures of reports, for CI.
//!
//! ```toml
//! limits = [
//!     "alignment.peak.waste_ratio <= 10 %",
//!     "health.lost_events == 0",
//! ]
//!
//! # Averages over wall-clock time may be limited, for inputs that are no bundled workload.
//! allow_wall_clock = true
//!
//! # Relative to a baseline.
//! [alignment]
//! "peak.allocated_bytes" = { max_more_than_baseline = "2 %" }
//!
//! # Workloads by name, with * and ?. A limit here replaces one above on the same figure.
//! [workloads."streaming-*"]
//! limits = ["alignment.peak_real.real_bytes <= 512 MiB"]
//! ```

mod allowance;
mod check;
mod error;
mod failed_creations;
mod former_keys;
mod glob;
mod junit;
mod limit;
mod parse;
mod summary;
mod wall_clock;

pub use allowance::Allowance;
pub use check::{Broken, Checked, LimitOutcome};
pub use error::BudgetError;
pub use junit::junit;
pub use limit::{Bound, Limit, Operator};
pub use wall_clock::TraceClock;

use glob::matches;

/// Limits for all workloads and for some.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Budget {
    limits: Vec<Limit>,
    workloads: Vec<(String, Vec<Limit>)>,
    /// True if figures over wall-clock time may be limited for traces that cannot be recorded with a logical clock.
    allow_wall_clock: bool,
}

impl Budget {
    /// The limits for a workload: of several on one figure with one comparison, the last.
    pub fn limits_for(&self, workload: &str) -> Vec<&Limit> {
        let special = self.workloads.iter().filter(|(glob, _)| matches(glob, workload)).flat_map(|(_, limits)| limits);
        let mut limits: Vec<&Limit> = Vec::new();
        for limit in self.limits.iter().chain(special) {
            let same = |known: &&mut &Limit| {
                let is_same_kind = known.comparison == limit.comparison && known.is_relative() == limit.is_relative();
                known.figure == limit.figure && is_same_kind
            };
            match limits.iter_mut().find(same) {
                Some(known) => *known = limit,
                None => limits.push(limit),
            }
        }
        limits
    }

    /// True if a limit needs a baseline.
    pub fn needs_baseline(&self) -> bool {
        self.limits.iter().chain(self.workloads.iter().flat_map(|(_, limits)| limits)).any(Limit::is_relative)
    }

    /// Names of the limits' reports, each once.
    pub fn reports(&self) -> Vec<&str> {
        let mut reports = Vec::new();
        for limit in self.limits.iter().chain(self.workloads.iter().flat_map(|(_, limits)| limits)) {
            if !reports.contains(&limit.report()) {
                reports.push(limit.report());
            }
        }
        reports
    }
}
