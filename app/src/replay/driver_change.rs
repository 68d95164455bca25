//! Difference between the recorded drivers and those of a what-if, and its effect.

use super::tasks::current;
use super::{PresentDiff, WhatIf};
use crate::Error;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use taut_analyze::{Analysis, Findings, report};
use taut_traces::{Trace, World};

/// Keys of a profile that do not describe the behaviour of its driver.
const NAMING_KEYS: [&str; 3] = ["/name", "/description", "/fails"];

/// Key of a driver's profile whose value differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileChange {
    /// Index of the adapter, from 1.
    pub adapter: u64,
    /// Path of the key, such as `background.n_min`.
    pub key: String,
    /// Recorded value; null if the recorded profile does not have the key.
    pub recorded: Value,
    pub live: Value,
}

/// Returns the keys that differ between the recorded drivers and those of `world`, in the order of the profiles.
pub fn profile_changes(recorded: &World, world: &World) -> Vec<ProfileChange> {
    let mut changes = Vec::new();
    for (index, (before, after)) in recorded.adapters.iter().zip(&world.adapters).enumerate() {
        let (before, after) = (current(&before.profile), current(&after.profile));
        collect("", &before, &after, &mut |path, recorded, live| {
            if !NAMING_KEYS.contains(&path) {
                let key = path.trim_start_matches('/').replace('/', ".");
                changes.push(ProfileChange {
                    adapter: index as u64 + 1,
                    key,
                    recorded: recorded.clone(),
                    live: live.clone(),
                });
            }
        });
    }
    changes
}

/// Passes the path and the values of each differing leaf to `found`. A table that only one of the profiles has is a leaf.
fn collect(path: &str, before: &Value, after: &Value, found: &mut impl FnMut(&str, &Value, &Value)) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(one), Value::Object(other)) => {
            let only_after = other.keys().filter(|key| !one.contains_key(*key));
            for key in one.keys().chain(only_after) {
                let value = |table: &serde_json::Map<String, Value>| table.get(key).cloned().unwrap_or_default();
                collect(&format!("{path}/{key}"), &value(one), &value(other), found);
            }
        }
        _ => found(path, before, after),
    }
}

/// Figures of background tasks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct TaskFigures {
    /// Variants taken into use.
    pub variants: u64,
    pub tasks_finished: u64,
    /// Share of draws that ran a variant.
    pub variant_draw_ratio: Option<f64>,
    /// Share of the generic shaders' instructions that were not executed.
    pub saving_ratio: Option<f64>,
}

impl TaskFigures {
    /// Reads the figures of a trace from the report `pgo`.
    ///
    /// # Errors
    /// The trace cannot be analyzed.
    pub fn of(trace: impl Into<Arc<Trace>>) -> Result<TaskFigures, Error> {
        let analysis = Analysis::new(trace)?;
        let findings = Findings::of(&analysis, &[report("pgo")?])?;
        let pgo = findings.reports()["pgo"].take();
        let count = |key: &str| pgo[key].as_u64().unwrap_or_default();
        Ok(TaskFigures {
            variants: count("variants"),
            tasks_finished: count("tasks_finished"),
            variant_draw_ratio: pgo["variant_draw_ratio"].as_f64(),
            saving_ratio: pgo["saving_ratio"].as_f64(),
        })
    }
}

/// Background tasks as recorded and in the what-if.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TaskComparison {
    pub recorded: TaskFigures,
    pub live: TaskFigures,
}

impl WhatIf {
    /// True if no size, object, result, task or present differs from the recording, as far as was compared.
    pub fn is_without_effect(&self, tasks: Option<TaskComparison>, presents: &PresentDiff) -> bool {
        let outcome = &self.outcome;
        let objects = outcome.failed_creations + outcome.new_creations + outcome.skipped_calls + outcome.heaps_grown;
        let has_equal_tasks = match tasks {
            Some(TaskComparison { recorded, live }) => recorded == live,
            None => outcome.replayed.tasks == outcome.replayed.recorded_tasks,
        };
        let has_equal_presents = !presents.has_any || presents.differences.as_ref().is_some_and(Vec::is_empty);
        let has_equal_memory = outcome.resources.is_empty() && outcome.live_bytes == outcome.recorded_bytes;
        objects == 0 && has_equal_memory && outcome.changed_results.is_empty() && has_equal_tasks && has_equal_presents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differing_keys_are_listed_with_their_path_and_equal_ones_are_not() {
        let before = json!({"name": "a", "caps": {"x": 1, "y": 2}, "background": {"n_min": 200}});
        let after = json!({"name": "b", "caps": {"x": 1, "y": 3, "z": true}, "background": null});
        let mut found = Vec::new();
        collect("", &before, &after, &mut |path, one, other| found.push(format!("{path} {one} {other}")));
        found.sort();
        let expected = [r#"/background {"n_min":200} null"#, "/caps/y 2 3", "/caps/z null true", r#"/name "a" "b""#];
        assert_eq!(found, expected);
    }
}
