//! Audits: rules of contexts and their handles, heard of everything that was said of them.

use crate::handles::{HandleBook, RuleFindings};
use serde::Serialize;
use taut_schemas::Rule;
use taut_schemas::handle_rules::AUDITED;

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditFigures {
    /// Number of the rule.
    pub rule: &'static str,
    /// What holds.
    pub sentence: &'static str,
    /// The rule is kept; what only may be broken, because records are missing, counts as kept.
    pub ok: bool,
    /// How often it is broken.
    pub findings: u64,
    /// Records are missing, which may be why.
    pub uncertain: bool,
    /// What was found, each finding once.
    pub told: Vec<FindingFigures>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FindingFigures {
    /// Stamp of the record that shows it first.
    pub at_stamp: u64,
    /// Thread of that record.
    pub thread: u32,
    /// How often the same was found.
    pub times: u64,
    /// What it is.
    pub description: String,
}

/// Runs every audit.
pub(super) fn audits(book: &HandleBook, whole: bool) -> Vec<AuditFigures> {
    let none = RuleFindings::default();
    let run = |rule: &&'static Rule| {
        let found = book.broken().get(rule.id).unwrap_or(&none);
        let uncertain = found.count > 0 && !whole;
        let told = found.told.iter().map(|finding| FindingFigures {
            at_stamp: finding.at.stamp,
            thread: finding.at.thread,
            times: finding.times,
            description: finding.what.clone(),
        });
        AuditFigures {
            rule: rule.id,
            sentence: rule.sentence,
            ok: found.count == 0 || uncertain,
            findings: found.count,
            uncertain,
            told: told.collect(),
        }
    };
    AUDITED.iter().map(run).collect()
}

/// What the report's page says of them.
pub(super) fn page() -> String {
    let mut text = String::from(
        "\n## Audits\n\nRules of contexts and their handles, heard of everything that was said at the driver's interface, in the \
         order of all threads. Where one is broken `taut analyze` ends with exit code 1, unless records are missing, which may be \
         why.\n\n| rule | what holds |\n|---|---|\n",
    );
    for Rule { id, sentence, .. } in AUDITED {
        text += &format!("| {id} | {sentence} |\n");
    }
    text
}
