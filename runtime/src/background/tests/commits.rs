//! Tests of B-30 to B-37: commits and boosts.

use super::*;
use taut_schemas::CommitId;

#[test]
fn b30_keeping_all_results_changes_nothing() {
    for action in [Action::KEEP_ALL, Action::DISCARD_PREVIOUS] {
        let mut queue = new();
        let tasks = queue.accept_many(3);
        queue.start_all();
        let changed = queue.set(Mode::ALLOWED, action);
        assert!(changed.commit.is_none() && changed.done.is_empty());
        assert!(changed.cancelled.is_empty() && changed.priorities.is_empty());
        assert!(queue.end(tasks[0]).done.is_empty());
        assert_eq!(queue.run_all(), tasks[2..]);
    }
}

#[test]
fn b31_a_commit_waits_for_all_tasks_queued_and_unfinished() {
    let mut queue = new();
    let mut tasks = queue.accept_many(4);
    queue.start_all();
    queue.end(tasks.remove(0));
    queue.begin_mode_change(Mode::ALLOWED, Action::COMMIT_RESULTS);
    tasks.push(queue.accept(None));
    let changed = queue.end_mode_change(EventHandle(9));
    let commit = mark::BackgroundCommit {
        commit: CommitId(1),
        event: EventHandle(9),
        high_priority: false,
        tasks: tasks.clone(),
    };
    assert_eq!(changed.commit, Some(commit));
    assert!(changed.done.is_empty());
    let last = tasks.pop().unwrap();
    for task in tasks {
        queue.start_all();
        assert!(queue.end(task).done.is_empty());
    }
    let finished = queue.end(last);
    assert_eq!(finished.mark.commits, [CommitId(1)]);
    assert_eq!(finished.done, [mark::BackgroundCommitDone { commit: CommitId(1), event: EventHandle(9) }]);
}

#[test]
fn b31_an_empty_commit_is_done_at_once() {
    let mut queue = new();
    let changed = queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    assert_eq!(changed.commit.unwrap().tasks, []);
    assert_eq!(changed.done, [mark::BackgroundCommitDone { commit: CommitId(1), event: EventHandle(5) }]);
    queue.accept_many(3);
    assert_eq!(queue.start_all().len(), 2);
    assert_eq!(queue.priorities(), [WorkPriority::IDLE; 2]);
}

#[test]
fn b32_x28_tasks_queued_after_the_driver_returned_are_not_waited_for() {
    let mut queue = new();
    let member = queue.accept(None);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    queue.start_all();
    let followup = queue.accept(Some(member));
    assert_eq!(queue.start_all()[0].commits, []);
    assert_eq!(queue.end(member).done.len(), 1);
    assert!(queue.end(followup).done.is_empty());
}

/// The other reading of rule X-28.
#[test]
fn b32_the_policy_may_have_a_commit_wait_for_what_its_tasks_queue() {
    let mut queue = TaskQueue::new(TaskPolicy { commit_covers_followups: true, ..Default::default() });
    let member = queue.accept(None);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    queue.start_all();
    let other = queue.accept(None);
    let followup = queue.accept(Some(member));
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    assert!(queue.end(member).done.is_empty());
    queue.start_all();
    let finished = queue.end(followup);
    assert_eq!(finished.mark.commits, [CommitId(1), CommitId(2)]);
    assert_eq!(finished.done[0].commit, CommitId(1));
    assert_eq!(queue.end(other).done[0].commit, CommitId(2));
}

#[test]
fn b33_x29_a_call_that_commits_and_disables_accepts_until_the_driver_returns() {
    for start_mode in [Mode::ALLOWED, Mode::DISABLE_BACKGROUND_WORK] {
        let mut queue = new();
        queue.set(start_mode, Action::KEEP_ALL);
        queue.begin_mode_change(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::COMMIT_RESULTS);
        let task = queue.accept(None);
        let changed = queue.end_mode_change(EventHandle::NULL);
        assert_eq!(changed.commit.unwrap().tasks, [task]);
        queue.refuse();
        queue.start_all();
        assert!(matches!(queue.queue(item(1), Some(task)), Queued::Cancelled(_)));
        assert_eq!(queue.end(task).done.len(), 1);
    }
}

/// Rule X-29 is about calls that commit.
#[test]
fn b33_a_call_that_stays_disabled_and_does_not_commit_accepts_nothing() {
    let mut queue = new();
    queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    queue.begin_mode_change(Mode::DISABLE_PROFILING_BY_SYSTEM, Action::KEEP_ALL);
    queue.refuse();
    queue.end_mode_change(EventHandle::NULL);
    queue.refuse();
}

