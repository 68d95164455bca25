//! Maintenance thread of a recording: creates slots ahead of demand, syncs the recording to disk, requests flushes, and
//! runs the control server.

use crate::format::end_cause::EndCause;
use crate::format::error::WriteError;
use crate::live::disk::DiskFile;
use crate::live::map::SlotMemory;
use crate::live::provider_mask::ProviderMask;
use crate::live::sidecar::{Sidecar, slot_bytes};
use crate::write::control_server::ControlServer;
use crate::write::pool::{MaintenanceJob, Pool};
use crate::write::ring::CurrentSegment;
use crate::write::size_limit;
use crate::write::timer::Timer;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// File that is synced periodically.
pub(crate) enum Synced {
    File(DiskFile),
    /// Current segment of a ring recording; each earlier one was synced when its successor was begun.
    Segment(CurrentSegment),
}

impl Synced {
    fn sync(&self) -> io::Result<()> {
        match self {
            Synced::File(file) => file.sync_data(),
            Synced::Segment(current) => {
                let file = current.lock().unwrap_or_else(PoisonError::into_inner);
                let file = file.as_ref().map(DiskFile::try_clone).transpose()?;
                file.map_or(Ok(()), |file| file.sync_data())
            }
        }
    }
}

/// State of the maintenance thread.
pub(crate) struct MaintenanceThread {
    pub pool: Arc<Pool>,
    /// Sidecar in which slots are created; without one, slots are anonymous memory that ends with the process.
    pub sidecar: Option<Arc<Sidecar>>,
    /// True once a slot could not be created in the sidecar.
    pub is_full: bool,
    /// Time at which the trace's folder is synced, early enough that the end of the recording does not wait for it.
    pub name: Option<Timer>,
    /// File that is synced periodically, and its path for errors.
    pub synced: Option<(Synced, PathBuf, Timer)>,
    /// Period in which threads hand over their records and blocks are closed.
    pub flush: Option<(ProviderMask, Timer)>,
    /// Period of clock blocks in the trace.
    pub clock: Option<Timer>,
    /// Max duration of the recording.
    pub end: Option<(Duration, Timer)>,
    /// Control server and its polling period.
    pub control_server: Option<(ControlServer, Timer)>,
}

impl MaintenanceThread {
    /// Runs until the pool is closed.
    ///
    /// # Errors
    /// A sync of the trace failed, or memory ran out.
    pub fn run(mut self) -> Result<(), WriteError> {
        size_limit::is_an_error();
        loop {
            let wait = self.next().map(|due| due.saturating_duration_since(Instant::now()));
            match self.pool.next_job(wait) {
                MaintenanceJob::Make => match self.make() {
                    Ok(Some(memory)) => self.pool.created(memory),
                    Ok(None) => self.pool.signal_slot_not_created(),
                    Err(source) => return Err(self.fail(None, source)),
                },
                MaintenanceJob::TimeOut => self.due()?,
                MaintenanceJob::End => {
                    self.control_server.iter_mut().for_each(|(control_server, _)| control_server.finish());
                    return Ok(());
                }
            }
        }
    }

    /// Earliest due time of all jobs.
    fn next(&self) -> Option<Instant> {
        let MaintenanceThread { name, synced, flush, clock, end, control_server, .. } = self;
        let synced = synced.as_ref().map(|(_, _, timer)| timer);
        let flush = flush.as_ref().map(|(_, timer)| timer);
        let end = end.as_ref().map(|(_, timer)| timer);
        let control_server = control_server.as_ref().map(|(_, timer)| timer);
        [name.as_ref(), synced, flush, clock.as_ref(), end, control_server].into_iter().flatten().map(Timer::due).min()
    }

    /// Runs the jobs that are due.
    fn due(&mut self) -> Result<(), WriteError> {
        if let Some((time, _)) = self.end.take_if(|(_, timer)| timer.is_due()) {
            self.pool.ends.reach(EndCause::Time(time));
        }
        if let Some((threads, timer)) = &mut self.flush
            && timer.is_due()
        {
            threads.request_handover();
            self.pool.request_flush();
        }
        if self.clock.as_mut().is_some_and(Timer::is_due) {
            self.pool.read_clock();
        }
        if let Some((control_server, timer)) = &mut self.control_server
            && timer.is_due()
        {
            control_server.poll();
        }
        if self.name.take_if(|timer| timer.is_due()).is_some() {
            self.sidecar.iter().for_each(|sidecar| sidecar.sync_folder());
        }
        if let Some((file, path, timer)) = &mut self.synced
            && timer.is_due()
        {
            // The trace is synced before the sidecar (FORMAT.md).
            let synced = file.sync().and_then(|()| self.sidecar.iter().try_for_each(|it| it.sync()));
            let path = path.clone();
            synced.map_err(|source| self.fail(Some(path), source))?;
        }
        Ok(())
    }

    /// Creates the memory of another slot; `None` if the sidecar has no space for it and threads can do without.
    fn make(&mut self) -> io::Result<Option<SlotMemory>> {
        let room = self.pool.next_capacity();
        if let Some(sidecar) = self.sidecar.as_ref().filter(|_| !self.is_full) {
            match sidecar.make_slot(room) {
                Ok(Some(memory)) => return Ok(Some(memory)),
                Ok(None) if self.pool.has_spare_slots() => return Ok(None),
                created => {
                    self.is_full = true;
                    sidecar.mark_failed_write();
                    let full = || io::Error::new(ErrorKind::StorageFull, "the disk has too little space for buffers");
                    self.pool.report_not_persistent(&created.err().unwrap_or_else(full));
                }
            }
        }
        SlotMemory::anonymous(slot_bytes(room)).map(Some)
    }

    fn fail(&self, path: Option<PathBuf>, source: io::Error) -> WriteError {
        let bytes_written = self.pool.bytes_written();
        let error = WriteError::Output { path, bytes_written, source, lost: Vec::new() };
        self.sidecar.iter().for_each(|sidecar| sidecar.mark_failed_write());
        self.pool.fail_side_file(&error);
        error
    }
}
