//! Writer of trace files: uncompressed buffers of 64 KiB, as other readers accept them.

mod buffer;
mod event;
mod session;
mod trace_logging;

use std::collections::BTreeMap;
use std::io::{self, Write};

pub use event::NewEvent;
pub use session::Session;
pub use trace_logging::{SchemaBuilder, provider_traits};

use crate::buffer::HEADER_BYTES;
use buffer::{BUFFER_BYTES, PendingBuffer, TYPE_GENERIC};

/// Size of the largest record.
pub const MAX_RECORD_BYTES: usize = BUFFER_BYTES - HEADER_BYTES;

/// Failure to write an event.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The event is not written; the file stays valid.
    #[error("an event of {bytes} bytes: expected at most {MAX_RECORD_BYTES}, the content of a buffer")]
    TooLarge { bytes: usize },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Counts of a written file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WrittenFile {
    /// Buffers with the header's.
    pub buffers: u32,
    pub events: u64,
}

/// Writer of one file.
///
/// A header states the number of buffers, which is known at the end only. A caller whose output cannot seek writes the
/// file twice: first to [`io::sink`], then with the number that [`finish`](Self::finish) returned.
pub struct EtlWriter<W> {
    out: W,
    processors: BTreeMap<u16, PendingBuffer>,
    written: WrittenFile,
}

impl<W: Write> EtlWriter<W> {
    /// Writes the header's buffer. `buffers` is the number of all buffers.
    pub fn new(mut out: W, session: &Session, buffers: u32) -> io::Result<Self> {
        let record = session.record(buffers);
        if record.len() > MAX_RECORD_BYTES {
            let why = "names of session and file: expected less than a buffer of 64 KiB";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let mut header = PendingBuffer::new(0, 0);
        header.push(&record, session.start_tick);
        header.write(&mut out, crate::buffer::TYPE_HEADER, true)?;
        Ok(Self { out, processors: BTreeMap::new(), written: WrittenFile { buffers: 1, events: 0 } })
    }

    /// Adds an event to the buffer of a processor. The ticks of a processor's events must not decrease.
    ///
    /// # Errors
    /// The event is larger than a buffer, or the output cannot be written.
    pub fn event(&mut self, processor: u16, event: &NewEvent<'_>) -> Result<(), WriteError> {
        let size = event.size_bytes();
        if size > MAX_RECORD_BYTES {
            return Err(WriteError::TooLarge { bytes: size });
        }
        // The header has the sequence number 0 of processor 0.
        let buffer = self.processors.entry(processor).or_insert_with(|| PendingBuffer::new(processor, 1));
        if size > buffer.left_bytes() {
            buffer.write(&mut self.out, TYPE_GENERIC, false)?;
            self.written.buffers += 1;
            buffer.restart();
        }
        event.write(buffer);
        self.written.events += 1;
        Ok(())
    }

    /// Writes the buffers that are not full.
    pub fn finish(mut self) -> io::Result<WrittenFile> {
        let last = self.processors.len();
        for (index, buffer) in self.processors.values_mut().enumerate() {
            buffer.write(&mut self.out, TYPE_GENERIC, index + 1 == last)?;
            self.written.buffers += 1;
        }
        self.out.flush()?;
        Ok(self.written)
    }
}
