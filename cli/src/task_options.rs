//! Options of `taut replay` that say how background tasks run in another world.

use clap::Args;
use serde_json::Value;
use taut_analyze::render::counted;
use taut_console::outcome::Failure;
use taut_replay::{ReplayError, Replayer, TaskModel, TaskTimes};
use taut_traces::World;

/// The model of background tasks.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct TaskOptions {
    /// What if: so many workers, to each adapter, did the driver's background tasks [default: as many as a recording has]
    #[arg(long, value_name = "N", conflicts_with_all = ["place", "repeat"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// What if: a background task took so many nanoseconds for each instruction that it reads and writes [default: the average
    /// of the recorded tasks]
    #[arg(long, value_name = "NS", conflicts_with_all = ["place", "repeat"])]
    #[arg(value_parser = clap::value_parser!(u64).range(..=TaskModel::MOST_NS))]
    pub task_ns: Option<u64>,
}

impl TaskOptions {
    /// Something is asked of background tasks.
    pub fn is_given(self) -> bool {
        self.workers.is_some() || self.task_ns.is_some()
    }

    /// How background tasks run in another world; none if they are the recorded ones: nothing is asked of them, and nothing is
    /// changed that they go by.
    pub fn model(
        self,
        replayer: &Replayer<'_>,
        (world, recorded): (&World, &World),
    ) -> Result<Option<TaskModel>, ReplayError> {
        if !self.is_given() && !has_other_tasks(world, recorded) {
            return Ok(None);
        }
        replayer.task_model(world, self.workers, self.task_ns).map(Some)
    }
}

/// What in a driver's profile decides about background tasks.
const OF_PROFILE: [&str; 3] = ["/background", "/faults", "/caps/background_processing"];

/// Settings that background tasks go by.
const OF_SETTINGS: [&str; 6] = [
    "/max_background_tasks",
    "/max_boosted_tasks",
    "/disable_cancels_queued",
    "/commit_covers_followups",
    "/boost_covers_later_tasks",
    "/tasks_at_destruction",
];

/// Whether drivers optimise otherwise than those of the recording, or the runtime runs their tasks otherwise.
fn has_other_tasks(world: &World, recorded: &World) -> bool {
    let of = |world: &World| -> Vec<Option<Value>> {
        let profiles = world.adapters.iter().map(|adapter| &adapter.profile);
        let of_profiles = profiles.flat_map(|profile| OF_PROFILE.map(|key| profile.pointer(key).cloned()));
        of_profiles.chain(OF_SETTINGS.map(|key| world.settings.pointer(key).cloned())).collect()
    };
    of(world) != of(recorded)
}

/// Notes in a what-if's header how its tasks ran.
pub fn note_tasks(world: &mut World, model: Option<TaskModel>) -> Result<(), Failure> {
    let Some(model) = model else { return Ok(()) };
    if let Some(Value::Object(what_if)) = world.workload.parameters.get_mut("what_if") {
        what_if.insert("tasks".to_owned(), serde_json::to_value(model).map_err(Failure::input)?);
    }
    Ok(())
}

/// A model, for people.
pub fn model_in_words(model: &TaskModel) -> String {
    let TaskModel { workers, ns_per_instruction, times } = model;
    let by = match times {
        TaskTimes::Given => "as asked for".to_owned(),
        TaskTimes::Recorded(tasks) => format!("the average of {} in the recording", counted(*tasks, "task")),
        TaskTimes::Assumed => "assumed, as the recording has no task".to_owned(),
    };
    format!("tasks on {} at {ns_per_instruction} ns an instruction ({by})", counted(u64::from(*workers), "worker"))
}

/// How tasks ran, for people.
pub fn as_words(model: &TaskModel, tasks: u64, recorded_tasks: u64) -> String {
    format!(
        "{} ended, of this driver's own, {recorded_tasks} when recorded: {}. With -o FILE it writes the other world's trace, whose \
         report `pgo` says what they gained\n",
        counted(tasks, "background task"),
        model_in_words(model),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_runtime::Settings;

    #[test]
    fn the_settings_that_tasks_go_by_are_those_of_the_task_policy() {
        let default = serde_json::to_value(Settings::default()).unwrap_or_default();
        assert!(OF_SETTINGS.iter().all(|key| default.pointer(key).is_some()));
        let policy = serde_json::to_value(Settings::default().task_policy()).unwrap_or_default();
        assert_eq!(policy.as_object().map(serde_json::Map::len), Some(OF_SETTINGS.len()));
    }
}
