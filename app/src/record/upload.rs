//! Recording of the uploads of a glTF scene's textures.

use super::scene::scene_error;
use super::{Calls, RecordOptions, Steps, Summary};
use crate::Error;
use std::path::{Path, PathBuf};
use taut_capture::Session;
use taut_traces::Workload;
use taut_workloads::scene::{self, Scene, upload};
use taut_workloads::{Parameters, WorkloadError};

/// True if the textures of a scene are to be uploaded: the parameter `mode` is the order of the stores.
pub(super) fn is_requested(options: &RecordOptions) -> bool {
    options.parameters.iter().any(|set| set.starts_with("mode="))
}

/// File of a scene.
pub(super) struct UploadSource {
    pub path: PathBuf,
    pub parameters: Parameters,
}

/// A scene that was read.
pub(super) struct UploadCalls {
    path: PathBuf,
    scene: Scene,
    parameters: Parameters,
}

impl UploadSource {
    /// Reads the scene.
    pub fn read(self) -> Result<UploadCalls, Error> {
        let UploadSource { path, parameters } = self;
        let scene = scene::read(&path).map_err(scene_error)?;
        Ok(UploadCalls { path, scene, parameters })
    }
}

impl Calls for UploadCalls {
    fn files(&self) -> Vec<&Path> {
        self.scene.files.iter().map(PathBuf::as_path).collect()
    }

    fn workload(&self) -> Workload {
        Workload { name: self.scene.name.clone(), parameters: self.scene.facts(&self.parameters) }
    }

    fn steps(&self) -> Steps {
        Steps { total: upload::steps(&self.scene, &self.parameters), name: "recording uploads" }
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        upload::run(&self.scene, session, &self.parameters).map(|()| Summary::Generated)
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::workload(error, Error::input).context(self.path.display().to_string())
    }

    fn left_out(&self) -> Option<String> {
        let left_out = self.scene.summary(&self.parameters).left_out()?;
        Some(format!("{}: {left_out}", self.path.display()))
    }
}
