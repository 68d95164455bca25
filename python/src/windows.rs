//! Windows traces (.etl): contents, import, and settings of a recording.

use crate::failure::Failure;
use crate::progress::{Meter, with_progress};
use crate::work::{AfterStop, run};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use taut_app::etl_info::read;
use taut_app::etl_profile::CaptureProfile;
use taut_app::import::{Import, ImportOptions};
use taut_console::output::{Kind, Outputs};

/// Adds the path of the file to an error.
fn in_file(path: &Path) -> impl Fn(taut_app::Error) -> Failure + use<'_> {
    move |error| Failure::from(error.context(path.to_string_lossy()))
}

/// JSON text of the contents of a Windows trace, its damage, and the events of manifests that are not decoded.
#[pyfunction]
pub fn etl_info(
    py: Python<'_>,
    path: PathBuf,
    manifests: Vec<PathBuf>,
) -> PyResult<(String, Vec<String>, Vec<String>)> {
    run(py, move || {
        let info = read(&path, &manifests).map_err(in_file(&path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((info.json(&file).to_string(), info.contents.damage.clone(), info.unsupported))
    })
}

/// JSON text of the settings of a recording on Windows.
#[pyfunction]
pub fn etl_profile() -> String {
    CaptureProfile::default().json().to_string()
}

/// Options of an import, with the names of `taut import`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ImportArguments {
    file: PathBuf,
    output: Option<PathBuf>,
    provider: Vec<String>,
    process: Vec<u32>,
    from: Option<u64>,
    to: Option<u64>,
    all: bool,
    manifest: Vec<PathBuf>,
    redact: bool,
    force: bool,
}

/// Imports the events of a Windows trace. Returns JSON text, the damage, and the events of manifests that are not decoded.
#[pyfunction]
pub fn import_etl(py: Python<'_>, arguments: Bound<'_, PyAny>) -> PyResult<(String, Vec<String>, Vec<String>)> {
    let ImportArguments { file, output, provider, process, from, to, all, manifest, redact, force } =
        arguments.extract()?;
    let work = move |_: &Meter, is_stopped: &AtomicBool| {
        let path = output.unwrap_or_else(|| file.with_extension("taut"));
        let options = ImportOptions {
            file: file.clone(),
            providers: provider,
            processes: process,
            from,
            to,
            all,
            manifests: manifest.clone(),
            redact,
        };
        let mut import = Import::new(options).map_err(in_file(&file))?;
        let inputs = std::iter::once(&file).chain(&manifest).map(PathBuf::as_path);
        let mut outputs = Outputs::new(inputs, force);
        let output = outputs.open(&path, Kind::Trace)?;
        let imported = import.write(|header| output.trace_writer(header)).map_err(in_file(&file))?;
        let target = output.name().to_owned();
        if !is_stopped.load(Ordering::Relaxed) {
            output.finish()?;
        }
        Ok((imported.json(&target).to_string(), imported.damage, std::mem::take(&mut import.unsupported)))
    };
    with_progress(py, None, work, || AfterStop::Abandons)
}
