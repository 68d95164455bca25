//! Scenario as parsed from a file.

use super::shader_sets::ShaderSet;
use super::step::{Step, max_frames};
use crate::bundled::steps::Steps;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Scenario: phases, with the steps of each thread.
#[derive(Debug, Clone)]
pub struct ScenarioFile {
    /// Name of the scenario.
    pub name: String,
    /// Files that its shaders were read from.
    pub shader_files: Vec<PathBuf>,
    /// Name of the file, for errors.
    pub(super) origin: String,
    pub(super) developer_mode: Option<bool>,
    pub(super) phases: Vec<Phase>,
    pub(super) sets: Vec<ShaderSet>,
    /// Names of the events.
    pub(super) events: Vec<String>,
}

/// Phase of a scenario.
#[derive(Debug, Clone)]
pub(super) struct Phase {
    pub name: String,
    /// Steps of each thread. Threads with the same steps share them, because the text has them once.
    pub threads: Vec<Arc<Vec<Step>>>,
}

impl ScenarioFile {
    /// Number of application threads.
    pub fn threads(&self) -> u32 {
        self.phases.iter().map(|phase| phase.threads.len()).max().unwrap_or_default().max(1) as u32
    }

    /// Number of frames that the scenario draws.
    pub fn steps(&self) -> Steps {
        let threads = self.phases.iter().flat_map(|phase| &phase.threads);
        Steps::UpTo(threads.fold(0, |sum: u64, steps| sum.saturating_add(max_frames(steps))))
    }

    /// Returns facts about the scenario, for a trace's header.
    pub fn facts(&self) -> BTreeMap<String, Value> {
        let phases: Vec<&str> = self.phases.iter().map(|phase| phase.name.as_str()).collect();
        BTreeMap::from([
            ("phases".to_owned(), Value::from(phases.join(", "))),
            ("threads".to_owned(), Value::from(self.threads())),
        ])
    }
}
