//! Flows (arrows) of background tasks, from their queuing to the first use of their results.

use crate::background::Background;
use foldhash::{HashMap, HashSet};
use taut_schemas::{TaskId, VariantId};

/// Tasks with a flow, which have at least two points on the timeline.
#[derive(Debug, Default)]
pub struct Flows {
    followed: HashSet<TaskId>,
    /// Tasks by the submission in which their variants were used first.
    first_uses: HashMap<u64, Vec<TaskId>>,
}

impl Flows {
    pub fn new(background: &Background) -> Flows {
        let mut makers: HashMap<VariantId, TaskId> = background
            .tasks
            .iter()
            .filter(|task| task.variant != VariantId::NULL)
            .map(|task| (task.variant, task.id))
            .collect();
        let mut flows = Flows::default();
        let mut used = HashSet::default();
        for draw in &background.draws {
            if draw.submitted_stamp.is_some()
                && let Some(task) = makers.remove(&draw.run.variant)
            {
                used.insert(task);
                flows.first_uses.entry(draw.submission).or_default().push(task);
            }
        }
        for task in &background.tasks {
            let is_queued = task.queued_stamp.is_some();
            let ends = [is_queued, task.started.is_some(), task.outcome.is_some(), used.contains(&task.id)];
            if ends.into_iter().filter(|end| *end).count() > 1 {
                flows.followed.insert(task.id);
            }
        }
        flows
    }

    /// The flow id of a task; `None` without a second point to connect.
    pub fn of(&self, task: TaskId) -> Option<u64> {
        self.followed.contains(&task).then_some(task.0)
    }

    /// The flows that end in a submission.
    pub fn first_uses(&self, submission: u64) -> Vec<u64> {
        let tasks = self.first_uses.get(&submission).into_iter().flatten();
        tasks.filter_map(|task| self.of(*task)).collect()
    }
}
