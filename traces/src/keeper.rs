//! The keeper: makes slots before they are needed, and brings a recording to disk while it goes on.

use crate::error::WriteError;
use crate::map::Piece;
use crate::pool::{Chore, Pool};
use crate::sidecar::{Sidecar, slot_bytes};
use crate::size_limit;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The state of the keeper.
pub(crate) struct Keeper {
    pub pool: Arc<Pool>,
    /// Where slots are made; without it, in memory that ends with the process.
    pub sidecar: Option<Arc<Sidecar>>,
    /// There is no room for more in it.
    pub is_full: bool,
    /// The trace, to be brought to disk every so often.
    pub synced: Option<(File, PathBuf, Duration)>,
}

impl Keeper {
    /// Goes on until the pool is closed.
    ///
    /// # Errors
    /// The trace could not be brought to disk, or there is no memory.
    pub fn run(mut self) -> Result<(), WriteError> {
        size_limit::is_an_error();
        let mut due = self.synced.as_ref().map(|(_, _, interval)| Instant::now() + *interval);
        loop {
            let wait = due.map(|due| due.saturating_duration_since(Instant::now()));
            match self.pool.chore(wait) {
                Chore::Make => match self.make() {
                    Ok(memory) => self.pool.made(memory),
                    Err(source) => return Err(self.fail(None, source)),
                },
                Chore::TimeOut => {
                    if let Some((file, path, interval)) = &self.synced {
                        let synced = file.sync_data().and_then(|()| self.sidecar.iter().try_for_each(|it| it.sync()));
                        synced.map_err(|source| self.fail(Some(path.clone()), source))?;
                        due = Some(Instant::now() + *interval);
                    }
                }
                Chore::End => return Ok(()),
            }
        }
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
        let error = WriteError::Output { path, bytes_written: 0, source, lost: Vec::new() };
        self.pool.fail(&error, self.pool.given());
        error
    }
}
