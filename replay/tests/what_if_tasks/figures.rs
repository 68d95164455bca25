//! What the report says of a trace's tasks.

use serde_json::Value;
use std::collections::BTreeMap;
use taut_analyze::{Analysis, Findings, report};
use taut_schemas::{Call, Decoder, EventCode, Field, HResult, Opcode, TaskId, machine};
use taut_traces::Trace;

/// Points by which a share may be another.
const POINTS: f64 = 5.0;

/// Figures of a trace. Shares are percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    pub finished: u64,
    pub variants: u64,
    pub served: f64,
    pub saved: f64,
    /// What all tasks took together, in ticks.
    pub run_ticks: u64,
}

impl Figures {
    /// Of a whole trace; where the application measures at its end, shares are those of what it measures: how long it primed
    /// before that is its own decision.
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
            served: share(count(&drawn["draws_served"]), count(&drawn["draws"])),
            saved: share(generic.saturating_sub(executed), generic),
            run_ticks: run_ticks(analysis.trace()),
        }
    }

    /// The least and the greatest of several.
    pub fn range(all: &[Figures]) -> (Figures, Figures) {
        let pick = |of: fn(f64, f64) -> f64, most: bool| {
            let count = |get: fn(&Figures) -> u64| {
                let counts = all.iter().map(get);
                if most { counts.max() } else { counts.min() }.unwrap_or_default()
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

    /// The middle one of several, figure by figure.
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

    /// By how many points shares lie outside of what live recordings have.
    pub fn points_off(&self, least: &Figures, most: &Figures) -> f64 {
        let shares = [(self.served, least.served, most.served), (self.saved, least.saved, most.saved)];
        shares.iter().map(|(found, least, most)| (least - found).max(found - most)).fold(0.0, f64::max)
    }

    /// Whether shares lie within so many points of what live recordings have.
    pub fn is_near(&self, least: &Figures, most: &Figures) -> bool {
        self.points_off(least, most) <= POINTS
    }
}

/// From where the machine has handed a task to its worker to where the worker hands it back. What the machine itself says of it
/// lies outside: a worker that another process pushes aside there has not worked longer.
fn run_ticks(trace: &Trace) -> u64 {
    let (mut began, mut ticks, mut rows) = (BTreeMap::new(), 0, trace.rows());
    while let Some(row) = rows.next_row() {
        if row.code == EventCode::new(machine::StartBackgroundWork::ID, Opcode::Stop) {
            if let Ok(task) = HResult::<TaskId>::decode(&mut Decoder::new(row.payload)).expect("a result") {
                began.insert(task, row.stamp);
            }
        } else if row.code == EventCode::new(machine::FinishBackgroundWork::ID, Opcode::Start) {
            // The number of the call comes first.
            let arguments = row.payload.get(size_of::<u64>()..).expect("a call");
            let call = machine::FinishBackgroundWork::decode(&mut Decoder::new(arguments)).expect("a call");
            ticks += row.stamp - began.remove(&call.task).expect("a start");
        }
    }
    ticks
}
