//! Messages of the debug layer and driver violations, counted by id and by rule.

use crate::analysis::Analysis;
use crate::columns::{Events, Repeated};
use crate::error::AnalyzeError;
use serde::Serialize;
use taut_schemas::{MessageId, MessageSeverity};

/// A message of the debug layer, however often it was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MessageFigures {
    /// D3D12_MESSAGE_ID as a number.
    pub message_id: u32,
    /// The same without its prefix; the number where the trace knows no name.
    pub name: String,
    /// D3D12_MESSAGE_SEVERITY without its prefix.
    pub severity: String,
    /// How often it was said.
    pub count: u64,
    /// Stamp of the first time.
    pub first_stamp: u64,
    /// What was said then.
    pub description: String,
}

/// A rule that the driver broke, however often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViolationFigures {
    /// The rule, as the project's documents number it.
    pub rule: String,
    /// It is advice only.
    pub lint: bool,
    /// How often.
    pub count: u64,
    /// Stamp of the first time.
    pub first_stamp: u64,
    /// What happened then.
    pub description: String,
}

/// The messages of a trace: the gravest severity first, then by id.
pub(super) fn messages(analysis: &Analysis) -> Result<Vec<MessageFigures>, AnalyzeError> {
    let events = Events::new(&analysis.trace().header().schema);
    let (ids, severities) = (events.names::<MessageId>(), events.names::<MessageSeverity>());
    let mut known: Vec<(&(u32, u32), &Repeated)> = analysis.health()?.messages.iter().collect();
    known.sort_by_key(|(key, _)| **key);
    let figures = known.into_iter().map(|((severity, id), found)| MessageFigures {
        message_id: *id,
        name: ids.of(&MessageId(*id)),
        severity: severities.of(&MessageSeverity(*severity)),
        count: found.count,
        first_stamp: found.first_stamp,
        description: found.description.clone(),
    });
    Ok(figures.collect())
}

/// The driver's violations: broken rules first, then advice, each by rule.
pub(super) fn violations(analysis: &Analysis) -> Result<Vec<ViolationFigures>, AnalyzeError> {
    let mut known: Vec<(&(String, bool), &Repeated)> = analysis.health()?.violations.iter().collect();
    known.sort_by_key(|((rule, lint), _)| (*lint, rule));
    let figures = known.into_iter().map(|((rule, lint), found)| ViolationFigures {
        rule: rule.clone(),
        lint: *lint,
        count: found.count,
        first_stamp: found.first_stamp,
        description: found.description.clone(),
    });
    Ok(figures.collect())
}
