//! Audits of the destruction of a device.

use super::order::is_refused;
use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, CancelCalled, TaskCancelled, TaskProcessed, TaskStarted, TaskStopped};
use std::collections::BTreeSet;
use taut_schemas::TaskId;

/// Checks that no task is left when the device is destroyed and that no task event follows until another device is
/// created.
pub(super) fn check(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut unfinished, mut findings): (BTreeSet<TaskId>, AuditFindings) = Default::default();
    let mut destroyed = false;
    for (at, event) in &evidence.background.events {
        let (task, what) = match event {
            BackgroundEvent::DeviceCreated => {
                destroyed = false;
                continue;
            }
            BackgroundEvent::DeviceDestroyed => {
                let left = unfinished.len();
                findings.case(at.stamp, left > 0, || match left {
                    1 => "The device is destroyed before a task has ended.".to_owned(),
                    left => format!("The device is destroyed before {left} tasks have ended."),
                });
                unfinished.clear();
                destroyed = true;
                continue;
            }
            BackgroundEvent::Queued { task, .. } => {
                if !is_refused(evidence, *task) {
                    unfinished.insert(*task);
                }
                (task, "is queued")
            }
            BackgroundEvent::TaskStarted(TaskStarted { task, .. }) => {
                unfinished.insert(*task);
                (task, "starts")
            }
            BackgroundEvent::TaskStopped(TaskStopped { task }) => {
                unfinished.remove(task);
                (task, "stops")
            }
            BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => {
                unfinished.remove(task);
                (task, "is cancelled")
            }
            BackgroundEvent::TaskProcessed(TaskProcessed { task, .. }) => (task, "passes its result to the driver"),
            BackgroundEvent::CancelCalled(CancelCalled { task }) => (task, "has its cancel callback called"),
            _ => continue,
        };
        findings.case(at.stamp, destroyed, || format!("Task {} {what} after the device was destroyed.", task.0));
    }
    findings
}
