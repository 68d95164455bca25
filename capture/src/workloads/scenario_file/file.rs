//! A scenario as a file has it.

use super::super::error::WorkloadError;
use super::super::steps::Steps;
use super::shader_sets::ShaderSet;
use super::step::{Step, most_frames};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use taut_runtime::ProfileError;
use taut_shaders::MaterialError;
use thiserror::Error;

/// Why a scenario could not be read. Nothing of it is used then.
#[derive(Debug, Error)]
pub enum ScenarioError {
    /// The file could not be read.
    #[error("{origin}: cannot read: {source}")]
    Read {
        /// Name of the file, as it was given.
        origin: String,
        /// What the system says.
        source: io::Error,
    },
    /// The text is no TOML, or says what a scenario cannot say.
    #[error(transparent)]
    Text(#[from] ProfileError),
    /// A shader out of a file is wrong.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A bundled shader is wrong.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
}

/// A scenario: phases, and what threads do in them.
#[derive(Debug, Clone)]
pub struct ScenarioFile {
    /// Its own name.
    pub name: String,
    /// What errors call it.
    pub(super) origin: String,
    pub(super) developer_mode: Option<bool>,
    pub(super) phases: Vec<Phase>,
    pub(super) sets: Vec<ShaderSet>,
    /// Names of events.
    pub(super) events: Vec<String>,
}

/// A named part of a scenario.
#[derive(Debug, Clone)]
pub(super) struct Phase {
    pub name: String,
    /// By thread, what it does.
    pub threads: Vec<Vec<Step>>,
}

impl ScenarioFile {
    /// Application threads.
    pub fn threads(&self) -> u32 {
        self.phases.iter().map(|phase| phase.threads.len()).max().unwrap_or_default().max(1) as u32
    }

    /// How many frames it plays.
    pub fn steps(&self) -> Steps {
        let threads = self.phases.iter().flat_map(|phase| &phase.threads);
        Steps::AtMost(threads.fold(0, |sum: u64, steps| sum.saturating_add(most_frames(steps))))
    }

    /// What a trace's header says of it.
    pub fn facts(&self) -> BTreeMap<String, Value> {
        let phases: Vec<&str> = self.phases.iter().map(|phase| phase.name.as_str()).collect();
        BTreeMap::from([
            ("phases".to_owned(), Value::from(phases.join(", "))),
            ("threads".to_owned(), Value::from(self.threads())),
        ])
    }
}
