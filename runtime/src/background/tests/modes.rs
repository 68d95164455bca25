//! Tests of B-20 to B-27: modes.

use super::*;
use taut_schemas::CancelReason;

const DISABLING: [Mode; 2] = [Mode::DISABLE_BACKGROUND_WORK, Mode::DISABLE_PROFILING_BY_SYSTEM];

#[test]
fn b20_a_new_queue_allows_work_and_has_no_commit() {
    let mut queue = new();
    assert_eq!(queue.mode(), Mode::ALLOWED);
    assert!(queue.is_drained() && !queue.is_ending() && !queue.can_start());
    queue.accept(None);
    assert_eq!(queue.start_all()[0].commits, []);
}

#[test]
fn b21_x20_two_tasks_run_at_once_at_idle_priority() {
    let mut queue = new();
    queue.accept_many(3);
    assert_eq!(queue.start_all().len(), 2);
    assert!(!queue.can_start());
    assert_eq!(queue.priorities(), [WorkPriority::IDLE; 2]);
    queue.end(TaskId(2));
    assert!(queue.can_start());
}

#[test]
fn b21_the_policy_limits_running_tasks_and_zero_counts_as_one() {
    for (max_tasks, expected) in [(0, 1), (1, 1), (5, 5)] {
        let mut queue = TaskQueue::new(TaskPolicy { max_tasks, ..Default::default() });
        queue.accept_many(6);
        assert_eq!(queue.start_all().len(), expected);
    }
}

#[test]
fn b22_intrusive_measurements_schedule_like_allowed() {
    let mut queue = new();
    queue.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL);
    assert_eq!(queue.mode(), Mode::ALLOW_INTRUSIVE_MEASUREMENTS);
    queue.accept_many(3);
    assert_eq!(queue.start_all().len(), 2);
    assert_eq!(queue.priorities(), [WorkPriority::IDLE; 2]);
}

#[test]
fn b23_x21_tasks_accepted_before_a_disabling_mode_run_to_their_end() {
    for mode in DISABLING {
        let mut queue = new();
        let tasks = queue.accept_many(5);
        queue.start_all();
        let changed = queue.set(mode, Action::KEEP_ALL);
        assert!(changed.cancelled.is_empty());
        assert_eq!(queue.running_tasks(), tasks[..2]);
        assert_eq!(queue.run_all(), tasks[2..]);
        assert!(queue.is_drained());
    }
}

#[test]
fn b23_tasks_queued_while_disabled_are_cancelled() {
    for mode in DISABLING {
        let mut queue = new();
        queue.set(mode, Action::KEEP_ALL);
        let cancelled = queue.refuse();
        let mark = mark::BackgroundWorkCancel {
            task: TaskId(1),
            sequence: 1,
            reason: CancelReason::DISABLED,
            pipeline_state: PipelineStateId(108),
            commits: vec![],
        };
        assert_eq!(cancelled, CancelledTask { task: TaskId(1), context: 8, has_cancel: true, mark });
        assert!(queue.is_drained());
    }
}

/// The other reading of rule X-21: the DDI's pages.
#[test]
fn b23_the_older_rule_cancels_the_tasks_that_wait() {
    let mut queue = TaskQueue::new(TaskPolicy { disable_cancels_queued: true, ..Default::default() });
    let tasks = queue.accept_many(4);
    queue.start_all();
    let commit = queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS).commit.unwrap();
    let changed = queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    let cancelled: Vec<_> = changed.cancelled.iter().map(|cancelled| cancelled.task).collect();
    assert_eq!(cancelled, tasks[2..]);
    for cancelled in &changed.cancelled {
        assert_eq!(cancelled.mark.reason, CancelReason::DISABLED);
        assert_eq!(cancelled.mark.commits, [commit.commit]);
    }
    assert!(changed.done.is_empty());
    assert!(queue.end(tasks[0]).done.is_empty());
    assert_eq!(queue.end(tasks[1]).done[0].commit, commit.commit);
    assert!(queue.is_drained());
}

#[test]
fn b23_the_older_rule_cancels_nothing_that_a_call_commits_or_that_was_disabled_already() {
    let mut queue = TaskQueue::new(TaskPolicy { disable_cancels_queued: true, ..Default::default() });
    let tasks = queue.accept_many(3);
    assert!(queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::COMMIT_RESULTS).cancelled.is_empty());
    assert!(queue.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::KEEP_ALL).cancelled.is_empty());
    assert_eq!(queue.run_all(), tasks);
}

#[test]
fn b24_a_cancelled_task_has_a_cancel_callback_flag() {
    let mut queue = new();
    queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    for has_cancel in [false, true] {
        let Queued::Cancelled(cancelled) = queue.queue(WorkItem { has_cancel, ..item(1) }, None) else { panic!() };
        assert_eq!(cancelled.has_cancel, has_cancel);
    }
}

#[test]
fn b25_disabled_profiling_disables_work() {
    let mut queue = new();
    queue.set(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::KEEP_ALL);
    assert_eq!(queue.mode(), Mode::DISABLE_PROFILING_BY_SYSTEM);
    queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    assert_eq!(queue.refuse().mark.reason, CancelReason::DISABLED);
}

#[test]
fn b26_leaving_a_disabled_mode_allows_work_and_brings_nothing_back() {
    for mode in DISABLING {
        let mut queue = new();
        queue.set(mode, Action::KEEP_ALL);
        queue.refuse();
        queue.begin_mode_change(Mode::ALLOWED, Action::KEEP_ALL);
        let during = queue.accept(None);
        queue.end_mode_change(EventHandle::NULL);
        let after = queue.accept(None);
        assert_eq!(queue.run_all(), [during, after]);
    }
}

#[test]
fn b27_the_mode_changes_at_one_point_of_the_sequence() {
    let mut queue = new();
    let before = queue.accept(None);
    queue.begin_mode_change(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    assert_eq!(queue.mode(), Mode::ALLOWED);
    let during = queue.accept(None);
    queue.end_mode_change(EventHandle::NULL);
    let cancelled = queue.refuse();
    assert_eq!(cancelled.mark.sequence, 3);
    queue.set(Mode::ALLOWED, Action::KEEP_ALL);
    let after = queue.accept(None);
    assert_eq!(queue.run_all(), [before, during, after]);
}

#[test]
fn b28_a_change_that_did_not_begin_changes_nothing() {
    let mut queue = new();
    queue.accept(None);
    let changed = queue.end_mode_change(EventHandle(5));
    assert!(changed.commit.is_none() && changed.done.is_empty());
    assert_eq!(queue.mode(), Mode::ALLOWED);
}
