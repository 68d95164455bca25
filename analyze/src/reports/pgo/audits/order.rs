//! In which order tasks start, and how many at once.

use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, TaskCancelled, TaskPriority, TaskStarted, TaskStopped};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{TaskId, WorkPriority};

/// Tasks start in the order in which they were accepted, which is that of their numbers.
pub(super) fn fifo(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut waiting, mut findings): (BTreeSet<TaskId>, AuditFindings) = Default::default();
    // In a trace without what the driver says, tasks are known from their starts on.
    let mut last = TaskId::NULL;
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::Queued { task, .. } if !is_refused(evidence, *task) => {
                waiting.insert(*task);
            }
            BackgroundEvent::TaskThere(there) if there.runs.is_none() => drop(waiting.insert(there.task)),
            BackgroundEvent::TaskStarted(TaskStarted { task, .. }) => {
                waiting.remove(task);
                let before = waiting.first().copied().filter(|first| first < task).or((last > *task).then_some(last));
                findings.case(at.stamp, before.is_some(), || {
                    format!("Task {} started out of turn: task {}.", task.0, said(before.unwrap_or_default(), *task))
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

fn said(other: TaskId, task: TaskId) -> String {
    let what =
        if other < task { "was accepted before it and still waits" } else { "was accepted after it and has started" };
    format!("{} {what}", other.0)
}

pub(super) fn is_refused(evidence: &Evidence<'_>, task: TaskId) -> bool {
    evidence.background.task(task).is_some_and(|task| task.refused)
}

/// No more tasks run at once than may.
pub(super) fn most_at_once(evidence: &Evidence<'_>) -> AuditFindings {
    let mut running: BTreeMap<TaskId, WorkPriority> = BTreeMap::new();
    let mut findings = AuditFindings::default();
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::TaskStarted(TaskStarted { task, priority, .. }) => {
                running.insert(*task, *priority);
                let idle = running.values().filter(|priority| **priority == WorkPriority::IDLE).count() as u64;
                let (count, most) = match *priority {
                    WorkPriority::IDLE => (idle, evidence.most_tasks),
                    _ => (running.len() as u64, evidence.most_boosted_tasks),
                };
                findings.case(at.stamp, count > most, || {
                    let at = if *priority == WorkPriority::IDLE { "at" } else { "above" };
                    format!("Task {} started {at} idle priority as one of {count}; at most {most} may run.", task.0)
                });
            }
            BackgroundEvent::TaskThere(there) => {
                running.extend(there.runs.map(|run| (there.task, run.priority)));
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
