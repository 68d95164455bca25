//! Figures of a trace's background tasks in the report.

use serde_json::Value;
use std::collections::BTreeMap;
use taut_analyze::{Analysis, Findings, report};
use taut_schemas::{Call, Decoder, EventCode, Field, HResult, Opcode, TaskId, machine};
use taut_traces::Trace;

/// Tolerance of shares, in percentage points.
const POINTS: f64 = 5.0;

/// Figures of a trace. Shares are in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    pub finished: u64,
    pub variants: u64,
    pub served: f64,
    pub saved: f64,
    /// Total duration of all tasks, in ticks.
    pub run_ticks: u64,
}

impl Figures {
    /// Returns the figures of a whole trace. Where the application measures at its end, shares are those of the
    /// measured part, because the time of priming before it is the application's decision.
    pub fn of(analysis: &Analysis) -> Figures {
        let is_measured_last = analysis.trace().header().world.workload.name == "benchmark-priming";
        let findings = Findings::of(analysis, &[report("pgo").expect("a report")]).expect("figures").reports();
        let pgo = &findings["pgo"];
        let count = |value: &Value| value.as_u64().expect("a count");
        let drawn =
            if is_measured_last { pgo["by_pass"].as_array().and_then(|all| all.last()).expect("a pass") } else { pgo };
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let (executed, generic) = (count(&drawn["executed"]), count(&drawn["generic_executed"]));
        let finished = count(&pgo["tasks_finished"]);
        Figures {
            finished,
            variants: count(&pgo["variants"]),
            served: share(count(&drawn["variant_draws"]), count(&drawn["draws"])),
            saved: share(generic.saturating_sub(executed), generic),
            run_ticks: run_ticks(analysis.trace()),
        }
    }

    /// Returns minimum and maximum of each figure.
    pub fn range(all: &[Figures]) -> (Figures, Figures) {
        let pick = |of: fn(f64, f64) -> f64, max: bool| {
            let count = |get: fn(&Figures) -> u64| {
                let counts = all.iter().map(get);
                if max { counts.max() } else { counts.min() }.unwrap_or_default()
            };
            let share = |get: fn(&Figures) -> f64| all.iter().map(get).reduce(of).unwrap_or_default();
            Figures {
                finished: count(|figures| figures.finished),
                variants: count(|figures| figures.variants),
                served: share(|figures| figures.served),
                saved: share(|figures| figures.saved),
                run_ticks: count(|figures| figures.run_ticks),
            }
        };
        (pick(f64::min, false), pick(f64::max, true))
    }

    /// Returns the median of each figure.
    pub fn middle(all: &[Figures]) -> Figures {
        let share = |get: fn(&Figures) -> f64| {
            let mut shares: Vec<f64> = all.iter().map(get).collect();
            shares.sort_by(f64::total_cmp);
            shares[shares.len() / 2]
        };
        let count = |get: fn(&Figures) -> u64| {
            let mut counts: Vec<u64> = all.iter().map(get).collect();
            counts.sort_unstable();
            counts[counts.len() / 2]
        };
        Figures {
            finished: count(|figures| figures.finished),
            variants: count(|figures| figures.variants),
            served: share(|figures| figures.served),
            saved: share(|figures| figures.saved),
            run_ticks: count(|figures| figures.run_ticks),
        }
    }

    /// Returns the distance of the shares from the range of live recordings, in percentage points.
    pub fn points_off(&self, min: &Figures, max: &Figures) -> f64 {
        let shares = [(self.served, min.served, max.served), (self.saved, min.saved, max.saved)];
        shares.iter().map(|(found, min, max)| (min - found).max(found - max)).fold(0.0, f64::max)
    }

    /// Returns true if the shares are within the tolerance of the range of live recordings.
    pub fn is_near(&self, min: &Figures, max: &Figures) -> bool {
        self.points_off(min, max) <= POINTS
    }
}

/// Returns the total time from the return of StartBackgroundWork to the call of FinishBackgroundWork. The time inside
/// these inputs is excluded, so a worker that is preempted there does not count as working.
fn run_ticks(trace: &Trace) -> u64 {
    let (mut began, mut ticks, mut rows) = (BTreeMap::new(), 0, trace.rows());
    while let Some(row) = rows.next_row() {
        if row.code == EventCode::new(machine::StartBackgroundWork::ID, Opcode::Stop) {
            if let Ok(task) = HResult::<TaskId>::decode(&mut Decoder::new(row.payload)).expect("a result") {
                began.insert(task, row.stamp);
            }
        } else if row.code == EventCode::new(machine::FinishBackgroundWork::ID, Opcode::Start) {
            // The lock wait time precedes the arguments.
            let arguments = row.payload.get(size_of::<u64>()..).expect("a call");
            let call = machine::FinishBackgroundWork::decode(&mut Decoder::new(arguments)).expect("a call");
            ticks += row.stamp - began.remove(&call.task).expect("a start");
        }
    }
    ticks
}
