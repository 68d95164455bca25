//! Number of concurrent tasks over time.

use crate::background::{Background, BackgroundEvent, RundownTask, TaskPriority, TaskStarted, TaskStopped};
use crate::reports::figures::figures;
use std::collections::HashMap;
use taut_schemas::{TaskId, WorkPriority};

figures! {
    /// Concurrency of tasks over the whole trace.
    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct ConcurrencyFigures {
        max_idle_tasks: u64, Count, "Maximum number of concurrent tasks at idle priority.";
        max_boosted_tasks: u64, Count, "Maximum number of concurrent tasks above idle priority, such as those of a commit at high priority.";
        mean_tasks: Option<f64>, Count, "Mean number of concurrent tasks while any task ran; null without tasks.";
        busy_ratio: Option<f64>, Ratio, "Share of the trace's time with a running task.";
    }
}

/// One step of the concurrency curve: the numbers of running tasks from a timestamp on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Running {
    pub stamp: u64,
    pub unboosted: u64,
    pub boosted: u64,
}

/// Concurrency curve: the numbers of running tasks after each change.
pub(crate) fn running(background: &Background) -> Vec<Running> {
    let mut priorities: HashMap<TaskId, WorkPriority> = HashMap::new();
    let (mut curve, mut now) = (Vec::new(), Running { stamp: 0, unboosted: 0, boosted: 0 });
    for (at, event) in &background.events {
        let (task, wanted) = match event {
            BackgroundEvent::TaskStarted(TaskStarted { task, priority, .. }) => (*task, Some(*priority)),
            BackgroundEvent::TaskPriority(TaskPriority { task, priority }) if priorities.contains_key(task) => {
                (*task, Some(*priority))
            }
            // Only tasks that ran before the recording started; the events of later tasks are in the trace.
            BackgroundEvent::RundownTask(RundownTask { task, runs: Some(run), .. }) => (*task, Some(run.priority)),
            BackgroundEvent::TaskStopped(TaskStopped { task }) => (*task, None),
            _ => continue,
        };
        let before = match wanted {
            Some(priority) => priorities.insert(task, priority),
            None => priorities.remove(&task),
        };
        if let Some(before) = before {
            *now.count(before) -= 1;
        }
        if let Some(wanted) = wanted {
            *now.count(wanted) += 1;
        }
        now.stamp = at.stamp;
        curve.push(now);
    }
    curve
}

impl Running {
    fn count(&mut self, priority: WorkPriority) -> &mut u64 {
        if priority == WorkPriority::IDLE { &mut self.unboosted } else { &mut self.boosted }
    }
}

/// Computes the maxima, the mean and the busy share.
pub(super) fn concurrency(background: &Background) -> ConcurrencyFigures {
    let curve = running(background);
    let (first, end) = background.span;
    let ends = curve.iter().skip(1).map(|next| next.stamp).chain([end]);
    let (mut busy, mut weighted) = (0_u128, 0_u128);
    for (step, until) in curve.iter().zip(ends) {
        let (count, ticks) = (step.unboosted + step.boosted, until.saturating_sub(step.stamp));
        busy += if count > 0 { u128::from(ticks) } else { 0 };
        weighted += u128::from(count) * u128::from(ticks);
    }
    let ratio = |part: u128, of: u128| (of > 0).then(|| part as f64 / of as f64);
    ConcurrencyFigures {
        max_idle_tasks: curve.iter().map(|step| step.unboosted).max().unwrap_or_default(),
        max_boosted_tasks: curve.iter().map(|step| step.boosted).max().unwrap_or_default(),
        mean_tasks: ratio(weighted, busy),
        busy_ratio: ratio(busy, end.saturating_sub(first).into()),
    }
}
