//! What was looked at, and what of it was lost.

use crate::render::grouped;
use serde::Serialize;
use taut_traces::{Damage, Trace};

/// The head of every analysis: where the figures come from and what may be missing from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Head {
    /// Name of the driver model.
    pub driver: String,
    /// Name of the rule set.
    pub rules: String,
    /// Name of the workload.
    pub workload: String,
    /// Records that the trace holds.
    pub events: u64,
    /// Events that the recorder counted but could not keep.
    pub lost_events: u64,
    /// The trace ends as a finished one does.
    pub complete: bool,
    /// The file's damage, one sentence each.
    pub damage: Vec<String>,
}

impl Head {
    /// The head of a trace in whose blocks this damage was found.
    pub(crate) fn of(trace: &Trace, damage: &[Damage]) -> Head {
        let (world, summary) = (&trace.header().world, trace.summary());
        Head {
            driver: world.driver.clone(),
            rules: world.rules.clone(),
            workload: world.workload.name.clone(),
            events: summary.events,
            lost_events: summary.lost_events,
            complete: summary.complete,
            damage: damage.iter().map(ToString::to_string).collect(),
        }
    }

    /// Nothing is missing: every figure is of the whole recording.
    pub fn is_whole(&self) -> bool {
        self.lost_events == 0 && self.complete && self.damage.is_empty()
    }

    /// Sentences for people: what was looked at, then each loss.
    pub fn sentences(&self) -> Vec<String> {
        let named = |name: &str| if name.is_empty() { "unnamed" } else { name }.to_owned();
        let (events, workload) = (grouped(self.events), named(&self.workload));
        let (driver, rules) = (named(&self.driver), named(&self.rules));
        let mut sentences =
            vec![format!("{events} events of workload {workload}, driver model {driver}, rule set {rules}.")];
        if self.lost_events > 0 {
            let lost = grouped(self.lost_events);
            sentences.push(format!("{lost} events were lost while recording: figures are of what was kept."));
        }
        if !self.complete {
            sentences.push("The recording did not end properly: figures are of what it holds.".to_owned());
        }
        sentences.extend(self.damage.iter().map(|damage| format!("The file is damaged at {damage}.")));
        sentences
    }
}
