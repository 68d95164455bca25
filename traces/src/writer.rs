//! Writing a trace.

use crate::block_writer::{BlockWriter, WriteSummary};
use crate::column::ColumnEncoder;
use crate::error::WriteError;
use crate::file_head;
use crate::header::Header;
use crate::options::WriteOptions;
use crate::pool::Pool;
use crate::sink::Sink;
use crate::thread_writer::ThreadWriter;
use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;

/// Writes a trace: recording threads fill buffers, one background thread turns them into blocks and appends these.
///
/// The file depends on nothing but the header and, thread by thread, the events: no clock, no buffer size. Blocks of
/// different threads lie in the order in which their last buffers were handed over.
///
/// Dropped without [`finish`](Self::finish), it leaves a trace without a footer, as a crash would.
#[derive(Debug)]
pub struct TraceWriter {
    pool: Arc<Pool>,
    block_writer: Option<JoinHandle<Result<WriteSummary, WriteError>>>,
}

impl TraceWriter {
    /// Creates the file and writes the header.
    ///
    /// # Errors
    /// The file cannot be created or written, or no trace can have this header.
    pub fn create(
        path: impl AsRef<Path>,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let path = path.as_ref().to_owned();
        let output_error =
            |source| WriteError::Output { path: Some(path.clone()), bytes_written: 0, source, lost: Vec::new() };
        let file = File::create(&path).map_err(output_error)?;
        Self::begin(Sink::file(file, path), header.borrow(), options)
    }

    /// Writes a trace to an open file, which errors call `name`.
    ///
    /// # Errors
    /// The file cannot be written, or no trace can have this header.
    pub fn to_file(
        file: File,
        name: impl AsRef<Path>,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        Self::begin(Sink::file(file, name.as_ref().to_owned()), header.borrow(), options)
    }

    /// Writes a trace to `sink`.
    ///
    /// # Errors
    /// The sink takes no bytes, or no trace can have this header.
    pub fn new(
        sink: impl Write + Send + 'static,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        Self::begin(Sink::other(Box::new(sink)), header.borrow(), options)
    }

    /// The header is written by the background thread as well, to which a limit on the file's size is an error.
    fn begin(sink: Sink, header: &Header, options: WriteOptions) -> Result<Self, WriteError> {
        let (head, key) = file_head::write(header).map_err(WriteError::Header)?;
        let machine = |source: io::Error| WriteError::Output { path: None, bytes_written: 0, source, lost: Vec::new() };
        let columns = ColumnEncoder::new();
        let pool = Arc::new(Pool::new(&options));
        let block_writer = BlockWriter::new(Arc::clone(&pool), sink, key, header, columns);
        let thread = std::thread::Builder::new().name("taut-traces".to_owned());
        let (begun, wait) = channel();
        let run = move || block_writer.run(&head, &begun, options.sync);
        let block_writer = thread.spawn(run).map_err(machine)?;
        // Says nothing if it could not begin.
        if wait.recv().is_err() {
            return match block_writer.join() {
                Ok(Err(error)) => Err(error),
                _ => Err(WriteError::WriterEnded),
            };
        }
        Ok(Self { pool, block_writer: Some(block_writer) })
    }

    /// A writer for the events of a thread. Numbers are the recorder's own; two writers of one number at the same
    /// time mix their events buffer by buffer.
    pub fn thread(&self, thread: u32) -> ThreadWriter {
        ThreadWriter::new(thread, Arc::clone(&self.pool))
    }

    /// Has `call` hear what is wrong when the output fails, at that moment and on the background thread; to be said before
    /// anything is recorded. Nothing that is recorded from then on is kept, nobody waits, and [`finish`](Self::finish)
    /// tells how many events of each thread were lost.
    pub fn on_failure(&self, call: impl FnOnce(&WriteError) + Send + 'static) {
        self.pool.on_failure(Box::new(call));
    }

    /// Says in the footer that the recording was told to end before its workload did.
    pub fn mark_interrupted(&self) {
        self.pool.mark_interrupted();
    }

    /// Writes what was handed over and the footer. Drop every [`ThreadWriter`] first: what is still in the buffer of
    /// one that lives on is counted as lost, and what it records later goes nowhere; it never waits.
    ///
    /// # Errors
    /// The output failed at some time; what it took until then is a valid trace without a footer. Or some rows did
    /// not have the layout of their event.
    pub fn finish(mut self) -> Result<WriteSummary, WriteError> {
        self.pool.close();
        match self.block_writer.take().map(JoinHandle::join) {
            Some(Ok(Err(WriteError::Output { path, bytes_written, source, .. }))) => {
                Err(WriteError::Output { path, bytes_written, source, lost: self.pool.lost_to_failure() })
            }
            Some(Ok(result)) => result,
            Some(Err(_)) | None => Err(WriteError::WriterEnded),
        }
    }
}

impl Drop for TraceWriter {
    fn drop(&mut self) {
        if let Some(block_writer) = self.block_writer.take() {
            self.pool.abandon();
            // What went wrong has nobody left to be told to.
            let _ = block_writer.join();
        }
    }
}
