//! Recording of the resources of a glTF scene.

use super::{Calls, Steps, Summary};
use crate::Error;
use std::path::{Path, PathBuf};
use taut_capture::Session;
use taut_traces::Workload;
use taut_workloads::scene::{self, Scene, SceneError};
use taut_workloads::{Parameters, WorkloadError};

/// File of a scene.
pub(super) struct SceneSource {
    pub path: PathBuf,
    pub parameters: Parameters,
}

/// A scene that was read.
pub(super) struct SceneCalls {
    path: PathBuf,
    scene: Scene,
    parameters: Parameters,
}

impl SceneSource {
    /// Reads the scene.
    pub fn read(self) -> Result<SceneCalls, Error> {
        let SceneSource { path, parameters } = self;
        let scene = scene::read(&path).map_err(scene_error)?;
        Ok(SceneCalls { path, scene, parameters })
    }
}

/// Classifies the error of a scene that cannot be read.
pub(super) fn scene_error(error: SceneError) -> Error {
    match error {
        SceneError::Read { ref source, .. } => Error::reading(source.kind(), error),
        error => Error::input(error),
    }
}

impl Calls for SceneCalls {
    fn files(&self) -> Vec<&Path> {
        self.scene.files.iter().map(PathBuf::as_path).collect()
    }

    fn workload(&self) -> Workload {
        Workload { name: self.scene.name.clone(), parameters: self.scene.facts(&self.parameters) }
    }

    fn steps(&self) -> Steps {
        Steps { total: self.scene.summary(&self.parameters).resources(), name: "recording resources" }
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        scene::run(&self.scene, session, &self.parameters).map(|()| self.summary())
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::workload(error, Error::input).context(self.path.display().to_string())
    }

    fn summary(&self) -> Summary {
        Summary::Scene(self.scene.summary(&self.parameters))
    }

    fn left_out(&self) -> Option<String> {
        let left_out = self.scene.summary(&self.parameters).left_out()?;
        Some(format!("{}: {left_out}", self.path.display()))
    }
}
