//! Rules of background processing that have to hold in every recording.

use super::record::Record;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{CommitId, TaskId, WorkPriority, d3d12, d3d12_callbacks, mark};

/// What an audit counted.
#[derive(Debug, Default)]
pub struct Audit {
    pub accepted: BTreeSet<TaskId>,
    /// How often each was brought to its end, or cancelled.
    ended: BTreeMap<TaskId, u32>,
    pub cancelled: u32,
    running: BTreeSet<TaskId>,
    last_sequence: u64,
    commits: BTreeMap<CommitId, Vec<TaskId>>,
    pub commits_done: u32,
    destroyed: bool,
}

impl Audit {
    /// Goes through a recording.
    ///
    /// # Panics
    /// A rule does not hold.
    pub fn of(said: &[Record]) -> Audit {
        let mut audit = Audit::default();
        said.iter().for_each(|said| audit.hear(said));
        // Rule B-53: exactly once.
        let ended: BTreeSet<TaskId> = audit.ended.keys().copied().collect();
        assert_eq!(audit.accepted, ended);
        assert!(audit.ended.values().all(|times| *times == 1), "{:?}", audit.ended);
        // Rules B-34 and B-58: each commit is done once.
        assert!(audit.commits.is_empty() && audit.running.is_empty(), "{:?}", audit.commits);
        audit
    }

    fn hear(&mut self, said: &Record) {
        if let Some(Ok(task)) = said.ended::<d3d12_callbacks::QueueProcessingWork>() {
            assert!(self.accepted.insert(task));
        } else if let Some(start) = said.mark::<mark::BackgroundWorkStart>() {
            self.start(&start);
        } else if let Some(stop) = said.mark::<mark::BackgroundWorkStop>() {
            assert!(self.running.remove(&stop.task), "{stop:?}");
            self.end(stop.task);
        } else if let Some(cancel) = said.mark::<mark::BackgroundWorkCancel>() {
            assert!(!self.running.contains(&cancel.task), "{cancel:?}");
            self.cancelled += 1;
            self.end(cancel.task);
        } else if let Some(commit) = said.mark::<mark::BackgroundCommit>() {
            assert!(self.commits.insert(commit.commit, commit.tasks).is_none());
        } else if let Some(done) = said.mark::<mark::BackgroundCommitDone>() {
            // Rule B-31: all of its tasks have ended.
            let tasks = self.commits.remove(&done.commit).expect("a commit");
            assert!(tasks.iter().all(|task| self.ended.contains_key(task)), "{done:?}");
            self.commits_done += 1;
        } else if let Some(violation) = said.mark::<mark::DriverViolation>() {
            panic!("{violation:?}");
        } else if said.ended::<d3d12::FinishReleaseDevice>().is_some_and(|released| released.is_ok()) {
            // Rule B-56.
            assert!(self.running.is_empty());
            self.destroyed = true;
        }
    }

    fn start(&mut self, start: &mark::BackgroundWorkStart) {
        // Rules B-51 and B-62.
        assert!(start.sequence > self.last_sequence && !self.destroyed, "{start:?}");
        self.last_sequence = start.sequence;
        assert!(self.running.insert(start.task));
        // Rule B-21: two at a time, but for a boost.
        assert!(start.priority != WorkPriority::IDLE || self.running.len() <= 2, "{start:?}");
    }

    fn end(&mut self, task: TaskId) {
        *self.ended.entry(task).or_default() += 1;
    }
}
