//! Audits: checks of the rules of contexts and their handles on every driver call.

use crate::handles::{HandleTracker, RuleFindings};
use crate::reports::figures::figures;
use taut_schemas::Rule;
use taut_schemas::handle_rules::AUDITED;

figures! {
    /// Result of the audit of one rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AuditFigures {
        rule: &'static str, Text, "Number of the rule.";
        sentence: &'static str, Text, "What holds.";
        ok: bool, Flag, "The rule is kept; what only may be broken, because records are missing, counts as kept.";
        findings: u64, Count, "How often it is broken.";
        uncertain: bool, Flag, "Records are missing, which may be why.";
        first_findings: Vec<FindingFigures>, List, "What was found, each finding once, 1,000 different ones at most.";
    }
}

figures! {
    /// A violation of a rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FindingFigures {
        at_stamp: u64, Stamp, same;
        times: u64, Count, same;
        thread: u32, Id, "Thread of the record that shows it first.";
        description: String, Text, "What was found.";
    }
}

/// Returns the results of all audits. `whole` is false if records of the trace are missing.
pub(super) fn audits(tracker: &HandleTracker, whole: bool) -> Vec<AuditFigures> {
    let none = RuleFindings::default();
    let run = |rule: &&'static Rule| {
        let found = tracker.broken().get(rule.id).unwrap_or(&none);
        let uncertain = found.count > 0 && !whole;
        let first_findings = found.listed.iter().map(|finding| FindingFigures {
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
            first_findings: first_findings.collect(),
        }
    };
    AUDITED.iter().map(run).collect()
}

/// Markdown table of the rules for the report's documentation page.
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
