//! Kinds of workloads, found by name or by the ending of a file name.

use super::call_log::LogSource;
use super::capture::{CaptureFormat, CaptureSource};
use super::drawing::DrawingSource;
use super::dump::DumpSource;
use super::generated::Generated;
use super::presents::PresentSource;
use super::scenario::ScenarioSource;
use super::scene::SceneSource;
use super::upload::UploadSource;
use super::{Calls, RecordOptions, RecordWorld};
use crate::world::{DEFAULT_DRIVER, parts};
use crate::{Error, Progress};
use std::path::Path;
use taut_capture::Adapters;
use taut_workloads::inputs::{self, Detected, INPUTS, InputKind};
use taut_workloads::present_log::{PresentLog, PresentReading};
use taut_workloads::{self as workloads, Parameters, WORKLOADS, Workload, present_log, scene};

/// Kind of a workload.
pub(super) enum Kind {
    Bundled(&'static Workload),
    /// A glTF scene whose resources are loaded.
    Scene,
    /// A glTF scene that is drawn.
    Drawing,
    /// A glTF scene whose textures are uploaded.
    Upload,
    Dump,
    /// A capture of presents. It is read first, because it decides the machine.
    Presents(Box<PresentReading>),
    Scenario,
    CallLog,
    /// A converted capture of GFXReconstruct, or a trace of GPGMM.
    Capture(CaptureFormat),
}

/// Kind of the requested workload, with its defaults.
pub(super) struct Found<'o> {
    /// `None` if it is none of the kinds.
    pub source: Option<Kind>,
    pub machine: Option<&'o str>,
    pub default_driver: &'static str,
}

/// A workload with its parameters.
pub(super) enum Source {
    Generated(Generated),
    Scene(SceneSource),
    Drawing(DrawingSource),
    Upload(UploadSource),
    Dump(DumpSource),
    Presents(PresentSource),
    Scenario(ScenarioSource),
    CallLog(LogSource),
    Capture(CaptureSource),
}

/// Finds the kind of the workload.
pub(super) fn find(options: &RecordOptions) -> Result<Found<'_>, Error> {
    let path = Path::new(&options.workload);
    if path.is_dir() {
        return Err(Error::usage(format_args!("{} is a directory", path.display())));
    }
    let source = kind(options, path)?;
    let default_driver = match &source {
        Some(Kind::Bundled(workload)) => workload.driver,
        Some(Kind::Drawing) => super::drawing::DEFAULT_DRIVER,
        Some(Kind::Upload) => scene::upload::DRIVER,
        _ => DEFAULT_DRIVER,
    };
    let machine = options.machine.as_deref().or_else(|| workloads::machine(&options.workload));
    let machine = machine.or_else(|| match &source {
        Some(Kind::Presents(reading)) => Some(machine_of_presents(options, &reading.log)),
        _ => None,
    });
    Ok(Found { source, machine, default_driver })
}

fn kind(options: &RecordOptions, path: &Path) -> Result<Option<Kind>, Error> {
    if let Some(workload) = WORKLOADS.iter().find(|workload| workload.name == options.workload) {
        return Ok(Some(Kind::Bundled(workload)));
    }
    let Some(input) = input_kind(path)? else { return Ok(None) };
    Ok(Some(match input {
        InputKind::Scene if super::drawing::is_requested(options) => Kind::Drawing,
        InputKind::Scene if super::upload::is_requested(options) => Kind::Upload,
        InputKind::Scene => Kind::Scene,
        InputKind::Dump => Kind::Dump,
        InputKind::Presents => Kind::Presents(Box::new(super::presents::read(path)?)),
        InputKind::CallLog => Kind::CallLog,
        InputKind::Capture => Kind::Capture(CaptureFormat::Gfxrecon),
        InputKind::Gpgmm => Kind::Capture(CaptureFormat::Gpgmm),
        InputKind::Scenario => Kind::Scenario,
    }))
}

/// Determines the kind of an input: of a file by its content, of a pipe, which can be read only once, and of a file
/// that does not exist by its name. `None` for a name that is none of a file.
fn input_kind(path: &Path) -> Result<Option<InputKind>, Error> {
    if !path.is_file() {
        return Ok(inputs::by_suffix(path).map(|format| format.kind));
    }
    let detected = inputs::detect(path)
        .map_err(|error| Error::reading(error.kind(), error).context(format!("{}: cannot open", path.display())))?;
    match detected {
        Detected::Input(format) => Ok(Some(format.kind)),
        Detected::Rejected(rejected) => Err(Error::input(rejected)),
    }
}

