//! The end of a device.

use super::order::is_refused;
use super::{Evidence, Findings};
use crate::background::{CancelCalled, Happening, TaskCancelled, TaskProcessed, TaskStarted, TaskStopped};
use std::collections::BTreeSet;
use taut_schemas::TaskId;

/// Nothing is left when the device is destroyed, and nothing comes after, until there is another device.
pub(super) fn check(evidence: &Evidence<'_>) -> Findings {
    let (mut unfinished, mut findings): (BTreeSet<TaskId>, Findings) = Default::default();
    let mut destroyed = false;
    for (at, happening) in &evidence.background.happenings {
        let (task, what) = match happening {
            Happening::DeviceCreated => {
                destroyed = false;
                continue;
            }
            Happening::DeviceDestroyed => {
                let left = unfinished.len();
                findings
                    .case(at.stamp, left > 0, || format!("The device is destroyed while {left} tasks have not ended."));
                unfinished.clear();
                destroyed = true;
                continue;
            }
            Happening::Queued { task, .. } => {
                if !is_refused(evidence, *task) {
                    unfinished.insert(*task);
                }
                (task, "is queued")
            }
            Happening::TaskStarted(TaskStarted { task, .. }) => {
                unfinished.insert(*task);
                (task, "starts")
            }
            Happening::TaskStopped(TaskStopped { task }) => {
                unfinished.remove(task);
                (task, "stops")
            }
            Happening::TaskCancelled(TaskCancelled { task, .. }) => {
                unfinished.remove(task);
                (task, "is cancelled")
            }
            Happening::TaskProcessed(TaskProcessed { task, .. }) => (task, "hands its result over"),
            Happening::CancelCalled(CancelCalled { task }) => (task, "has its cancel callback called"),
            _ => continue,
        };
        findings.case(at.stamp, destroyed, || format!("Task {} {what} after the device was destroyed.", task.0));
    }
    findings
}
