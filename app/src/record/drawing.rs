//! Recording of the draws of a glTF scene in deferred contexts.

use super::scene::scene_error;
use super::{Calls, RecordOptions, Steps, Summary};
use crate::Error;
use crate::replay::api_support::fitting;
use std::path::{Path, PathBuf};
use taut_capture::{Adapters, Session};
use taut_traces::Workload;
use taut_workloads::scene::drawing::{self, Drawing};
use taut_workloads::{Parameters, WorkloadError};

/// Default driver: one with handles per context.
pub(super) const DEFAULT_DRIVER: &str = "d3d11on12-like";

/// True if the scene is to be drawn: the last parameter `api` decides.
pub(super) fn is_requested(options: &RecordOptions) -> bool {
    options.parameters.iter().rev().find(|set| set.starts_with("api=")).is_some_and(|set| set == "api=d3d11")
}

/// Checks that the drivers have handles per context, without which the runtime refuses deferred contexts.
pub(super) fn check_drivers(adapters: &Adapters) -> Result<(), Error> {
    let Some(profile) = adapters.profiles().find(|profile| profile.contexts.is_none()) else { return Ok(()) };
    Err(Error::usage(format_args!(
        "--driver {}: {} has no handles per Direct3D 11 context (table [contexts] of its profile), which api=d3d11 needs; try \
         one of {}",
        adapters.names(),
        profile.name,
        fitting()
    )))
}

/// File of a scene.
pub(super) struct DrawingSource {
    pub path: PathBuf,
    pub parameters: Parameters,
}

/// A scene that was read.
pub(super) struct DrawingCalls {
    path: PathBuf,
    drawing: Drawing,
    parameters: Parameters,
}

impl DrawingSource {
    /// Reads the scene.
    pub fn read(self) -> Result<DrawingCalls, Error> {
        let DrawingSource { path, parameters } = self;
        let drawing = Drawing::read(&path).map_err(scene_error)?;
        Ok(DrawingCalls { path, drawing, parameters })
    }
}

impl Calls for DrawingCalls {
    fn files(&self) -> Vec<&Path> {
        self.drawing.files().iter().map(PathBuf::as_path).collect()
    }

    fn workload(&self) -> Workload {
        Workload { name: self.drawing.name().to_owned(), parameters: self.drawing.facts(&self.parameters) }
    }

    fn steps(&self) -> Steps {
        Steps { total: self.drawing.summary(&self.parameters).steps(), name: "recording draws" }
    }

    fn run(&self, session: &Session) -> Result<Summary, WorkloadError> {
        drawing::run(&self.drawing, session, &self.parameters).map(|()| self.summary())
    }

    fn error(&self, error: WorkloadError) -> Error {
        Error::workload(error, Error::input).context(self.path.display().to_string())
    }

    fn summary(&self) -> Summary {
        Summary::Drawing(self.drawing.summary(&self.parameters))
    }

    fn left_out(&self) -> Option<String> {
        let left_out = self.drawing.left_out(&self.parameters)?;
        Some(format!("{}: {left_out}", self.path.display()))
    }
}
