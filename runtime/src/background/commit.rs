//! Commits that wait for tasks.
//!
//! A commit waits for every task that has not ended when it is made (B-31), so each later commit waits for all that an
//! earlier one still waits for: commits are done in order, and a task's commits are the first one after it was queued
//! and all later ones. It is enough to count, for each commit, the tasks that have it as their first.

use crate::records::{RestoreError, invalid_value};
use std::collections::VecDeque;
use taut_schemas::{CommitId, EventHandle, PendingCommit, mark, state};

#[derive(Debug)]
pub(super) struct Commit {
    event: EventHandle,
    /// Number of unfinished tasks whose first commit this is.
    first_of: u64,
}

/// Pending commits of a task queue.
#[derive(Debug)]
pub(super) struct Commits {
    /// In order, with consecutive ids that end before `next`.
    pub(super) pending: VecDeque<Commit>,
    pub(super) next: CommitId,
    /// Number of unfinished tasks that no commit waits for.
    pub(super) uncommitted: u64,
    /// Last high-priority commit, done or not; null if there was none.
    pub(super) last_boost: CommitId,
}

impl Commits {
    /// Creates an empty list, whose first commit has the number `number` + 1.
    pub(super) fn new(number: u64) -> Commits {
        Commits { pending: VecDeque::new(), next: CommitId(number + 1), uncommitted: 0, last_boost: CommitId::NULL }
    }

    /// Returns the pending commits for a record.
    pub(super) fn save(&self) -> Vec<PendingCommit> {
        let pending = self.pending.iter().zip(self.front()..);
        let record = |(Commit { event, first_of }, id): (&Commit, u64)| PendingCommit {
            commit: CommitId(id),
            event: *event,
            first_of: *first_of,
        };
        pending.map(record).collect()
    }

    /// Restores the commits of a record.
    pub(super) fn restore(record: &state::Tasks) -> Result<Commits, RestoreError> {
        let state::Tasks { next_commit: next, uncommitted, last_boost, commits, .. } = record;
        let first = next.0.checked_sub(commits.len() as u64);
        let follow = first.is_some_and(|first| commits.iter().map(|commit| commit.commit.0).eq(first..next.0));
        if !follow {
            return invalid_value::<_, state::Tasks>("commits that follow each other up to the next", next.0);
        }
        let pending = commits.iter().map(|commit| Commit { event: commit.event, first_of: commit.first_of }).collect();
        Ok(Commits { pending, next: *next, uncommitted: *uncommitted, last_boost: *last_boost })
    }

    /// Returns the id of the first pending commit, or else of the next commit.
    fn front(&self) -> u64 {
        self.next.0 - self.pending.len() as u64
    }

    fn index(&self, first: CommitId) -> usize {
        usize::try_from(first.0.saturating_sub(self.front())).unwrap_or(usize::MAX)
    }

    /// Returns the task count of a first commit.
    fn count(&mut self, first: CommitId) -> &mut u64 {
        let index = self.index(first);
        match self.pending.get_mut(index) {
            Some(commit) => &mut commit.first_of,
            // The first commit is not made yet.
            None => &mut self.uncommitted,
        }
    }

    /// Counts a queued task. Returns its first commit: the first commit of `parent`, an unfinished task, or the next
    /// commit.
    pub(super) fn enter(&mut self, parent: Option<CommitId>) -> CommitId {
        let first = parent.unwrap_or(self.next);
        *self.count(first) += 1;
        first
    }

    /// Uncounts a task that has ended or was cancelled.
    pub(super) fn leave(&mut self, first: CommitId) {
        let count = self.count(first);
        *count = count.saturating_sub(1);
    }

    /// Returns the commits that wait for a task with this first commit.
    pub(super) fn of(&self, first: CommitId) -> Vec<CommitId> {
        (first.0.max(self.front())..self.next.0).map(CommitId).collect()
    }

    /// Adds a commit that waits for every unfinished task.
    pub(super) fn commit(&mut self, event: EventHandle, high_priority: bool) -> CommitId {
        let commit = self.next;
        self.pending.push_back(Commit { event, first_of: self.uncommitted });
        self.uncommitted = 0;
        self.next = CommitId(commit.0 + 1);
        if high_priority {
            self.last_boost = commit;
        }
        commit
    }

    /// True if a high-priority commit waits for an unfinished task with this first commit.
    pub(super) fn boosts(&self, first: CommitId) -> bool {
        self.last_boost >= first
    }

    /// True if a high-priority commit is pending.
    pub(super) fn is_boosting(&self) -> bool {
        self.last_boost.0 >= self.front()
    }

    /// Removes the commits that wait for no task any more, in order.
    pub(super) fn take_done(&mut self) -> Vec<mark::BackgroundCommitDone> {
        let done = self.pending.iter().take_while(|commit| commit.first_of == 0).count();
        self.take(done)
    }

    /// Removes all commits, in order, and stops waiting for any task.
    pub(super) fn take_all(&mut self) -> Vec<mark::BackgroundCommitDone> {
        self.uncommitted = 0;
        self.take(self.pending.len())
    }

    fn take(&mut self, count: usize) -> Vec<mark::BackgroundCommitDone> {
        let front = self.front();
        let taken = self.pending.drain(..count).zip(front..);
        taken.map(|(Commit { event, .. }, id)| mark::BackgroundCommitDone { commit: CommitId(id), event }).collect()
    }
}
