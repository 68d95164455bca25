//! Rules of background processing that hold in every recording.

use super::record::Record;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{CommitId, TaskId, WorkPriority, d3d12, d3d12_callbacks, mark};

/// Counts of an audit.
#[derive(Debug, Default)]
pub struct Audit {
    pub accepted: BTreeSet<TaskId>,
    /// Number of times that each task was finished or cancelled.
    ended: BTreeMap<TaskId, u32>,
    pub cancelled: u32,
    running: BTreeSet<TaskId>,
    last_sequence: u64,
    commits: BTreeMap<CommitId, Vec<TaskId>>,
    pub commits_done: u32,
    destroyed: bool,
}

impl Audit {
    /// Audits a recording.
    ///
    /// # Panics
    /// A rule does not hold.
    pub fn of(record: &[Record]) -> Audit {
        let mut audit = Audit::default();
        record.iter().for_each(|record| audit.on_event(record));
        // Rule B-53: exactly once.
        let ended: BTreeSet<TaskId> = audit.ended.keys().copied().collect();
        assert_eq!(audit.accepted, ended);
        assert!(audit.ended.values().all(|times| *times == 1), "{:?}", audit.ended);
        // Rules B-34 and B-58: each commit is done once.
        assert!(audit.commits.is_empty() && audit.running.is_empty(), "{:?}", audit.commits);
        audit
    }

    fn on_event(&mut self, record: &Record) {
        if let Some(Ok(task)) = record.ended::<d3d12_callbacks::QueueProcessingWork>() {
            assert!(self.accepted.insert(task));
        } else if let Some(start) = record.mark::<mark::BackgroundWorkStart>() {
            self.start(&start);
        } else if let Some(stop) = record.mark::<mark::BackgroundWorkStop>() {
            assert!(self.running.remove(&stop.task), "{stop:?}");
            self.end(stop.task);
        } else if let Some(cancel) = record.mark::<mark::BackgroundWorkCancel>() {
            assert!(!self.running.contains(&cancel.task), "{cancel:?}");
            self.cancelled += 1;
            self.end(cancel.task);
        } else if let Some(commit) = record.mark::<mark::BackgroundCommit>() {
            assert!(self.commits.insert(commit.commit, commit.tasks).is_none());
        } else if let Some(done) = record.mark::<mark::BackgroundCommitDone>() {
            // Rule B-31: all of its tasks have ended.
            let tasks = self.commits.remove(&done.commit).expect("a commit");
            assert!(tasks.iter().all(|task| self.ended.contains_key(task)), "{done:?}");
            self.commits_done += 1;
        } else if let Some(violation) = record.mark::<mark::DriverViolation>() {
            panic!("{violation:?}");
        } else if record.ended::<d3d12::FinishReleaseDevice>().is_some_and(|released| released.is_ok()) {
            // Rule B-56: no task runs any more.
            assert!(self.running.is_empty());
            self.destroyed = true;
        }
    }

    fn start(&mut self, start: &mark::BackgroundWorkStart) {
        // Rules B-51 and B-62.
        assert!(start.sequence > self.last_sequence && !self.destroyed, "{start:?}");
        self.last_sequence = start.sequence;
        assert!(self.running.insert(start.task));
        // Rule B-21: two concurrent tasks, except for a boost.
        assert!(start.priority != WorkPriority::IDLE || self.running.len() <= 2, "{start:?}");
    }

    fn end(&mut self, task: TaskId) {
        *self.ended.entry(task).or_default() += 1;
    }
}
