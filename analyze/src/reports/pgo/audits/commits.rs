//! Audits of commits and their tasks.

use super::order::is_refused;
use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, CommitDone, Committed, TaskCancelled, TaskStopped};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{CommitId, TaskId};

/// Tasks that have not ended, updated event by event.
#[derive(Default)]
struct Unfinished(BTreeSet<TaskId>);

impl Unfinished {
    fn on_event(&mut self, evidence: &Evidence<'_>, event: &BackgroundEvent) {
        match event {
            BackgroundEvent::Queued { task, .. } if !is_refused(evidence, *task) => {
                self.0.insert(*task);
            }
            BackgroundEvent::TaskStopped(TaskStopped { task })
            | BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => {
                self.0.remove(task);
            }
            BackgroundEvent::DeviceDestroyed => self.0.clear(),
            _ => {}
        }
    }
}

/// Checks that a commit waits for exactly the tasks that have not ended.
pub(super) fn sets(evidence: &Evidence<'_>) -> AuditFindings {
    let (mut unfinished, mut findings) = (Unfinished::default(), AuditFindings::default());
    for (at, event) in &evidence.background.events {
        unfinished.on_event(evidence, event);
        if let BackgroundEvent::Committed(Committed { commit, tasks, .. }) = event {
            let set: BTreeSet<TaskId> = tasks.iter().copied().collect();
            let (mut missing, mut more) = (unfinished.0.difference(&set), set.difference(&unfinished.0));
            let (missing, more) = (missing.next(), more.next());
            findings.case(at.stamp, missing.is_some() || more.is_some(), || match (missing, more) {
                (Some(task), _) => {
                    format!("Commit {} does not wait for task {}, which has not ended.", commit.0, task.0)
                }
                (_, task) => {
                    let task = task.copied().unwrap_or_default();
                    format!("Commit {} waits for task {}, which is not queued and does not run.", commit.0, task.0)
                }
            });
        }
    }
    findings
}

/// Checks that a commit's event is signalled once, after all its tasks have ended.
pub(super) fn events(evidence: &Evidence<'_>) -> AuditFindings {
    let mut findings = AuditFindings::default();
    let mut ended: BTreeSet<TaskId> = BTreeSet::new();
    // Commits by id: their tasks, and whether they are done.
    let mut commits: BTreeMap<CommitId, (&[TaskId], bool)> = BTreeMap::new();
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::TaskStopped(TaskStopped { task })
            | BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => {
                ended.insert(*task);
            }
            BackgroundEvent::Committed(Committed { commit, tasks, .. }) => {
                commits.insert(*commit, (tasks, false));
            }
            BackgroundEvent::CommitDone(CommitDone { commit }) => {
                let wrong = match commits.get_mut(commit) {
                    None => Some("is done, but was not requested".to_owned()),
                    Some((_, true)) => Some("is done a second time".to_owned()),
                    Some((tasks, done)) => {
                        *done = true;
                        let early = tasks.iter().find(|task| !ended.contains(task));
                        early.map(|task| format!("is done before its task {} has ended", task.0))
                    }
                };
                findings
                    .case(at.stamp, wrong.is_some(), || format!("Commit {} {}.", commit.0, wrong.unwrap_or_default()));
            }
            BackgroundEvent::DeviceDestroyed => {
                for (commit, (_, done)) in commits.iter_mut().filter(|(_, (_, done))| !done) {
                    *done = true;
                    findings.case(at.stamp, true, || {
                        format!(
                            "Commit {} is not done when the device is destroyed: its event is never signalled.",
                            commit.0
                        )
                    });
                }
            }
            _ => {}
        }
    }
    let end = evidence.background.span.1;
    // A commit whose tasks have not all ended may still be signalled after the recording.
    for (commit, (tasks, done)) in &commits {
        if !done && tasks.iter().all(|task| ended.contains(task)) {
            findings.case(end, true, || format!("Commit {} is not done, although all its tasks have ended.", commit.0));
        }
    }
    findings
}
