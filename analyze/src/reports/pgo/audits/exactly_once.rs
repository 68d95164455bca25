//! Audit of the life cycle of tasks: each task ends in exactly one way.

use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, CancelCalled, Task, TaskCancelled, TaskProcessed, TaskStarted, TaskStopped};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::TaskId;

/// Number of events of a task, by kind.
#[derive(Default)]
struct TaskEnds {
    last_stamp: u64,
    accepted: u64,
    started: u64,
    stopped: u64,
    cancelled: u64,
    cancel_called: u64,
    processed: u64,
}

/// Events that the trace contains.
struct Coverage {
    has_ddi_events: bool,
    whole: bool,
}

/// Checks that each task is queued, started or cancelled, stopped and processed exactly once.
pub(super) fn check(evidence: &Evidence<'_>) -> AuditFindings {
    let mut tallies: BTreeMap<TaskId, TaskEnds> = BTreeMap::new();
    // Tasks whose device was destroyed after their first event.
    let mut outlived: BTreeSet<TaskId> = BTreeSet::new();
    for (at, event) in &evidence.background.events {
        let (task, count): (TaskId, fn(&mut TaskEnds) -> &mut u64) = match event {
            BackgroundEvent::Queued { task, .. } => (*task, |tally| &mut tally.accepted),
            BackgroundEvent::TaskStarted(TaskStarted { task, .. }) => (*task, |tally| &mut tally.started),
            BackgroundEvent::TaskStopped(TaskStopped { task }) => (*task, |tally| &mut tally.stopped),
            BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => (*task, |tally| &mut tally.cancelled),
            BackgroundEvent::CancelCalled(CancelCalled { task }) => (*task, |tally| &mut tally.cancel_called),
            BackgroundEvent::TaskProcessed(TaskProcessed { task, .. }) => (*task, |tally| &mut tally.processed),
            BackgroundEvent::DeviceDestroyed => {
                outlived.extend(tallies.keys());
                continue;
            }
            _ => continue,
        };
        let tally = tallies.entry(task).or_default();
        *count(tally) += 1;
        tally.last_stamp = at.stamp;
    }
    let mut findings = AuditFindings::default();
    // A trace without DDI events has no queue events; the checks that need them are skipped.
    let has_ddi_events = tallies.values().any(|tally| tally.accepted > 0);
    let coverage = Coverage { has_ddi_events, whole: evidence.whole };
    for (id, tally) in &tallies {
        let task = evidence.background.task(*id);
        let wrong = broken(tally, task, outlived.contains(id), &coverage);
        findings.case(tally.last_stamp, wrong.is_some(), || format!("Task {} {}.", id.0, wrong.unwrap_or_default()));
    }
    findings
}

/// Describes what is wrong with a task's events. A task that is still waiting when the recording ends is valid, because
/// it may run later.
fn broken(tally: &TaskEnds, task: Option<&Task>, outlived: bool, coverage: &Coverage) -> Option<String> {
    let Coverage { has_ddi_events, whole } = *coverage;
    let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    let has_cancel = task.is_some_and(|task| task.has_cancel);
    let failed = task.is_some_and(|task| task.failed);
    Some(match tally {
        TaskEnds { accepted, .. } if has_ddi_events && *accepted != 1 => format!("was accepted {}", times(*accepted)),
        TaskEnds { started, cancelled, .. } if started + cancelled > 1 => {
            format!("started {} and was cancelled {}", times(*started), times(*cancelled))
        }
        TaskEnds { started: 0, cancelled: 0, .. } if outlived => {
            "neither started nor was cancelled before the device was destroyed".to_owned()
        }
        TaskEnds { started, stopped, .. } if stopped > started => {
            format!("started {} and stopped {}", times(*started), times(*stopped))
        }
        TaskEnds { started: 1, stopped: 0, .. } if outlived || whole => "started and did not stop".to_owned(),
        TaskEnds { cancelled, cancel_called, .. }
            if has_ddi_events && *cancel_called != cancelled * u64::from(has_cancel) =>
        {
            let callback = if has_cancel { "with" } else { "without" };
            format!(
                "was cancelled {} {callback} a cancel callback, which was called {}",
                times(*cancelled),
                times(*cancel_called)
            )
        }
        TaskEnds { stopped, processed, .. }
            if has_ddi_events && (processed > stopped || (!failed && processed < stopped)) =>
        {
            format!("stopped {} and passed its result to the driver {}", times(*stopped), times(*processed))
        }
        _ => return None,
    })
}
