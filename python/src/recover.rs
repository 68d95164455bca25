//! Completion of a recording that was not ended.

use crate::export::Interruptible;
use crate::progress::{Meter, with_progress};
use crate::trace::read;
use crate::work::AfterStop;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use taut_app::recover::{Recoverable, check_ended};
use taut_console::output::{Kind, Outputs};

/// Completes a recording that was not ended, in place or in another file. Returns JSON text.
#[pyfunction]
pub fn recover(py: Python<'_>, path: PathBuf, output: Option<PathBuf>, force: bool) -> PyResult<String> {
    let work = move |_: &Meter, is_stopped: &AtomicBool| {
        check_ended(&path)?;
        let trace = read(&path)?;
        let name = path.to_string_lossy();
        let recoverable = Recoverable::new(&trace);
        let is_whole = recoverable.is_lossless() || recoverable.damage.is_empty() && recoverable.is_complete();
        if recoverable.is_complete() && output.is_none() {
            recoverable.clear(&path, &name)?;
            return Ok(recoverable.json(&name, is_whole, None).to_string());
        }
        recoverable.check_version(&name)?;
        let mut outputs = Outputs::new(output.iter().map(|_| path.as_path()), force);
        let mut file = match &output {
            Some(output) => outputs.open(output, Kind::Trace)?,
            None => outputs.open_over(&path, Kind::Trace)?,
        };
        let target = file.name().to_string_lossy().into_owned();
        let written = recoverable.write(&mut Interruptible { output: &mut file, is_stopped })?;
        file.finish()?;
        Ok(recoverable.json(&target, is_whole, Some(written)).to_string())
    };
    with_progress(py, None, work, || AfterStop::Waits)
}
