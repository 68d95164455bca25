//! Traces that are to be asked, opened.

use std::path::PathBuf;
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_console::outcome::Failure;
use taut_console::traces::{name, names, open};
use taut_tables::query::NamedTrace;

/// Opens the files; each trace goes by a name of its own.
///
/// # Errors
/// One cannot be read, or is no trace.
pub fn opened(files: &[PathBuf]) -> Result<Vec<NamedTrace>, Failure> {
    let mut traces = Vec::with_capacity(files.len());
    for (file, own_name) in files.iter().zip(names(files)) {
        let failure = |error| Failure::input(error).context(name(file));
        let analysis = Arc::new(Analysis::new(open(file)?).map_err(failure)?);
        traces.push(NamedTrace { name: own_name, analysis });
    }
    Ok(traces)
}
