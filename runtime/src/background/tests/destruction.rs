//! Tests of B-56 to B-58 and B-62: destruction of a device.

use super::*;
use taut_schemas::{CancelReason, CommitId};

fn with(at_destruction: AtDestruction) -> TaskQueue {
    TaskQueue::new(TaskPolicy { at_destruction, ..Default::default() })
}

#[test]
fn b56_tasks_that_run_are_left_to_their_end_and_those_that_wait_are_cancelled() {
    let mut queue = new();
    let tasks = queue.accept_many(4);
    queue.start_all();
    let destruction = queue.begin_destruction();
    let cancelled: Vec<_> = destruction.cancelled.iter().map(|cancelled| cancelled.task).collect();
    assert_eq!(cancelled, tasks[2..]);
    assert!(queue.is_ending() && !queue.is_drained());
    assert_eq!(queue.running_tasks(), tasks[..2]);
    queue.end(tasks[0]);
    assert!(!queue.is_drained());
    queue.end(tasks[1]);
    assert!(queue.is_drained());
}

#[test]
fn b56_the_policy_may_let_the_tasks_that_wait_run() {
    let mut queue = with(AtDestruction::RunAll);
    let tasks = queue.accept_many(4);
    assert!(queue.begin_destruction().cancelled.is_empty());
    assert!(!queue.is_drained());
    assert_eq!(queue.run_all(), tasks);
    assert!(queue.is_drained());
}

#[test]
fn b56_the_policy_may_let_those_run_that_a_commit_waits_for() {
    let mut queue = with(AtDestruction::Mixed);
    let committed = queue.accept_many(4);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    let others = queue.accept_many(2);
    let destruction = queue.begin_destruction();
    assert_eq!(destruction.cancelled.iter().map(|cancelled| cancelled.task).collect::<Vec<_>>(), others);
    assert!(destruction.done.is_empty() && !queue.is_drained());
    assert_eq!(queue.run_all(), committed);
    assert!(queue.is_drained() && queue.end_destruction().is_empty());
}

#[test]
fn b56_a_queue_that_is_ending_cancels_what_is_queued() {
    for at_destruction in [AtDestruction::RunAll, AtDestruction::CancelAll, AtDestruction::Mixed] {
        for mode in [Mode::ALLOWED, Mode::DISABLE_BACKGROUND_WORK] {
            let mut queue = with(at_destruction);
            queue.set(mode, Action::KEEP_ALL);
            queue.begin_destruction();
            assert_eq!(queue.refuse().mark.reason, CancelReason::DEVICE_DESTROYED);
            queue.begin_mode_change(Mode::ALLOWED, Action::COMMIT_RESULTS);
            queue.refuse();
        }
    }
}

#[test]
fn b57_the_cancels_of_a_destruction_come_at_its_beginning_and_once() {
    let mut queue = new();
    queue.accept(None);
    let cancelled = queue.begin_destruction().cancelled;
    assert_eq!((cancelled.len(), cancelled[0].context, cancelled[0].has_cancel), (1, 7, true));
    assert_eq!(cancelled[0].mark.reason, CancelReason::DEVICE_DESTROYED);
    assert!(queue.begin_destruction().cancelled.is_empty());
}

#[test]
fn b58_a_cancelled_task_counts_as_ended_for_its_commits() {
    let mut queue = new();
    let first = queue.accept(None);
    queue.start_all();
    queue.accept(None);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let destruction = queue.begin_destruction();
    assert_eq!(destruction.cancelled[0].mark.commits, [CommitId(1)]);
    assert!(destruction.done.is_empty());
    let finished = queue.end(first);
    assert_eq!(finished.done, [mark::BackgroundCommitDone { commit: CommitId(1), event: EventHandle(5) }]);
    assert!(queue.end_destruction().is_empty());
}

#[test]
fn b58_a_commit_of_cancelled_tasks_alone_is_done_by_the_destruction() {
    let mut queue = new();
    queue.accept_many(2);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    let destruction = queue.begin_destruction();
    assert_eq!(destruction.done, [mark::BackgroundCommitDone { commit: CommitId(1), event: EventHandle(5) }]);
    assert!(queue.is_drained() && queue.end_destruction().is_empty());
}

#[test]
fn b58_a_boost_that_waited_for_cancelled_tasks_alone_is_over() {
    let policy = TaskPolicy { commit_covers_followups: true, boost_covers_later_tasks: true, ..Default::default() };
    let mut queue = TaskQueue::new(TaskPolicy { max_boosted_tasks: 2, ..policy });
    let member = queue.accept(None);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let others = queue.accept_many(2);
    queue.start_all();
    let followup = queue.accept(Some(member));
    queue.end(member);
    queue.start_all();
    let destruction = queue.begin_destruction();
    assert_eq!(destruction.cancelled.iter().map(|cancelled| cancelled.task).collect::<Vec<_>>(), [followup]);
    assert_eq!(destruction.done.len(), 1);
    assert_eq!(destruction.priorities.iter().map(|lowered| lowered.task).collect::<Vec<_>>(), others);
}

#[test]
fn b58_nobody_waits_for_a_device_that_is_gone() {
    let mut queue = with(AtDestruction::RunAll);
    queue.accept(None);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    queue.begin_destruction();
    assert_eq!(queue.end_destruction().len(), 1);
    assert!(queue.is_drained() && queue.end_destruction().is_empty());
}

#[test]
fn b62_the_next_device_begins_anew_with_numbers_that_go_on() {
    let mut queue = new();
    queue.accept(None);
    queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    queue.begin_destruction();
    queue.end_destruction();
    assert!(!queue.is_ending() && queue.is_drained());
    assert_eq!(queue.mode(), Mode::ALLOWED);
    queue.accept_many(3);
    let started = queue.start_all();
    assert_eq!(started.len(), 2);
    assert_eq!((started[0].task, started[0].sequence, started[0].priority), (TaskId(2), 1, WorkPriority::IDLE));
    assert_eq!(queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS).commit.unwrap().commit, CommitId(2));
}
