//! Audits of the start order and the concurrency of tasks.

use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, TaskCancelled, TaskPriority, TaskStarted, TaskStopped};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{TaskId, WorkPriority};

/// Checks that tasks start in the order in which they were accepted, which is the order of their ids.
pub(super) fn fifo(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut waiting, mut findings): (BTreeSet<TaskId>, AuditFindings) = Default::default();
    // In a trace without DDI events, a task is known only from its start on.
    let mut last = TaskId::NULL;
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::Queued { task, .. } if !is_refused(evidence, *task) => {
                waiting.insert(*task);
            }
            BackgroundEvent::RundownTask(rundown) if rundown.runs.is_none() => drop(waiting.insert(rundown.task)),
            BackgroundEvent::TaskStarted(TaskStarted { task, .. }) => {
                waiting.remove(task);
                let before = waiting.first().copied().filter(|first| first < task).or((last > *task).then_some(last));
                findings.case(at.stamp, before.is_some(), || {
                    format!(
                        "Task {} started out of turn: task {}.",
                        task.0,
                        order_violation(before.unwrap_or_default(), *task)
                    )
                });
                last = last.max(*task);
            }
            BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => drop(waiting.remove(task)),
            BackgroundEvent::DeviceDestroyed => waiting.clear(),
            _ => {}
        }
    }
    findings
}

fn order_violation(other: TaskId, task: TaskId) -> String {
    let what =
        if other < task { "was accepted before it and still waits" } else { "was accepted after it and has started" };
    format!("{} {what}", other.0)
}

pub(super) fn is_refused(evidence: &Evidence<'_>, task: TaskId) -> bool {
    evidence.background.task(task).is_some_and(|task| task.refused)
}

/// Checks that the number of concurrent tasks does not exceed the limits.
pub(super) fn max_at_once(evidence: &Evidence<'_>) -> AuditFindings {
    let mut running: BTreeMap<TaskId, WorkPriority> = BTreeMap::new();
    let mut findings = AuditFindings::default();
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::TaskStarted(TaskStarted { task, priority, .. }) => {
                running.insert(*task, *priority);
                let idle = running.values().filter(|priority| **priority == WorkPriority::IDLE).count() as u64;
                let (count, limit) = match *priority {
                    WorkPriority::IDLE => (idle, evidence.max_tasks),
                    _ => (running.len() as u64, evidence.max_boosted_tasks),
                };
                findings.case(at.stamp, count > limit, || {
                    let at = if *priority == WorkPriority::IDLE { "at" } else { "above" };
                    format!("Task {} started {at} idle priority as one of {count}; at most {limit} may run.", task.0)
                });
            }
            BackgroundEvent::RundownTask(rundown) => {
                running.extend(rundown.runs.map(|run| (rundown.task, run.priority)));
            }
            BackgroundEvent::TaskPriority(TaskPriority { task, priority }) => {
                running.entry(*task).and_modify(|known| *known = *priority);
            }
            BackgroundEvent::TaskStopped(TaskStopped { task }) => drop(running.remove(task)),
            BackgroundEvent::DeviceDestroyed => running.clear(),
            _ => {}
        }
    }
    findings
}
