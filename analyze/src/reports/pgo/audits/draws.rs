//! Audits of draws: their outputs, the origin of variants and the measurements used for decisions.

use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, Collected, Submitted};
use std::collections::HashSet;
use taut_schemas::{TaskId, VariantId};

/// Checks that a variant has the same outputs as the generic shader.
pub(super) fn same_outputs(evidence: &Evidence<'_>) -> AuditFindings {
    let mut findings = AuditFindings::default();
    for draw in &evidence.background.draws {
        let run = &draw.run;
        findings.case(draw.measured_stamp, run.output_hash != run.generic_output_hash, || {
            format!(
                "The outputs of draw {} of submission {} differ between variant {} of {} and the generic shader.",
                draw.index,
                draw.submission,
                run.variant.0,
                evidence.background.pipeline_name(run.pipeline_state)
            )
        });
    }
    findings
}

/// Checks that a variant was built by a task that started and whose result the driver installed.
pub(super) fn built_by_tasks(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut built, mut findings): (HashSet<VariantId>, AuditFindings) = Default::default();
    for (at, happening) in &evidence.background.events {
        match happening {
            BackgroundEvent::TaskVerdict { task, variant } if has_started(evidence, *task) => {
                built.insert(*variant);
            }
            BackgroundEvent::Submitted(Submitted { submission, selections, .. }) => {
                for (index, selection) in selections.iter().enumerate() {
                    let variant = selection.variant;
                    if variant != VariantId::NULL {
                        findings.case(at.stamp, !built.contains(&variant), || {
                            format!(
                                "Draw {index} of submission {submission} uses variant {}, which no task built.",
                                variant.0
                            )
                        });
                    }
                }
            }
            _ => {}
        }
    }
    findings
}

fn has_started(evidence: &Evidence<'_>, task: TaskId) -> bool {
    evidence.background.task(task).is_some_and(|task| task.started.is_some())
}

/// Checks that a driver decides only on submissions whose measurements it has read, which implies that the submission
/// is finished. Submissions of several command queues finish in any order.
pub(super) fn decided_on_collected_work(evidence: &Evidence<'_>) -> AuditFindings {
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
