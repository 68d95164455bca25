//! Recovery of an unfinished recording in place.

use crate::Trace;
use crate::format::write_summary::WriteSummary;
use crate::live::disk::{Disk, TRACE_MODE};
use crate::live::leftovers::Leftovers;
use crate::live::temp_file::TempFile;
use std::io::{self, BufWriter, Error, ErrorKind};
use std::path::Path;

/// Replaces the unfinished trace at `path` with a finished one that includes the records of its side files, and removes
/// these. The trace and its side files stay unchanged until the finished trace is synced to disk.
///
/// # Errors
/// The trace cannot be read, its recording is active, or the finished trace cannot be written.
pub fn recover_in_place(path: &Path, disk: &Disk) -> io::Result<WriteSummary> {
    let trace = Trace::open(path).map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
    if trace.recovery().is_some_and(|recovery| recovery.is_alive) {
        return Err(Error::new(ErrorKind::ResourceBusy, "it is being recorded"));
    }
    let leftovers = Leftovers::find(path)?;
    let (file, temp_file) = TempFile::create_for(path, TRACE_MODE, disk)?;
    file.set_permissions(std::fs::metadata(path)?.permissions())?;
    let mut output = BufWriter::new(file);
    let written = trace.write_finished(&mut output)?;
    output.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    // Closed first: not every system replaces or removes files that are mapped.
    drop(trace);
    temp_file.put(path)?;
    leftovers.map_or(Ok(()), |leftovers| leftovers.remove(disk))?;
    Ok(written)
}
