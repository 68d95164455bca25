//! What draws give, and what is learned from them.

use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, Collected};
use std::collections::HashSet;

/// No variant changes an output.
pub(super) fn same_outputs(evidence: &Evidence<'_>) -> AuditFindings {
    let mut findings = AuditFindings::default();
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
pub(super) fn decided_on_finished_work(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut finished, mut findings): (HashSet<u64>, AuditFindings) = Default::default();
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::Collected(Collected { submission, .. }) => drop(finished.insert(*submission)),
            BackgroundEvent::Queued { task, item } if item.decided_by_submission != 0 => {
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
