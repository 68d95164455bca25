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
        meaning: "Each accepted task starts or is cancelled exactly once. Each started task stops once and passes its result to the \
                  driver once. The runtime calls the cancel callback of each cancelled task that has one.",
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
        meaning: "At most max_background_tasks tasks run at once when a task starts at idle priority, and at most \
                  max_boosted_tasks when one starts above idle priority (settings in the trace's header, 2 and 4 by default).",
        check: order::max_at_once,
    },
    Audit {
        name: "commit_sets",
        rules: &[rule::B_31, rule::B_32],
        lint: false,
        needs_whole: true,
        meaning: "A commit waits for exactly the tasks that are queued or running when SetBackgroundProcessingMode returns.",
        check: commits::sets,
    },
    Audit {
        name: "commit_events",
        rules: &[rule::B_31, rule::B_34, rule::B_58],
        lint: false,
        needs_whole: true,
        meaning: "The event of a commit is signalled once, after all tasks of the commit have ended and before the device is destroyed.",
        check: commits::events,
    },
    Audit {
        name: "none_while_disabled",
        rules: &[rule::B_23, rule::B_33],
        lint: false,
        needs_whole: true,
        meaning: "No task is queued in a mode that disables background work, except during the call that commits.",
        check: disabled::check,
    },
    Audit {
        name: "none_after_destruction",
        rules: &[rule::B_56, rule::B_62],
        lint: false,
        needs_whole: true,
        meaning: "No task is queued or running when the driver destroys its device, and no task has an event afterwards.",
        check: destruction::check,
    },
    Audit {
        name: "same_outputs",
        rules: &[rule::B_59],
        lint: false,
        needs_whole: false,
        meaning: "The outputs of each draw are those of the generic shader.",
        check: draws::same_outputs,
    },
    Audit {
        name: "decided_on_collected_work",
        rules: &[rule::B_41],
        lint: false,
        needs_whole: true,
        meaning: "The driver requests a task only after it has read the measurements of the submission that it decided by.",
        check: draws::decided_on_collected_work,
    },
    Audit {
        name: "variants_built_by_tasks",
        rules: &[rule::B_63],
        lint: false,
        needs_whole: true,
        meaning: "Each variant that a draw uses was built by a task that ran before: the driver does no cancelled work in \
                  another way.",
        check: draws::built_by_tasks,
    },
    Audit {
        name: "estimates_respected",
        rules: &[rule::B_74],
        lint: false,
        needs_whole: true,
        meaning: "The driver queues no task for values whose estimated gain it reported as too small since the last discard of \
                  measurements. After the first variant of a pipeline state, the same values may gain more.",
        check: estimates::check,
    },
    Audit {
        name: "drained_before_measuring",
        rules: &[rule::B_25],
        lint: true,
        needs_whole: true,
        meaning: "No draw is submitted in the mode DISABLE_PROFILING_BY_SYSTEM, in which tools measure, before the last task \
                  has ended: until then shaders may change, and tasks use processor time.",
        check: measuring::drained,
    },
    Audit {
        name: "drained_before_mode_change",
        rules: &[rule::B_29],
        lint: true,
        needs_whole: true,
        meaning: "The GPU has finished all submissions when the application sets another mode or an action: it is undefined \
                  whether running submissions are measured under the old or the new mode.",
        check: measuring::settled,
    },
    Audit {
        name: "commit_awaited",
        rules: &[rule::B_03],
        lint: true,
        needs_whole: true,
        meaning: "A commit with unfinished tasks that disables background work has an event, if draws follow in that mode: the \
                  results are not installed when the call returns.",
        check: measuring::awaited,
    },
    Audit {
        name: "overfit",
        rules: &[rule::B_38],
        lint: true,
        needs_whole: true,
        meaning: "Constants that a commit folds after a single frame keep their values in the rest of the trace: a commit after \
                  more frames knows which constants change.",
        check: overfit::check,
    },
];

figures! {
    /// Result of one audit.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AuditFigures {
        name: String, Text, same;
        rule: String, Text, "Ids of the rules.";
        ok: bool, Flag, "True if the rule is not broken. In an incomplete trace a finding that missing records may explain does not count, and sets `uncertain`.";
        lint: bool, Flag, "True for a lint warning: advice for the application.";
        checked: u64, Count, "Checked cases.";
        findings: u64, Count, "Cases that broke the rule.";
        first_findings: Vec<FindingFigures>, List, "The first five findings.";
        uncertain: bool, Flag, "True if there are findings that missing records may explain.";
    }
}

figures! {
    /// A violation of a rule.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FindingFigures {
        at_stamp: u64, Stamp, same;
        description: String, Text, "Description of the finding.";
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
