//! Frame times with and without concurrent tasks.

use super::Distribution;
use super::concurrency::running;
use crate::analysis::Analysis;
use crate::background::{Background, covered, joined};
use crate::reports::figures::{figures, single_values};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Background work concurrent with a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConcurrentWork {
    Nothing,
    /// Only tasks at idle priority, for less than half of the frame.
    IdleBelowHalf,
    /// Only tasks at idle priority, for at least half of the frame.
    IdleHalfOrMore,
    /// Tasks for less than half of the frame, at least one of them above idle priority or with a refused priority.
    BoostedBelowHalf,
    /// Tasks for at least half of the frame, at least one of them above idle priority or with a refused priority.
    BoostedHalfOrMore,
}

impl ConcurrentWork {
    /// Display name.
    pub(super) fn words(self) -> &'static str {
        match self {
            ConcurrentWork::Nothing => "no task",
            ConcurrentWork::IdleBelowHalf => "idle tasks, less than half of the frame",
            ConcurrentWork::IdleHalfOrMore => "idle tasks, half of the frame or more",
            ConcurrentWork::BoostedBelowHalf => "boosted tasks, less than half of the frame",
            ConcurrentWork::BoostedHalfOrMore => "boosted tasks, half of the frame or more",
        }
    }
}

single_values!(ConcurrentWork, TasksOn);

figures! {
    /// Frame times for one class of concurrent work.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct InterferenceFigures {
        concurrent_work: ConcurrentWork, Text, "`nothing`; `idle_below_half` or `idle_half_or_more`: tasks ran for less than half of the frame, or for half or more, all at idle priority; `boosted_below_half` or `boosted_half_or_more`: some of them above idle priority.";
        frame_time: Distribution, Group, same;
    }
}

/// Processors of tasks concurrent with a frame, compared to those of the frame's draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TasksOn {
    None,
    /// Other processors than those of the frame's draws.
    OtherProcessors,
    /// At least one processor that also submitted draws of the frame.
    TheSame,
    /// The trace does not contain the processors.
    Unknown,
}

impl TasksOn {
    /// Display name.
    pub(super) fn words(self) -> &'static str {
        match self {
            TasksOn::None => "no task",
            TasksOn::OtherProcessors => "tasks on other processors",
            TasksOn::TheSame => "tasks on the processor of the draws",
            TasksOn::Unknown => "processor unknown",
        }
    }
}

figures! {
    /// Frame times for one class of task processors.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ProcessorFigures {
        tasks_on: TasksOn, Text, "`none`, `other_processors`, `the_same`, or `unknown`: the processor of the draws or of a concurrent task is not recorded.";
        frame_time: Distribution, Group, same;
    }
}

/// Frame times by concurrent work, for each class that occurs; frames without tasks come first.
pub(super) fn interference(analysis: &Analysis, background: &Background) -> Vec<InterferenceFigures> {
    let figures = sorts(background).into_iter().map(|(concurrent_work, ticks)| InterferenceFigures {
        concurrent_work,
        frame_time: Distribution::of(analysis, ticks.into_iter()),
    });
    figures.collect()
}

/// Frame times by processors of the tasks.
pub(super) fn by_processor(analysis: &Analysis, background: &Background) -> Vec<ProcessorFigures> {
    let figures = processors(background).into_iter().map(|(tasks_on, ticks)| ProcessorFigures {
        tasks_on,
        frame_time: Distribution::of(analysis, ticks.into_iter()),
    });
    figures.collect()
}

/// Frame times in ticks, by concurrent work.
fn sorts(background: &Background) -> BTreeMap<ConcurrentWork, Vec<u64>> {
    let (busy, boosted) = (background.busy(), boosted(background));
    let mut sorts: BTreeMap<ConcurrentWork, Vec<u64>> = BTreeMap::new();
    for frame in &background.frames {
        let extent = (frame.began_stamp, frame.ended_stamp);
        let ticks = extent.1.saturating_sub(extent.0);
        let covered_ticks = covered(&busy, extent.0, extent.1);
        let half = covered_ticks >= ticks.div_ceil(2);
        let sort = match (covered_ticks, covered(&boosted, extent.0, extent.1), half) {
            (0, ..) => ConcurrentWork::Nothing,
            (_, 0, false) => ConcurrentWork::IdleBelowHalf,
            (_, 0, true) => ConcurrentWork::IdleHalfOrMore,
            (_, _, false) => ConcurrentWork::BoostedBelowHalf,
            (_, _, true) => ConcurrentWork::BoostedHalfOrMore,
        };
        sorts.entry(sort).or_default().push(ticks);
    }
    sorts
}

