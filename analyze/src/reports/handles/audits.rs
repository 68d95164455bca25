//! Audits: checks of the rules of contexts and their handles on every driver call.

use crate::handles::{HandleTracker, RuleFindings};
use crate::reports::figures::figures;
use taut_schemas::Rule;
use taut_schemas::handle_rules::AUDITED;

figures! {
    /// Result of the audit of one rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AuditFigures {
        rule: &'static str, Text, "Id of the rule.";
        sentence: &'static str, Text, "Text of the rule.";
        ok: bool, Flag, "The rule is kept; violations that missing records may explain count as kept.";
        findings: u64, Count, "Number of violations.";
        uncertain: bool, Flag, "Missing records may explain the violations.";
        first_findings: Vec<FindingFigures>, List, "Distinct violations, at most 1,000.";
    }
}

figures! {
    /// A violation of a rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FindingFigures {
        at_stamp: u64, Stamp, same;
        times: u64, Count, same;
        thread: u32, Id, "Thread of the first record that shows the violation.";
        description: String, Text, "Description of the violation.";
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
        "\n## Audits\n\nThe report checks these rules of contexts and handles on all DDI calls, in the order of all threads. If one is \
         broken, `taut analyze` ends with exit code 1, unless missing records may explain it.\n\n| rule | statement \
         |\n|---|---|\n",
    );
    for Rule { id, sentence, .. } in AUDITED {
        text += &format!("| {id} | {sentence} |\n");
    }
    text
}
