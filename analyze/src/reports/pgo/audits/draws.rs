//! What draws give, and what is learned from them.

use super::{Evidence, Findings};
use crate::background::{Collected, Happening};
use std::collections::HashSet;

/// No variant changes an output.
pub(super) fn same_outputs(evidence: &Evidence<'_>) -> Findings {
    let mut findings = Findings::default();
    for draw in &evidence.background.draws {
        let run = &draw.run;
        findings.case(draw.measured_stamp, run.output_hash != run.generic_output_hash, || {
            format!(
                "Draw {} of submission {} gave other outputs by variant {} of {} than by the generic shader.",
                draw.index,
                draw.submission,
                run.variant.0,
                evidence.background.pipeline_name(run.pipeline_state)
            )
        });
    }
    findings
}

/// A submission is finished once the driver reads its measurements. Several command queues finish theirs in any order.
pub(super) fn decided_on_finished_work(evidence: &Evidence<'_>) -> Findings {
    let (mut finished, mut findings): (HashSet<u64>, Findings) = Default::default();
    for (at, happening) in &evidence.background.happenings {
        match happening {
            Happening::Collected(Collected { submission, .. }) => drop(finished.insert(*submission)),
            Happening::Queued { task, item } if item.decided_by_submission != 0 => {
                let by = item.decided_by_submission;
                findings.case(at.stamp, !finished.contains(&by), || {
                    format!("Task {} was decided by submission {by}, whose measurements had not been read.", task.0)
                });
            }
            _ => {}
        }
    }
    findings
}