/// Frame times in ticks, by processors of the tasks. Empty if the processor of no task is known.
fn processors(background: &Background) -> BTreeMap<TasksOn, Vec<u64>> {
    let mut sorts: BTreeMap<TasksOn, Vec<u64>> = BTreeMap::new();
    let used: BTreeSet<u32> = background.tasks.iter().map(|task| task.processor).collect();
    // Processor 0 means unknown.
    if used.iter().all(|processor| *processor == 0) {
        return sorts;
    }
    let busy: Vec<(u32, Vec<(u64, u64)>)> =
        used.into_iter().map(|one| (one, background.busy_with(|task| task.processor == one))).collect();
    for frame in &background.frames {
        let extent = (frame.began_stamp, frame.ended_stamp);
        let concurrent: Vec<u32> = busy
            .iter()
            .filter(|(_, busy)| covered(busy, extent.0, extent.1) > 0)
            .map(|(processor, _)| *processor)
            .collect();
        let first = background.drawn_on.partition_point(|(stamp, _)| *stamp < extent.0);
        let drawn = || background.drawn_on[first..].iter().take_while(|(stamp, _)| *stamp <= extent.1);
        let tasks_on = if concurrent.is_empty() {
            TasksOn::None
        } else if drawn().any(|(_, processor)| concurrent.contains(processor)) {
            TasksOn::TheSame
        } else if concurrent.contains(&0) || drawn().next().is_none() {
            TasksOn::Unknown
        } else {
            TasksOn::OtherProcessors
        };
        sorts.entry(tasks_on).or_default().push(extent.1.saturating_sub(extent.0));
    }
    sorts
}

/// Merged time ranges in which a task ran above idle priority, either by its priority or because the operating system
/// refused to lower it.
fn boosted(background: &Background) -> Vec<(u64, u64)> {
    let (mut stretches, mut began) = (background.busy_with(|task| task.priority_refused), None);
    for step in running(background) {
        match (began, step.boosted > 0) {
            (None, true) => began = Some(step.stamp),
            (Some(from), false) => {
                stretches.push((from, step.stamp));
                began = None;
            }
            _ => {}
        }
    }
    stretches.extend(began.map(|from| (from, background.span.1)));
    joined(stretches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::{At, BackgroundEvent, Frame, Started, Task, TaskStarted, TaskStopped};
    use taut_schemas::{PipelineStateId, TaskId, WorkPriority};

    /// Adds a task that runs from one timestamp to another.
    fn add(background: &mut Background, id: u64, priority: WorkPriority, (from, to): (u64, u64)) {
        let (task, pipeline_state) = (TaskId(id), PipelineStateId::NULL);
        let started = Some(Started { stamp: from, worker: 0, priority });
        background.tasks.push(Task { id: task, started, stopped_stamp: Some(to), ..Task::default() });
        let began = TaskStarted { task, sequence: id, priority, worker: 0, pipeline_state };
        background.events.push((At { stamp: from, thread: 0 }, BackgroundEvent::TaskStarted(began)));
        background.events.push((At { stamp: to, thread: 0 }, BackgroundEvent::TaskStopped(TaskStopped { task })));
    }

    #[test]
    fn frames_are_grouped_by_share_and_priority_of_concurrent_tasks() {
        let frame = |number: u64| Frame {
            command_queue: Default::default(),
            number,
            began_stamp: 100 * number,
            ended_stamp: 100 * number + 100,
            pass: 0,
        };
        let mut background = Background::default();
        (background.frames, background.span) = ((1..=5).map(frame).collect(), (0, 700));
        add(&mut background, 1, WorkPriority::IDLE, (210, 230));
        add(&mut background, 2, WorkPriority::IDLE, (350, 400));
        add(&mut background, 3, WorkPriority::ABOVE_IDLE, (401, 402));
        add(&mut background, 4, WorkPriority::ABOVE_IDLE, (500, 600));
        let expected = [
            ConcurrentWork::Nothing,
            ConcurrentWork::IdleBelowHalf,
            ConcurrentWork::IdleHalfOrMore,
            ConcurrentWork::BoostedBelowHalf,
            ConcurrentWork::BoostedHalfOrMore,
        ];
        let found: Vec<_> = sorts(&background).into_iter().collect();
        assert_eq!(found, expected.map(|concurrent_work| (concurrent_work, vec![100])));
    }

    #[test]
    fn a_task_that_the_system_refused_to_lower_ran_above_idle_priority() {
        let frame = Frame { command_queue: Default::default(), number: 2, began_stamp: 0, ended_stamp: 100, pass: 0 };
        let mut background = Background { frames: vec![frame], span: (0, 100), ..Background::default() };
        add(&mut background, 1, WorkPriority::IDLE, (10, 30));
        assert_eq!(sorts(&background).into_keys().collect::<Vec<_>>(), [ConcurrentWork::IdleBelowHalf]);
        background.tasks[0].priority_refused = true;
        assert_eq!(sorts(&background).into_keys().collect::<Vec<_>>(), [ConcurrentWork::BoostedBelowHalf]);
    }

    #[test]
    fn frames_are_grouped_by_whether_tasks_share_their_draws_processor() {
        let frame = |number: u64| Frame {
            command_queue: Default::default(),
            number,
            began_stamp: 100 * number,
            ended_stamp: 100 * number + 100,
            pass: 0,
        };
        let mut background = Background { frames: (1..=4).map(frame).collect(), ..Background::default() };
        for (id, from) in [(1, 210), (2, 310), (3, 410)] {
            add(&mut background, id, WorkPriority::IDLE, (from, from + 20));
        }
        assert!(processors(&background).is_empty(), "nobody knows any processor");
        (background.tasks[0].processor, background.tasks[1].processor) = (1, 2);
        background.drawn_on = vec![(150, 1), (250, 1), (350, 1), (450, 1)];
        let found: Vec<_> = processors(&background).into_iter().map(|(sort, frames)| (sort, frames.len())).collect();
        let expected = [TasksOn::None, TasksOn::OtherProcessors, TasksOn::TheSame, TasksOn::Unknown];
        assert_eq!(found, expected.map(|sort| (sort, 1)));
    }
}
