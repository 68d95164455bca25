//! How long frames took that had tasks beside them, and those that had none.

use super::Distribution;
use super::concurrency::running;
use crate::analysis::Analysis;
use crate::background::{Background, covered};
use serde::Serialize;
use std::collections::BTreeMap;

/// What ran beside a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Beside {
    /// No task.
    Nothing,
    /// Tasks at idle priority alone, for less than half of it.
    IdleBelowHalf,
    /// The same, for half of it or more.
    IdleHalfOrMore,
    /// Some task above idle priority, tasks for less than half of it.
    BoostedBelowHalf,
    /// The same, for half of it or more.
    BoostedHalfOrMore,
}

impl Beside {
    /// Its name in tables.
    pub(super) fn words(self) -> &'static str {
        match self {
            Beside::Nothing => "no task",
            Beside::IdleBelowHalf => "idle tasks, below half of it",
            Beside::IdleHalfOrMore => "idle tasks, half or more",
            Beside::BoostedBelowHalf => "boosted tasks, below half of it",
            Beside::BoostedHalfOrMore => "boosted tasks, half or more",
        }
    }
}

/// Frames beside which the same ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct InterferenceFigures {
    /// What ran beside them.
    pub beside: Beside,
    /// How long they took.
    pub frame_time: Distribution,
}

/// The figures of every sort of frame that there is, those without tasks first.
pub(super) fn interference(analysis: &Analysis, background: &Background) -> Vec<InterferenceFigures> {
    let figures = sorts(background).into_iter().map(|(beside, ticks)| InterferenceFigures {
        beside,
        frame_time: Distribution::of(analysis, ticks.into_iter()),
    });
    figures.collect()
}

/// How long frames took, in ticks, by what ran beside them.
fn sorts(background: &Background) -> BTreeMap<Beside, Vec<u64>> {
    let (busy, boosted) = (background.busy(), boosted(background));
    let mut sorts: BTreeMap<Beside, Vec<u64>> = BTreeMap::new();
    for frame in &background.frames {
        let extent = (frame.began_stamp, frame.ended_stamp);
        let ticks = extent.1.saturating_sub(extent.0);
        let covered_ticks = covered(&busy, extent);
        let half = covered_ticks >= ticks.div_ceil(2);
        let sort = match (covered_ticks, covered(&boosted, extent), half) {
            (0, ..) => Beside::Nothing,
            (_, 0, false) => Beside::IdleBelowHalf,
            (_, 0, true) => Beside::IdleHalfOrMore,
            (_, _, false) => Beside::BoostedBelowHalf,
            (_, _, true) => Beside::BoostedHalfOrMore,
        };
        sorts.entry(sort).or_default().push(ticks);
    }
    sorts
}

/// Stretches of time in which a task ran above idle priority, in order.
fn boosted(background: &Background) -> Vec<(u64, u64)> {
    let (mut stretches, mut began) = (Vec::new(), None);
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
    stretches.retain(|(from, to)| from < to);
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::{At, BackgroundEvent, Frame, Started, Task, TaskStarted, TaskStopped};
    use taut_schemas::{PipelineStateId, TaskId, WorkPriority};

    /// A task from one stamp to another.
    fn add(background: &mut Background, id: u64, priority: WorkPriority, (from, to): (u64, u64)) {
        let (task, pipeline_state) = (TaskId(id), PipelineStateId::NULL);
        let started = Some(Started { stamp: from, worker: 0, priority });
        background.tasks.push(Task { id: task, started, stopped_stamp: Some(to), ..Task::default() });
        let began = TaskStarted { task, sequence: id, priority, worker: 0, pipeline_state };
        background.events.push((At { stamp: from, thread: 0 }, BackgroundEvent::TaskStarted(began)));
        background.events.push((At { stamp: to, thread: 0 }, BackgroundEvent::TaskStopped(TaskStopped { task })));
    }

    #[test]
    fn frames_are_sorted_by_share_and_priority_of_what_ran_beside_them() {
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
            Beside::Nothing,
            Beside::IdleBelowHalf,
            Beside::IdleHalfOrMore,
            Beside::BoostedBelowHalf,
            Beside::BoostedHalfOrMore,
        ];
        let found: Vec<_> = sorts(&background).into_iter().collect();
        assert_eq!(found, expected.map(|beside| (beside, vec![100])));
    }
}
