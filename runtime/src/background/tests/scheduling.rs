//! Tests of B-50 to B-60: start and end of tasks, and their trace records.

use super::*;
use crate::background::task::Started;
use taut_schemas::CommitId;

#[test]
fn b50_a_task_runs_on_a_worker_that_has_none() {
    let mut queue = new();
    let tasks = queue.accept_many(3);
    assert_eq!(queue.start(6).unwrap().mark.worker, 6);
    assert!(queue.can_start());
    assert!(queue.start(6).is_none());
    assert_eq!(queue.start(2).unwrap().mark.worker, 2);
    let workers: Vec<_> = queue.running().map(|running| (running.task, running.worker)).collect();
    assert_eq!(workers, [(tasks[0], 6), (tasks[1], 2)]);
    assert_eq!(queue.end(tasks[0]).mark.worker, 6);
    assert_eq!(queue.start(6).unwrap().mark.task, tasks[2]);
}

#[test]
fn b51_tasks_begin_in_the_order_in_which_they_were_accepted_and_end_in_any() {
    let mut queue = new();
    let tasks = queue.accept_many(4);
    assert_eq!(queue.start(1).unwrap().mark.task, tasks[0]);
    assert_eq!(queue.start(0).unwrap().mark.task, tasks[1]);
    queue.end(tasks[1]);
    assert_eq!(queue.start(3).unwrap().mark.task, tasks[2]);
    queue.end(tasks[2]);
    assert_eq!(queue.start(3).unwrap().mark.task, tasks[3]);
    queue.end(tasks[3]);
    queue.end(tasks[0]);
    assert!(queue.is_drained());
}

#[test]
fn b52_every_work_item_has_a_number_of_its_own() {
    let mut queue = new();
    queue.accept(None);
    queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    let cancelled = queue.refuse();
    queue.set(Mode::ALLOWED, Action::KEEP_ALL);
    queue.accept(None);
    let numbers: Vec<_> = queue.start_all().iter().map(|mark| (mark.task, mark.sequence)).collect();
    assert_eq!(numbers, [(TaskId(1), 1), (TaskId(3), 3)]);
    assert_eq!((cancelled.task, cancelled.mark.sequence), (TaskId(2), 2));
}

#[test]
fn b53_a_task_ends_once() {
    let mut queue = new();
    let task = queue.accept(None);
    assert!(queue.finish(task).is_none(), "it has not begun");
    queue.start_all();
    queue.end(task);
    assert!(queue.finish(task).is_none() && queue.start(0).is_none());
    queue.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    let cancelled = queue.refuse();
    assert!(queue.start(0).is_none() && queue.finish(cancelled.task).is_none());
    assert!(queue.begin_destruction().cancelled.is_empty());
}

#[test]
fn b54_a_task_may_queue_another_whether_it_is_known_or_not() {
    for commit_covers_followups in [false, true] {
        let mut queue = TaskQueue::new(TaskPolicy { commit_covers_followups, ..Default::default() });
        let task = queue.accept(None);
        queue.start_all();
        queue.accept(Some(task));
        queue.accept(Some(TaskId(99)));
        assert_eq!(queue.run_all().len(), 2);
        assert!(queue.is_drained());
    }
}

#[test]
fn b60_start_and_stop_record_task_number_worker_priority_commits() {
    let mut queue = new();
    let task = queue.accept(None);
    queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS_HIGH_PRIORITY);
    let Started { mark } = queue.start(3).unwrap();
    let commits = vec![CommitId(1)];
    let expected = mark::BackgroundWorkStart {
        task,
        sequence: 1,
        priority: WorkPriority::ABOVE_IDLE,
        worker: 3,
        pipeline_state: PipelineStateId(107),
        commits: commits.clone(),
    };
    assert_eq!(mark, expected);
    let (context, pipeline_state, _) = queue.context_of(task).unwrap();
    assert_eq!((context, pipeline_state), (7, PipelineStateId(107)));
    let mark::BackgroundWorkStart { sequence, priority, worker, pipeline_state, .. } = mark;
    let expected = mark::BackgroundWorkStop { task, sequence, priority, worker, pipeline_state, commits };
    assert_eq!(queue.end(task).mark, expected);
    assert!(queue.context_of(task).is_none());
}

#[test]
fn tens_of_thousands_of_tasks_and_a_hundred_commits_pass_through() {
    let mut queue = new();
    let tasks = queue.accept_many(50_000);
    for _ in 0..100 {
        queue.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    }
    let mut done = 0;
    for task in tasks {
        assert_eq!(queue.start(0).unwrap().mark.task, task);
        done += queue.end(task).done.len();
    }
    assert_eq!(done, 100);
}
