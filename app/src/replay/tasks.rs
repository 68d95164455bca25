//! Background tasks of a what-if.

use super::WhatIfOptions;
use crate::Error;
use serde_json::Value;
use taut_replay::{ReplayError, Replayer, TaskModel};
use taut_runtime::Profile;
use taut_traces::World;

/// Returns the model that schedules the background tasks of the what-if's `world`. `None` means that the recorded tasks
/// are replayed: `options` have no option of tasks, and background tasks depend on no difference between the worlds.
///
/// # Errors
/// The model cannot be derived from the trace.
pub(super) fn task_model(
    replayer: &Replayer<'_>,
    options: &WhatIfOptions,
    world: &World,
    recorded: &World,
) -> Result<Option<TaskModel>, ReplayError> {
    let is_requested = options.workers.is_some() || options.task_ns.is_some();
    if !is_requested && !has_other_tasks(world, recorded) {
        return Ok(None);
    }
    replayer.task_model(world, options.workers, options.task_ns).map(Some)
}

/// Parts of a driver's profile that background tasks depend on, as JSON pointers.
const OF_PROFILE: [&str; 3] = ["/background", "/faults", "/caps/background_processing"];

/// Settings that background tasks depend on, as JSON pointers.
const OF_SETTINGS: [&str; 6] = [
    "/max_background_tasks",
    "/max_boosted_tasks",
    "/disable_cancels_queued",
    "/commit_covers_followups",
    "/boost_covers_later_tasks",
    "/tasks_at_destruction",
];

/// True if the drivers or the runtime of `world` process background tasks differently from the recorded drivers or
/// runtime.
fn has_other_tasks(world: &World, recorded: &World) -> bool {
    let of = |world: &World| -> Vec<Option<Value>> {
        let profiles = world.adapters.iter().map(|adapter| current(&adapter.profile));
        let of_profiles = profiles.flat_map(|profile| OF_PROFILE.map(|key| profile.pointer(key).cloned()));
        of_profiles.chain(OF_SETTINGS.map(|key| world.settings.pointer(key).cloned())).collect()
    };
    of(world) != of(recorded)
}

/// Returns a recorded profile with the keys and defaults of this build. A value that this build cannot parse as a
/// profile is returned unchanged.
pub(super) fn current(profile: &Value) -> Value {
    let known = serde_json::from_value::<Profile>(profile.clone()).and_then(serde_json::to_value);
    known.unwrap_or_else(|_| profile.clone())
}

/// Adds `model` to the parameter `what_if` of the workload, if there is a model.
pub(super) fn add_model(world: &mut World, model: Option<TaskModel>) -> Result<(), Error> {
    let Some(model) = model else { return Ok(()) };
    if let Some(Value::Object(what_if)) = world.workload.parameters.get_mut("what_if") {
        what_if.insert("tasks".to_owned(), serde_json::to_value(model).map_err(Error::input)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_runtime::Settings;

    #[test]
    fn the_settings_that_tasks_depend_on_are_those_of_the_task_policy() {
        let default = serde_json::to_value(Settings::default()).unwrap_or_default();
        assert!(OF_SETTINGS.iter().all(|key| default.pointer(key).is_some()));
        let policy = serde_json::to_value(Settings::default().task_policy()).unwrap_or_default();
        assert_eq!(policy.as_object().map(serde_json::Map::len), Some(OF_SETTINGS.len()));
    }
}
