//! The keeper: makes slots before they are needed, and does what is to be done while a recording goes on: it brings it to disk,
//! has blocks closed, and hears what others ask.

use crate::attendant::Attendant;
use crate::disk::DiskFile;
use crate::end_cause::EndCause;
use crate::error::WriteError;
use crate::map::Piece;
use crate::pool::{Chore, Pool};
use crate::provider_mask::ProviderMask;
use crate::ring::Current;
use crate::sidecar::{Sidecar, slot_bytes};
use crate::size_limit;
use crate::timer::Timer;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// What is brought to disk.
pub(crate) enum Synced {
    /// The trace.
    File(DiskFile),
    /// The segment that is being filled; those before were when it was begun.
    Segment(Current),
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

/// The state of the keeper.
pub(crate) struct Keeper {
    pub pool: Arc<Pool>,
    /// Where slots are made; without it, in memory that ends with the process.
    pub sidecar: Option<Arc<Sidecar>>,
    /// There is no room for more in it.
    pub is_full: bool,
    /// The folder of the trace is to be brought to disk then: in the meantime, so that nobody waits for it at the end.
    pub name: Option<Timer>,
    /// The trace, to be brought to disk every so often.
    pub synced: Option<(Synced, PathBuf, Timer)>,
    /// Threads are asked for what they have, and blocks are closed.
    pub flush: Option<(ProviderMask, Timer)>,
    /// The trace is to say what time it is.
    pub clock: Option<Timer>,
    /// The recording is to end then.
    pub end: Option<(Duration, Timer)>,
    /// Hears what is asked of the recording.
    pub attendant: Option<(Attendant, Timer)>,
}

impl Keeper {
    /// Goes on until the pool is closed.
    ///
    /// # Errors
    /// The trace could not be brought to disk, or there is no memory.
    pub fn run(mut self) -> Result<(), WriteError> {
        size_limit::is_an_error();
        loop {
            let wait = self.next().map(|due| due.saturating_duration_since(Instant::now()));
            match self.pool.chore(wait) {
                Chore::Make => match self.make() {
                    Ok(memory) => self.pool.made(memory),
                    Err(source) => return Err(self.fail(None, source)),
                },
                Chore::TimeOut => self.due()?,
                Chore::End => {
                    self.attendant.iter_mut().for_each(|(attendant, _)| attendant.finish());
                    return Ok(());
                }
            }
        }
    }

    /// When something is to be done next.
    fn next(&self) -> Option<Instant> {
        let Keeper { name, synced, flush, clock, end, attendant, .. } = self;
        let synced = synced.as_ref().map(|(_, _, timer)| timer);
        let flush = flush.as_ref().map(|(_, timer)| timer);
        let end = end.as_ref().map(|(_, timer)| timer);
        let attendant = attendant.as_ref().map(|(_, timer)| timer);
        [name.as_ref(), synced, flush, clock.as_ref(), end, attendant].into_iter().flatten().map(Timer::due).min()
    }

    /// Does what is due.
    fn due(&mut self) -> Result<(), WriteError> {
        if let Some((time, _)) = self.end.take_if(|(_, timer)| timer.is_due()) {
            self.pool.ends.reach(EndCause::Time(time));
        }
        if let Some((threads, timer)) = &mut self.flush
            && timer.is_due()
        {
            threads.ask_for_handover();
            self.pool.ask_for_flush();
        }
        if self.clock.as_mut().is_some_and(Timer::is_due) {
            self.pool.read_clock();
        }
        if let Some((attendant, timer)) = &mut self.attendant
            && timer.is_due()
        {
            attendant.look();
        }
        if self.name.take_if(|timer| timer.is_due()).is_some() {
            self.sidecar.iter().for_each(|sidecar| sidecar.bring_name_to_disk());
        }
        if let Some((file, path, timer)) = &mut self.synced
            && timer.is_due()
        {
            let synced = file.sync().and_then(|()| self.sidecar.iter().try_for_each(|it| it.sync()));
            let path = path.clone();
            synced.map_err(|source| self.fail(Some(path), source))?;
        }
        Ok(())
    }

    /// The memory of another slot.
    fn make(&mut self) -> io::Result<Piece> {
        if let Some(sidecar) = self.sidecar.as_ref().filter(|_| !self.is_full) {
            match sidecar.make_slot() {
                Ok(memory) => return Ok(memory),
                Err(error) => {
                    self.is_full = true;
                    self.pool.cannot_keep(&error);
                }
            }
        }
        Piece::anonymous(slot_bytes(self.pool.buffer_bytes()))
    }

    fn fail(&self, path: Option<PathBuf>, source: io::Error) -> WriteError {
        let bytes_written = self.pool.bytes_written();
        let error = WriteError::Output { path, bytes_written, source, lost: Vec::new() };
        self.pool.fail_beside(&error);
        error
    }
}
