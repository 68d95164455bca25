//! The head of an analysis: its source and losses.

use crate::events::InputHead;
use crate::render::{counted, grouped};
use serde::Serialize;
use taut_schemas::Provider;
use taut_traces::{Damage, Trace};

// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The providers that most figures depend on and that were not recorded from the beginning.
fn missing(trace: &Trace) -> Vec<&'static str> {
    let recorded = trace.header().world.recorded_providers();
    let needed = [Provider::Api, Provider::Ddi, Provider::Task];
    needed.into_iter().filter(|provider| !recorded.has(*provider)).map(Provider::name).collect()
}

/// The head of every analysis: the source of the figures, and data that may be missing from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Head {
    pub driver: String,
    pub rules: String,
    pub workload: String,
    /// File of another format that the events were imported from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported_from: Option<String>,
    /// True if the table has calls, which a driver answers. The other traces have events of programs or of another
    /// system.
    #[serde(skip)]
    pub has_driver: bool,
    /// Number of records in the trace.
    pub events: u64,
    /// Events that the recorder counted but dropped.
    pub lost_events: u64,
    /// Events before the first one in the trace, of a recording that retains only its last part.
    #[serde(skip_serializing_if = "is_none")]
    pub left_out_events: u64,
    /// Providers that most figures depend on and that were not recorded from the beginning.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_providers: Vec<&'static str>,
    /// True if the trace has its end, and all losses are counted.
    pub complete: bool,
    /// True if an unknown number of events is lost, because a write of the recorder failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_unknown_losses: bool,
    /// The file's damage, one sentence each.
    pub damage: Vec<String>,
    /// Events lost by damage, as far as known.
    pub damaged_events: u64,
}

impl Head {
    /// Creates the head of a trace with this damage in its blocks.
    pub(crate) fn new(trace: &Trace, damage: &[Damage]) -> Head {
        let input = InputHead::new(trace);
        let summary = input.summary();
        Head {
            driver: input.driver(),
            rules: input.rules().to_owned(),
            workload: input.workload().name.clone(),
            imported_from: input.workload().imported_from().map(str::to_owned),
            has_driver: trace.header().schema.events.iter().any(|event| event.layer.is_input()),
            events: summary.events,
            lost_events: summary.lost_events,
            left_out_events: trace.header().identity.discarded.map_or(0, |left_out| left_out.events),
            missing_providers: missing(trace),
            complete: summary.complete && !trace.has_unknown_losses(),
            has_unknown_losses: trace.has_unknown_losses(),
            damage: damage.iter().map(ToString::to_string).collect(),
            damaged_events: damage.iter().filter_map(|damage| damage.events_lost).fold(0, u64::saturating_add),
        }
    }

    /// True if nothing is missing, so that every figure covers the whole recording.
    pub fn is_whole(&self) -> bool {
        let nothing_is_missing = self.left_out_events == 0 && self.missing_providers.is_empty();
        self.lost_events == 0 && nothing_is_missing && self.complete && self.damage.is_empty()
    }

    /// A sentence on the missing providers.
    pub fn left_out_providers(&self) -> Option<String> {
        let names: Vec<String> = self.missing_providers.iter().map(|name| format!("`{name}`")).collect();
        let provider = if names.len() == 1 { "the provider" } else { "the providers" };
        (!names.is_empty()).then(|| format!("the recording has no events of {provider} {}", names.join(" and ")))
    }

    /// The subject of the analysis, in one sentence.
    pub fn subject(&self) -> String {
        if let Some(file) = &self.imported_from {
            return format!("{} events that Windows reported, imported from {file}.", grouped(self.events));
        }
        if !self.has_driver {
            return format!("{} events of programs, workload {}.", grouped(self.events), self.workload);
        }
        let named = |name: &str| if name.is_empty() { "without a name" } else { name }.to_owned();
        format!(
            "{} events of workload {}, driver model {}, rule set {}.",
            grouped(self.events),
            named(&self.workload),
            named(&self.driver),
            named(&self.rules)
        )
    }

    /// The losses, one sentence each; empty if the trace [is whole](Self::is_whole).
    pub fn losses(&self) -> Vec<String> {
        let mut losses = Vec::new();
        if self.left_out_events > 0 {
            let left_out = counted(self.left_out_events, "event");
            losses.push(format!(
                "The recording keeps only its newest events: {left_out} before them are not in the trace, and the figures exclude them."
            ));
        }
        if let Some(without) = self.left_out_providers() {
            losses.push(format!("Partial trace: {without}."));
        }
        if self.lost_events > 0 {
            let lost = counted(self.lost_events, "event");
            let were = if self.lost_events == 1 { "was" } else { "were" };
            losses.push(format!("{lost} {were} lost while recording: the figures exclude them."));
        }
        if self.has_unknown_losses {
            let text =
                "A write of the recorder failed: an unknown number of events is lost, and the figures exclude them.";
            losses.push(text.to_owned());
        } else if !self.complete {
            losses.push("The recording was interrupted: the figures cover the events that remain.".to_owned());
        }
        losses.extend(self.damage.iter().map(|damage| format!("The file is damaged at {damage}.")));
        losses
    }
}
