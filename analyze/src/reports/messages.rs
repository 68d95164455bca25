//! Messages of the debug layer and driver violations, counted by id and by rule.

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::events::{Events, Repeated};
use crate::reports::figures::figures;
use taut_schemas::{MessageId, MessageSeverity};

figures! {
    /// A debug layer message, with its number of occurrences.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MessageFigures {
        message_id: u32, Id, "D3D12_MESSAGE_ID.";
        name: String, Text, same;
        severity: String, Text, "D3D12_MESSAGE_SEVERITY without its prefix.";
        count: u64, Count, same;
        first_stamp: u64, Stamp, "Stamp of the first occurrence.";
        description: String, Text, "Text of the first message or violation.";
    }
}

figures! {
    /// A rule that the driver violated, with its number of violations.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ViolationFigures {
        rule: String, Text, "Id of the rule in `docs/rules.md`.";
        lint: bool, Flag, "True for a rule that is advice only.";
        count: u64, Count, same;
        first_stamp: u64, Stamp, same;
        description: String, Text, same;
    }
}

/// Debug layer messages of a trace, by descending severity and then by id.
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

/// Driver violations of a trace: mandatory rules first, then advisory ones, each sorted by rule id.
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
