//! Advisory audits for applications that measure performance.

use super::order::is_refused;
use super::{AuditFindings, Evidence};
use crate::background::{
    BackgroundEvent, Collected, Committed, ModeCall, ModeCallEnded, Submitted, TaskCancelled, TaskStopped,
};
use crate::render::counted;
use std::collections::BTreeSet;
use taut_schemas::{BackgroundProcessingMode, EventHandle, HResultCode, MeasurementsAction, TaskId};

/// Checks that nothing is drawn in the measurement mode while tasks are unfinished.
pub(super) fn drained(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut unfinished, mut findings): (BTreeSet<TaskId>, AuditFindings) = Default::default();
    let (mut mode, mut call): (_, Option<&ModeCall>) = (BackgroundProcessingMode::ALLOWED, None);
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::ModeCallBegan(began) => call = Some(began),
            BackgroundEvent::ModeCallEnded(ModeCallEnded { hr, .. }) => {
                if let Some(call) = call.take().filter(|_| *hr == HResultCode::S_OK) {
                    mode = call.mode;
                }
            }
            BackgroundEvent::Queued { task, .. } if !is_refused(evidence, *task) => {
                unfinished.insert(*task);
            }
            BackgroundEvent::TaskStopped(TaskStopped { task })
            | BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => {
                unfinished.remove(task);
            }
            BackgroundEvent::DeviceDestroyed => {
                unfinished.clear();
                mode = BackgroundProcessingMode::ALLOWED;
            }
            BackgroundEvent::Submitted(Submitted { submission, selections, .. })
                if mode == BackgroundProcessingMode::DISABLE_PROFILING_BY_SYSTEM && !selections.is_empty() =>
            {
                let left = unfinished.len();
                findings.case(at.stamp, left > 0, || {
                    format!(
                        "Submission {submission} draws for a measurement before {} ended.",
                        match left {
                            1 => "a background task has".to_owned(),
                            left => format!("{left} background tasks have"),
                        }
                    )
                });
            }
            _ => {}
        }
    }
    findings
}

/// Checks that the mode or action changes only while no submission is in flight. A query whether further measurements
/// are desired changes nothing and is allowed at any time.
pub(super) fn settled(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut in_flight, mut findings): (BTreeSet<u64>, AuditFindings) = Default::default();
    let (mut mode, mut call): (_, Option<&ModeCall>) = (BackgroundProcessingMode::ALLOWED, None);
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::ModeCallBegan(began) => call = Some(began),
            BackgroundEvent::ModeCallEnded(ModeCallEnded { hr: HResultCode::S_OK, .. }) => {
                let changes = |call: &&ModeCall| call.mode != mode || call.action != MeasurementsAction::KEEP_ALL;
                if let Some(call) = call.take().filter(changes) {
                    let left = in_flight.len();
                    findings.case(at.stamp, left > 0, || {
                        format!(
                            "{:?} with {:?} is set before {} done: whether their draws are measured is undefined.",
                            call.mode,
                            call.action,
                            match left {
                                1 => "a submission is".to_owned(),
                                left => format!("{left} submissions are"),
                            }
                        )
                    });
                    mode = call.mode;
                }
            }
            BackgroundEvent::Submitted(Submitted { submission, selections, .. }) if !selections.is_empty() => {
                in_flight.insert(*submission);
            }
            BackgroundEvent::Collected(Collected { submission, .. }) => drop(in_flight.remove(submission)),
            BackgroundEvent::DeviceDestroyed => {
                in_flight.clear();
                mode = BackgroundProcessingMode::ALLOWED;
            }
            _ => {}
        }
    }
    findings
}

/// Checks that an application that measures after a commit can wait for the commit.
pub(super) fn awaited(evidence: &Evidence<'_>) -> AuditFindings {
    let mut findings = AuditFindings::default();
    let mut call: Option<&ModeCall> = None;
    // Id and task count of the commit in the current call, and of a completed commit without an event.
    let mut current_commit: Option<(u64, usize)> = None;
    let mut suspect: Option<(u64, usize)> = None;
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::ModeCallBegan(began) => (call, current_commit) = (Some(began), None),
            BackgroundEvent::Committed(Committed { commit, tasks, .. }) if !tasks.is_empty() => {
                current_commit = Some((commit.0, tasks.len()))
            }
            BackgroundEvent::ModeCallEnded(ModeCallEnded { hr: HResultCode::S_OK, .. }) => {
                let blind = |call: &ModeCall| call.event == EventHandle::NULL && call.mode.disables_work();
                let committed = current_commit.take();
                findings.checked += u64::from(committed.is_some());
                suspect = committed.filter(|_| call.take().is_some_and(blind));
            }
            BackgroundEvent::Submitted(Submitted { submission, selections, .. }) if !selections.is_empty() => {
                if let Some((commit, tasks)) = suspect.take() {
                    findings.found(at.stamp, || {
                        let tasks = counted(tasks as u64, "task");
                        format!("Submission {submission} draws after commit {commit} of {tasks}, which has no event to wait for.")
                    });
                }
            }
            BackgroundEvent::DeviceDestroyed => suspect = None,
            _ => {}
        }
    }
    findings
}
