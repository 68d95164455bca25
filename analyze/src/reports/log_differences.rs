//! Calls whose outcome differs from the file that the trace was recorded from.

use super::figures::figures;
use crate::error::AnalyzeError;
use crate::events::{EventReader, FilePositions, Source, any};
use crate::render::{TextTable, counted, grouped};
use crate::view;
use std::ops::ControlFlow;
use taut_schemas::{DifferenceKind, info, mark};

view! {
    /// Calls whose outcome differs from the logged one in the same way.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LoggedCallsDiffer of info mark::LoggedCallsDiffer {
        /// Kind of the difference.
        kind: DifferenceKind,
        /// Name of the call.
        name: String,
        /// Outcome of the first call in the file.
        logged: String,
        /// Outcome of the first call in the recording.
        live: String,
        /// Message of the debug layer, or rule.
        rule: String,
        /// Text of the reason.
        description: String,
        /// Number of calls.
        calls: u64,
        /// Number of the first call in the file.
        first_line: u64,
    }
}

figures! {
    /// Calls whose outcome differs from the logged one in the same way.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LogDifferenceFigures {
        kind: &'static str, Text, "Kind of the difference: `refused` (succeeded in the file, failed in the recording), `accepted` (failed in the file, succeeded in the recording) or `answer` (other sizes).";
        call: String, Text, same;
        logged: String, Text, "Outcome of the first call in the file.";
        live: String, Text, "Outcome of the first call in the recording.";
        rule: String, Text, same;
        description: String, Text, same;
        count: u64, Count, same;
        first_line: u64, Id, "Line of the first call in the file; of a GPGMM trace, the number of its event.";
    }
}

/// Reads the differences of a trace, in the order of their first calls; empty unless the trace was recorded from a file
/// with outcomes.
///
/// # Errors
/// The trace could not be read.
pub(super) fn log_differences(source: &Source) -> Result<Vec<LogDifferenceFigures>, AnalyzeError> {
    let mut differences = Vec::new();
    if !any(source.trace(), &[info::<mark::LoggedCallsDiffer>().event_ref()]) {
        return Ok(differences);
    }
    let mut reader = EventReader::new(source);
    reader.each(|differ: LoggedCallsDiffer| Some(differ))?;
    reader.visit(|_, differ| -> Result<_, AnalyzeError> {
        differences.push(LogDifferenceFigures::new(differ));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(differences)
}

impl LogDifferenceFigures {
    fn new(differ: LoggedCallsDiffer) -> LogDifferenceFigures {
        let LoggedCallsDiffer { kind, name, logged, live, rule, description, calls, first_line } = differ;
        let kind = match kind {
            DifferenceKind::REFUSED => "refused",
            DifferenceKind::ACCEPTED => "accepted",
            _ => "answer",
        };
        LogDifferenceFigures { kind, call: name, logged, live, rule, description, count: calls, first_line }
    }

    /// Both outcomes, in words.
    fn outcomes(&self) -> String {
        format!("{} in the file, {} in the recording", self.logged, self.live)
    }
}

/// Number of calls with another outcome.
pub(super) fn differing_calls(differences: &[LogDifferenceFigures]) -> u64 {
    differences.iter().fold(0, |sum, group| sum.saturating_add(group.count))
}

/// Sentence on the differences; `None` without any.
pub(super) fn sentence(differences: &[LogDifferenceFigures], positions: FilePositions) -> Option<String> {
    let first = differences.first()?;
    let calls = counted(differing_calls(differences), "call");
    let (groups, at) = (counted(differences.len() as u64, "group"), positions.numbered(first.first_line));
    Some(format!(
        "Outcomes of {calls} differ from the recorded file, in {groups}; the first at {at}: {}, {}. The report `health` \
         lists the groups.",
        first.call,
        first.outcomes()
    ))
}

/// Table of the first `rows` groups.
pub(super) fn table(differences: &[LogDifferenceFigures], rows: usize, positions: FilePositions) -> TextTable {
    let calls = counted(differing_calls(differences), "call");
    let caption = format!("Outcomes that differ from the recorded file: {calls}, grouped by reason");
    let titles = ["Call", "Count", "First", "Outcomes", "Reason"];
    let table = TextTable::new(caption, titles).words(2).words(3).words(4);
    let mut table = table.by_importance(&["Outcomes", "Reason", "Count"]);
    for group in differences.iter().take(rows) {
        let reason = match (group.rule.as_str(), group.description.as_str()) {
            ("", "") => "–".to_owned(),
            ("", text) => text.to_owned(),
            (rule, text) => format!("{rule}: {text}"),
        };
        let cells = [grouped(group.count), positions.numbered(group.first_line), group.outcomes(), reason];
        table.row(&group.call, cells);
    }
    table
}
