//! Writing a trace.

use crate::block_writer::{BlockWriter, WriteSummary};
use crate::claim::Claim;
use crate::column::ColumnEncoder;
use crate::error::WriteError;
use crate::file_head;
use crate::header::Header;
use crate::keeper::Keeper;
use crate::map::{generation, watch_forks};
use crate::options::WriteOptions;
use crate::part::Part;
use crate::pool::Pool;
use crate::provider_mask::ProviderMask;
use crate::sidecar::Sidecar;
use crate::sink::Sink;
use crate::thread_writer::ThreadWriter;
use std::borrow::{Borrow, Cow};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use taut_schemas::ProviderSet;

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
    keeper: Option<JoinHandle<Result<(), WriteError>>>,
    providers: ProviderMask,
    generation: u32,
}

/// Where a trace goes, and what it takes for it to appear there.
struct Beginning {
    sink: Sink,
    /// The file, if slots are kept beside it.
    kept: Option<(Claim, File)>,
    appear: Box<dyn FnOnce() -> io::Result<()> + Send>,
}

impl Beginning {
    fn of(sink: Sink) -> Beginning {
        Beginning { sink, kept: None, appear: Box::new(|| Ok(())) }
    }
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
        Self::begin(Beginning::of(Sink::file(file, path)), header.borrow(), options)
    }

    /// Records to a file at `path` what outlives the process, as [`to_claimed`](Self::to_claimed) says. A device or a pipe is
    /// written as it is.
    ///
    /// # Errors
    /// Another recording is there, under way or left behind; the file or its sidecar cannot be written; or no trace can have
    /// this header.
    pub fn record(
        path: impl AsRef<Path>,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let path = path.as_ref();
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Self::create(path, header, options);
        }
        // A link stays one.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let claim = Claim::new(&target, path, false)?;
        let (file, part) = Part::beside(&target).map_err(|source| WriteError::Output {
            path: Some(path.to_owned()),
            bytes_written: 0,
            source,
            lost: Vec::new(),
        })?;
        Self::to_claimed(claim, file, move || part.put(&target), header, options)
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
        Self::begin(Beginning::of(Sink::file(file, name.as_ref().to_owned())), header.borrow(), options)
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
        Self::begin(Beginning::of(Sink::other(Box::new(sink))), header.borrow(), options)
    }

    /// Records what outlives the process: buffers lie in a file beside the trace, from which a reader takes what the trace
    /// lacks when the process ends without [`finish`](Self::finish). `file` is where the path that `claim` is for is to be;
    /// when the header is in it and the sidecar stands, `appear` puts it there.
    ///
    /// # Errors
    /// One of the two files cannot be written, `appear` failed, or no trace can have this header.
    pub fn to_claimed(
        claim: Claim,
        file: File,
        appear: impl FnOnce() -> io::Result<()> + Send + 'static,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let name = claim.name.clone();
        let failed =
            |source| WriteError::Output { path: Some(name.clone()), bytes_written: 0, source, lost: Vec::new() };
        let kept = Some((claim, file.try_clone().map_err(failed)?));
        let sink = Sink::file(file, name.clone());
        Self::begin(Beginning { sink, kept, appear: Box::new(appear) }, header.borrow(), options)
    }

    /// The header is written by the background thread as well, to which a limit on the file's size is an error.
    fn begin(beginning: Beginning, header: &Header, options: WriteOptions) -> Result<Self, WriteError> {
        let Beginning { sink, kept, appear } = beginning;
        let header = &said(header, options.providers);
        let (head, key) = file_head::write(header).map_err(WriteError::Header)?;
        let machine = |source: io::Error| WriteError::Output { path: None, bytes_written: 0, source, lost: Vec::new() };
        watch_forks();
        let pool = Arc::new(Pool::new(&options, key, kept.is_some()));
        let (mut sidecar, mut synced) = (None, None);
        if let Some((claim, file)) = kept {
            let (path, interval) = (claim.name.clone(), options.sync_interval);
            let interval_ns = interval.map_or(0, |interval| interval.as_nanos() as u64);
            let begun = Sidecar::begin(claim, key, pool.buffer_bytes(), interval_ns).map_err(machine)?;
            sidecar = Some(Arc::new(begun));
            synced = interval.map(|interval| (file, path, interval));
        }
        let keeper = Keeper { pool: Arc::clone(&pool), sidecar: sidecar.clone(), is_full: false, synced };
        let block_writer = BlockWriter::new(Arc::clone(&pool), sink, key, header, ColumnEncoder::new(), sidecar);
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let (begun, wait) = channel();
        let run = move || block_writer.run(&head, appear, &begun, options.sync);
        let block_writer = thread("taut-traces").spawn(run).map_err(machine)?;
        // Says nothing if it could not begin.
        if wait.recv().is_err() {
            return match block_writer.join() {
                Ok(Err(error)) => Err(error),
                _ => Err(WriteError::WriterEnded),
            };
        }
        let (block_writer, generation) = (Some(block_writer), generation());
        let providers = ProviderMask::new(options.providers);
        let mut writer = Self { pool, block_writer, keeper: None, providers, generation };
        writer.keeper = Some(thread("taut-keeper").spawn(move || keeper.run()).map_err(machine)?);
        Ok(writer)
    }

    /// Has `call` hear why, should it come to be that what is recorded does not outlive the process, though it was to.
    pub fn on_unkept(&self, call: impl FnOnce(&str) + Send + 'static) {
        self.pool.on_unkept(Box::new(call));
    }

    /// A writer for the events of a thread. Numbers are the recorder's own; two writers of one number at the same
    /// time mix their events buffer by buffer.
    pub fn thread(&self, thread: u32) -> ThreadWriter {
        ThreadWriter::new(thread, Arc::clone(&self.pool), self.providers.clone())
    }

    /// The providers that are recorded, which may change while the recording goes on.
    pub fn providers(&self) -> &ProviderMask {
        &self.providers
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
        let kept = self.keeper.take().map(JoinHandle::join);
        match self.block_writer.take().map(JoinHandle::join) {
            Some(Ok(Ok(written))) => match kept {
                Some(Ok(kept)) => kept.map(|()| written),
                Some(Err(_)) | None => Err(WriteError::WriterEnded),
            },
            Some(Ok(Err(WriteError::Output { path, bytes_written, source, .. }))) => {
                Err(WriteError::Output { path, bytes_written, source, lost: self.pool.lost_to_failure() })
            }
            Some(Ok(result)) => result,
            Some(Err(_)) | None => Err(WriteError::WriterEnded),
        }
    }
}

/// The header, with the providers that are recorded if those are not all.
fn said(header: &Header, providers: ProviderSet) -> Cow<'_, Header> {
    if providers == ProviderSet::ALL {
        return Cow::Borrowed(header);
    }
    let mut header = header.clone();
    header.world.providers = Some(providers.iter().map(|provider| provider.name().to_owned()).collect());
    Cow::Owned(header)
}

impl Drop for TraceWriter {
    fn drop(&mut self) {
        // A child that a `fork` made has none of these threads; the recording is its parent's.
        if let Some(block_writer) = self.block_writer.take().filter(|_| self.generation == generation()) {
            self.pool.abandon();
            // What went wrong has nobody left to be told to.
            let _ = (block_writer.join(), self.keeper.take().map(JoinHandle::join));
        }
    }
}
