//! Options of `taut replay` for background tasks in a what-if.

use crate::headings::WHAT_IF;
use clap::Args;
use taut_analyze::render::counted;
use taut_replay::{TaskModel, TaskSpread, TaskTimes};

/// The model of background tasks.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct TaskOptions {
    /// Worker threads for background tasks, all adapters together [default: as in a recording]
    #[arg(long, help_heading = WHAT_IF, value_name = "N", conflicts_with_all = ["place", "repeat"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Time of a background task per instruction, in ns [default: mean of the recorded tasks]
    #[arg(long, help_heading = WHAT_IF, value_name = "NS", conflicts_with_all = ["place", "repeat"])]
    #[arg(value_parser = clap::value_parser!(u64).range(..=TaskModel::MAX_NS_PER_INSTRUCTION))]
    pub task_ns: Option<u64>,
}

/// Describes a model in words.
pub fn model_in_words(model: &TaskModel) -> String {
    let TaskModel { workers, ns_per_instruction, times } = model;
    let by = match times {
        TaskTimes::Explicit => "as asked for".to_owned(),
        TaskTimes::Recorded(TaskSpread { tasks, p5_ns, p95_ns, .. }) => {
            format!("the median of {} in the recording, p5 {p5_ns} ns, p95 {p95_ns} ns", counted(*tasks, "task"))
        }
        TaskTimes::Assumed => "assumed, as the recording has no task".to_owned(),
    };
    format!("tasks on {} at {ns_per_instruction} ns an instruction ({by})", counted(u64::from(*workers), "worker"))
}

/// Describes the tasks of a what-if in words.
pub fn as_words(model: &TaskModel, tasks: u64, recorded_tasks: u64) -> String {
    format!(
        "{} ended, of this driver's own, {recorded_tasks} when recorded: {}. -o FILE writes the what-if \
         trace, whose report `pgo` has their gains\n",
        counted(tasks, "background task"),
        model_in_words(model),
    )
}