/// Default machine of a capture of presents, which does not name one: a desktop, or a hybrid laptop for several drivers
/// and for presents that crossed to another adapter.
fn machine_of_presents(options: &RecordOptions, log: &PresentLog) -> &'static str {
    let several = match options.world.driver.as_deref() {
        Some(drivers) => !parts(drivers).1.is_empty(),
        None => log.is_hybrid(),
    };
    if several { "hybrid-laptop" } else { "desktop" }
}

/// Error of a workload that is of no kind.
pub(super) fn unknown(workload: &str) -> Error {
    // No workload has a name like a path.
    if workload.contains(['.', '/', '\\']) {
        return Error::usage(format_args!(
            "{workload}: no such file; `taut workloads` lists bundled workloads and inputs"
        ));
    }
    let files = INPUTS.iter().map(|format| format.with_suffixes);
    Error::unknown("workload", workload, WORKLOADS.iter().map(|workload| workload.name).chain(files))
}

impl Kind {
    /// Checks the parameters.
    pub fn check(self, options: &RecordOptions) -> Result<Source, Error> {
        let path = Path::new(&options.workload).to_owned();
        let parameters = |known| -> Result<Parameters, Error> { options.parameters(known) };
        Ok(match self {
            Kind::Bundled(workload) => {
                Source::Generated(Generated { name: workload.name, parameters: parameters(workload.parameters)? })
            }
            Kind::Scene => {
                let parameters = parameters(scene::PARAMETERS)?;
                scene::check_changes(&parameters).map_err(Error::usage)?;
                Source::Scene(SceneSource { path, parameters })
            }
            Kind::Drawing => {
                Source::Drawing(DrawingSource { path, parameters: parameters(scene::drawing::PARAMETERS)? })
            }
            Kind::Upload => Source::Upload(UploadSource { path, parameters: parameters(scene::upload::PARAMETERS)? }),
            Kind::Dump => {
                options.check_no_parameters("a dump")?;
                Source::Dump(DumpSource { path })
            }
            Kind::Presents(reading) => {
                let (parameters, reading) = (parameters(present_log::PARAMETERS)?, *reading);
                Source::Presents(PresentSource { path, parameters, reading })
            }
            Kind::Scenario => {
                options.check_no_parameters("a scenario")?;
                Source::Scenario(ScenarioSource { path })
            }
            Kind::CallLog => Source::CallLog(LogSource { path }),
            Kind::Capture(format) => {
                options.check_no_parameters("a capture")?;
                Source::Capture(CaptureSource { path, format })
            }
        })
    }
}

impl Source {
    /// Checks that the drivers have what the workload needs.
    pub fn check_drivers(&self, adapters: &Adapters) -> Result<(), Error> {
        match self {
            Source::Presents(_) => super::presents::check_drivers(adapters),
            Source::Drawing(_) => super::drawing::check_drivers(adapters),
            _ => Ok(()),
        }
    }

    /// Name of the workload without the ending of a file.
    pub fn name(&self) -> String {
        let path = match self {
            Source::Generated(generated) => return generated.name.to_owned(),
            Source::CallLog(log) => return log.stem(),
            Source::Scene(SceneSource { path, .. })
            | Source::Drawing(DrawingSource { path, .. })
            | Source::Upload(UploadSource { path, .. })
            | Source::Dump(DumpSource { path })
            | Source::Presents(PresentSource { path, .. })
            | Source::Capture(CaptureSource { path, .. })
            | Source::Scenario(ScenarioSource { path }) => path,
        };
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    }

    /// Reads the file.
    pub fn read(self, world: &RecordWorld, progress: &dyn Progress) -> Result<Box<dyn Calls>, Error> {
        Ok(match self {
            Source::Generated(generated) => Box::new(generated),
            Source::Scene(source) => Box::new(source.read()?),
            Source::Drawing(source) => Box::new(source.read()?),
            Source::Upload(source) => Box::new(source.read()?),
            Source::Dump(source) => Box::new(source.read()?),
            Source::Presents(source) => Box::new(source.prepare(world, progress)),
            Source::Scenario(source) => Box::new(source.read()?),
            Source::CallLog(source) => Box::new(source.read(world, progress)?),
            Source::Capture(source) => Box::new(source.read()?),
        })
    }
}