#[test]
fn b34_commits_overlap_and_each_is_done_once() {
    let mut queue = new();
    let first = queue.accept(None);
    let one = queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS).commit.unwrap();
    let second = queue.accept(None);
    let two = queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS).commit.unwrap();
    let three = queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS).commit.unwrap();
    assert_eq!((one.tasks, two.tasks), (vec![first], vec![first, second]));
    let started = queue.start_all();
    assert_eq!(started[0].commits, [one.commit, two.commit, three.commit]);
    assert_eq!(started[1].commits, [two.commit, three.commit]);
    assert!(queue.end(second).done.is_empty());
    let done: Vec<_> = queue.end(first).done.iter().map(|done| done.commit).collect();
    assert_eq!(done, [one.commit, two.commit, three.commit]);
    assert!(queue.begin_destruction().done.is_empty());
    assert!(queue.end_destruction().is_empty());
}

#[test]
fn b35_the_event_is_signalled_once_by_its_own_commit() {
    let mut queue = new();
    let task = queue.accept(None);
    for event in [EventHandle(3), EventHandle::NULL, EventHandle(3)] {
        queue.begin_mode_change(Mode::ALLOWED, Action::COMMIT_RESULTS);
        queue.end_mode_change(event);
    }
    queue.start_all();
    let events: Vec<_> = queue.end(task).done.iter().map(|done| done.event).collect();
    assert_eq!(events, [EventHandle(3), EventHandle::NULL, EventHandle(3)]);
}

#[test]
fn b36_x27_a_commit_of_high_priority_boosts_its_tasks_until_it_is_done() {
    let mut queue = new();
    let members = queue.accept_many(5);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let later = queue.accept_many(3);
    let started = queue.start_all();
    assert_eq!(started.len(), 4);
    assert!(started.iter().all(|mark| mark.priority == WorkPriority::ABOVE_IDLE));
    queue.end(members[0]);
    assert_eq!(queue.start_all()[0].priority, WorkPriority::ABOVE_IDLE);
    // Of the tasks without a boost, one starts when fewer than two run.
    queue.end(members[1]);
    queue.end(members[2]);
    assert!(!queue.can_start());
    queue.end(members[3]);
    let started: Vec<_> = queue.start_all().iter().map(|mark| (mark.task, mark.priority)).collect();
    assert_eq!(started, [(later[0], WorkPriority::IDLE)]);
    let finished = queue.end(members[4]);
    assert_eq!(finished.mark.priority, WorkPriority::ABOVE_IDLE);
    assert_eq!((finished.done.len(), finished.priorities.len()), (1, 0));
    assert_eq!(queue.start_all().len(), 1);
    assert_eq!(queue.priorities(), [WorkPriority::IDLE; 2]);
}

#[test]
fn b36_the_last_boosted_task_lowers_the_others_where_the_policy_boosts_them() {
    let mut queue = TaskQueue::new(TaskPolicy { boost_covers_later_tasks: true, ..Default::default() });
    let member = queue.accept(None);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let later = queue.accept_many(5);
    assert_eq!(queue.start_all().len(), 4);
    assert_eq!(queue.priorities(), [WorkPriority::ABOVE_IDLE; 4]);
    let lowered: Vec<_> = queue.end(member).priorities.iter().map(|mark| (mark.task, mark.priority)).collect();
    assert_eq!(lowered, later[..3].iter().map(|task| (*task, WorkPriority::IDLE)).collect::<Vec<_>>());
    assert!(!queue.can_start());
    queue.end(later[0]);
    assert!(!queue.can_start());
    queue.end(later[1]);
    assert!(queue.can_start());
}

#[test]
fn b36_a_boost_is_never_narrower_than_no_boost() {
    let policy = TaskPolicy { max_tasks: 3, max_boosted_tasks: 1, ..Default::default() };
    let mut queue = TaskQueue::new(policy);
    queue.accept_many(4);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    assert_eq!(queue.start_all().len(), 3);
}

#[test]
fn b36_a_commit_of_high_priority_boosts_the_tasks_of_earlier_commits() {
    let mut queue = new();
    queue.accept_many(3);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    assert_eq!(queue.start_all()[0].priority, WorkPriority::IDLE);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    assert_eq!(queue.start_all()[0].priority, WorkPriority::ABOVE_IDLE);
    // A commit without a boost does not end the boost of another.
    assert!(queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS).priorities.is_empty());
}

#[test]
fn b37_tasks_that_run_are_raised_in_place() {
    let mut queue = new();
    let tasks = queue.accept_many(2);
    queue.start_all();
    let changed = queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let raised = |task| mark::BackgroundWorkPriority { task, priority: WorkPriority::ABOVE_IDLE };
    assert_eq!(changed.priorities, [raised(tasks[0]), raised(tasks[1])]);
    assert_eq!(queue.priorities(), [WorkPriority::ABOVE_IDLE; 2]);
    let repeated = queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    assert!(repeated.priorities.is_empty());
    assert_eq!(queue.end(tasks[0]).mark.priority, WorkPriority::ABOVE_IDLE);
}
