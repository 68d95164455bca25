//! Audits: rules of background processing, checked on all events of a trace.
//!
//! Each audit is one entry of [`AUDITS`]; the report, its documentation and the tests iterate over that table.

mod commits;
mod destruction;
mod disabled;
mod draws;
mod estimates;
mod evidence;
mod exactly_once;
mod measuring;
mod order;
mod overfit;

pub(crate) use evidence::{AuditFindings, Evidence};

use crate::reports::figures::figures;
use taut_schemas::{Rule, rule};

/// Maximum number of findings listed per audit; all are counted.
const NAMED: usize = 5;

/// An audit: one or more rules and the function that checks them.
pub(crate) struct Audit {
    /// Name of the audit and key of its figures.
    pub name: &'static str,
    /// The rules that it checks.
    pub rules: &'static [&'static Rule],
    /// True for advisory rules for applications.
    pub lint: bool,
    /// True if missing records can look like violations.
    pub needs_whole: bool,
    /// One sentence on what is checked.
    pub meaning: &'static str,
    check: fn(&Evidence<'_>) -> AuditFindings,
}

impl Audit {
    /// The ids of its rules, comma-separated.
    pub fn numbers(&self) -> String {
        self.rules.iter().map(|rule| rule.id).collect::<Vec<_>>().join(", ")
    }
}

/// All audits, in display order.
pub(crate) const AUDITS: &[Audit] = &[
    Audit {
        name: "exactly_once",
        rules: &[rule::B_53, rule::B_24, rule::B_56],
        lint: false,
        needs_whole: true,
        meaning: "Each task that is accepted is either started or cancelled, once; each that starts stops, once, and hands its \
                  result to the driver once; the driver's cancel callback is called for each cancelled task that has one.",
        check: exactly_once::check,
    },
    Audit {
        name: "fifo_start_order",
        rules: &[rule::B_51],
        lint: false,
        needs_whole: true,
        meaning: "Tasks start in the order in which they were accepted.",
        check: order::fifo,
    },
    Audit {
        name: "max_concurrent_tasks",
        rules: &[rule::B_21, rule::B_36],
        lint: false,
        needs_whole: true,
        meaning: "No task starts at idle priority beside as many others as max_background_tasks allows (a setting in the \
                  trace's header, 2 by default), and none above it beside as many as max_boosted_tasks allows.",
        check: order::max_at_once,
    },
    Audit {
        name: "commit_sets",
        rules: &[rule::B_31, rule::B_32],
        lint: false,
        needs_whole: true,
        meaning: "A commit waits for exactly the tasks that were queued or ran when SetBackgroundProcessingMode returned.",
        check: commits::sets,
    },
    Audit {
        name: "commit_events",
        rules: &[rule::B_31, rule::B_34, rule::B_58],
        lint: false,
        needs_whole: true,
        meaning: "A commit's event is signalled once, after all its tasks have ended, and before the device is gone.",
        check: commits::events,
    },
    Audit {
        name: "none_while_disabled",
        rules: &[rule::B_23, rule::B_33],
        lint: false,
        needs_whole: true,
        meaning: "No task comes into the queue in a mode that disables background work, but in the call that commits.",
        check: disabled::check,
    },
    Audit {
        name: "none_after_destruction",
        rules: &[rule::B_56, rule::B_62],
        lint: false,
        needs_whole: true,
        meaning: "When the driver destroys its device no task waits or runs, and none is heard of afterwards.",
        check: destruction::check,
    },
    Audit {
        name: "same_outputs",
        rules: &[rule::B_59],
        lint: false,
        needs_whole: false,
        meaning: "Every draw gives the outputs that its generic shader gives.",
        check: draws::same_outputs,
    },
    Audit {
        name: "decided_on_collected_work",
        rules: &[rule::B_41],
        lint: false,
        needs_whole: true,
        meaning: "A driver decides by submissions only whose measurements it had read by then.",
        check: draws::decided_on_collected_work,
    },
    Audit {
        name: "variants_built_by_tasks",
        rules: &[rule::B_63],
        lint: false,
        needs_whole: true,
        meaning: "Every draw that a variant serves is served by one that a task made which ran before: what is cancelled is \
                  not done in some other way.",
        check: draws::built_by_tasks,
    },
    Audit {
        name: "estimates_respected",
        rules: &[rule::B_74],
        lint: false,
        needs_whole: true,
        meaning: "No task is queued for what the driver said, since measurements were last discarded, that the texts promise too \
                  little of. Once a variant of the pipeline state is in use, the same values may promise more.",
        check: estimates::check,
    },
    Audit {
        name: "drained_before_measuring",
        rules: &[rule::B_25],
        lint: true,
        needs_whole: true,
        meaning: "Nothing is drawn in the mode DISABLE_PROFILING_BY_SYSTEM, in which tools measure, before the last task \
                  has ended: until then shaders may still change, and tasks take processor time.",
        check: measuring::drained,
    },
    Audit {
        name: "drained_before_mode_change",
        rules: &[rule::B_29],
        lint: true,
        needs_whole: true,
        meaning: "The GPU has done all that was submitted when another mode or an action is set: what is still running \
                  is measured before or after, which is undefined.",
        check: measuring::settled,
    },
    Audit {
        name: "commit_awaited",
        rules: &[rule::B_03],
        lint: true,
        needs_whole: true,
        meaning: "A commit that has tasks to wait for and disables background work has an event, if something is drawn in \
                  that mode: results are not there when the call returns.",
        check: measuring::awaited,
    },
    Audit {
        name: "overfit",
        rules: &[rule::B_38],
        lint: true,
        needs_whole: true,
        meaning: "Slots that a variant folds by what one frame showed a commit keep their values in the trace's own play: a \
                  commit after more frames sees which of them move.",
        check: overfit::check,
    },
];

figures! {
    /// Result of one audit.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AuditFigures {
        name: String, Text, same;
        rule: String, Text, "The rules, as the project's documents number them.";
        ok: bool, Flag, "The rule is kept. In an incomplete trace a finding that missing records may explain counts as kept, and sets `uncertain`.";
        lint: bool, Flag, "It is advice to the application only.";
        checked: u64, Count, "Cases that were looked at.";
        findings: u64, Count, "Cases that broke the rule.";
        first_findings: Vec<FindingFigures>, List, "The first five of them.";
        uncertain: bool, Flag, "There are findings, but records are missing, which may be why.";
    }
}

figures! {
    /// A violation of a rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FindingFigures {
        at_stamp: u64, Stamp, same;
        description: String, Text, "What happened.";
    }
}

/// Returns the results of all audits.
pub(super) fn audits(evidence: &Evidence<'_>) -> Vec<AuditFigures> {
    let run = |audit: &Audit| {
        let found = (audit.check)(evidence);
        // If records are missing, an audit that needs all of them cannot prove a violation.
        let uncertain = found.count > 0 && audit.needs_whole && !evidence.whole;
        AuditFigures {
            name: audit.name.to_owned(),
            rule: audit.numbers(),
            ok: found.count == 0 || uncertain,
            lint: audit.lint,
            checked: found.checked,
            findings: found.count,
            first_findings: found.first_findings,
            uncertain,
        }
    };
    AUDITS.iter().map(run).collect()
}
