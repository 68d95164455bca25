//! Trace writer: creates the output, the side files and the background threads of a recording.

use crate::Trace;
use crate::format::block_list::BlockList;
use crate::format::clock::Clock;
use crate::format::docs_block::PendingDocs;
use crate::format::end_cause::EndCause;
use crate::format::error::WriteError;
use crate::format::file_head;
use crate::format::footer;
use crate::format::header::Header;
use crate::format::other_block::METADATA_STREAM;
use crate::format::schema_block::PendingSchema;
use crate::format::write_summary::WriteSummary;
use crate::live::control_page::{FAILED_AT, LOST_AT, failed_word, lost_words};
use crate::live::disk::{DiskFile, TRACE_MODE};
use crate::live::free_space::{free_bytes, slot_bytes};
use crate::live::map::{generation, watch_forks};
use crate::live::path_claim::PathClaim;
use crate::live::provider_mask::ProviderMask;
use crate::live::side_file::{open_side_file, sidecar_path};
use crate::live::sidecar::Sidecar;
use crate::live::snapshot_requests::SnapshotRequests;
use crate::live::temp_file::TempFile;
use crate::write::block_output::BlockOutput;
use crate::write::block_writer::BlockWriter;
use crate::write::maintenance::MaintenanceThread;
use crate::write::metadata_writer::MetadataWriter;
use crate::write::mode::Mode;
use crate::write::options::WriteOptions;
use crate::write::pool::Pool;
use crate::write::ring::{MIN_SEGMENT_BYTES, SEGMENTS};
use crate::write::side_files::{SideFiles, SideFilesOwner};
use crate::write::sink::Sink;
use crate::write::snapshot::Snapshot;
use crate::write::snapshot_trigger::EventWatch;
use crate::write::thread_writer::ThreadWriter;
use crate::write::timer::Timer;
use std::borrow::{Borrow, Cow};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;
use taut_schemas::ProviderSet;

/// Writer of a trace: recording threads fill buffers, and one background thread converts them to blocks and appends
/// these.
///
/// The file depends only on the header and, thread by thread, on the events, not on the clock or the buffer size.
/// Blocks of different threads are in the order in which their last buffers were handed over.
///
/// Dropped without [`finish`](Self::finish), it leaves a trace without a footer, as a crash would.
#[derive(Debug)]
pub struct TraceWriter {
    pub(super) pool: Arc<Pool>,
    block_writer: Option<JoinHandle<Result<WriteSummary, WriteError>>>,
    maintenance: Option<JoinHandle<Result<(), WriteError>>>,
    providers: ProviderMask,
    snapshot_requests: SnapshotRequests,
    /// Snapshot trigger.
    watch: Option<Arc<EventWatch>>,
    mode: Mode,
    generation: u32,
    /// Path of the trace, if it has a sidecar.
    target: Option<PathBuf>,
}

/// Output of a trace, and the action that makes it appear under its name.
struct OutputTarget {
    sink: Sink,
    /// Claim and file of a crash-safe recording; `None` without a sidecar.
    claimed: Option<(PathClaim, DiskFile)>,
    appear: Box<dyn FnOnce() -> io::Result<()> + Send>,
}

impl OutputTarget {
    fn new(sink: Sink) -> OutputTarget {
        OutputTarget { sink, claimed: None, appear: Box::new(|| Ok(())) }
    }
}

impl TraceWriter {
    /// Creates the file and writes the header.
    ///
    /// # Errors
    /// The file cannot be created or written, or the header is invalid.
    pub fn create(
        path: impl AsRef<Path>,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let path = path.as_ref().to_owned();
        let output_error =
            |source| WriteError::Output { path: Some(path.clone()), bytes_written: 0, source, lost: Vec::new() };
        let file = options.disk.create(&path).map_err(output_error)?;
        Self::begin(OutputTarget::new(Sink::file(file, path)), header.borrow(), options)
    }

    /// Starts a crash-safe recording to a file at `path`, as described for [`to_claimed`](Self::to_claimed). A device
    /// or a pipe is written without a sidecar.
    ///
    /// # Errors
    /// Another recording, active or unfinished, is at the path; the file or its sidecar cannot be written; or the
    /// header is invalid.
    pub fn record(
        path: impl AsRef<Path>,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let path = path.as_ref();
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Self::create(path, header, options);
        }
        // A link stays a link: the recording replaces its target.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let path_claim = PathClaim::new(&target, path, false)?;
        let (file, temp_file) = TempFile::create_for(&target, TRACE_MODE, &options.disk).map_err(|source| {
            WriteError::Output { path: Some(path.to_owned()), bytes_written: 0, source, lost: Vec::new() }
        })?;
        Self::begin_claimed(path_claim, file, move || temp_file.put(&target), header.borrow(), options)
    }

    /// Writes a trace to an open file, which errors call `name`.
    ///
    /// # Errors
    /// The file cannot be written, or the header is invalid.
    pub fn to_file(
        file: File,
        name: impl AsRef<Path>,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let name = name.as_ref();
        let file = options.disk.file(file, name);
        Self::begin(OutputTarget::new(Sink::file(file, name.to_owned())), header.borrow(), options)
    }

    /// Writes a trace to `sink`.
    ///
    /// # Errors
    /// The sink accepts no bytes, or the header is invalid.
    pub fn new(
        sink: impl Write + Send + 'static,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        Self::begin(OutputTarget::new(Sink::other(Box::new(sink))), header.borrow(), options)
    }

    /// Starts a crash-safe recording: buffers are in a sidecar next to the trace, from which a reader recovers the
    /// missing records if the process ends without [`finish`](Self::finish). `file` will become the trace at the
    /// claimed path: `appear` puts it there, after the header and the sidecar have been written.
    ///
    /// # Errors
    /// One of the two files cannot be written, `appear` fails, or the header is invalid.
    pub fn to_claimed(
        path_claim: PathClaim,
        file: File,
        appear: impl FnOnce() -> io::Result<()> + Send + 'static,
        header: impl Borrow<Header>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let file = options.disk.file(file, &path_claim.name);
        Self::begin_claimed(path_claim, file, appear, header.borrow(), options)
    }

    fn begin_claimed(
        path_claim: PathClaim,
        file: DiskFile,
        appear: impl FnOnce() -> io::Result<()> + Send + 'static,
        header: &Header,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let name = path_claim.name.clone();
        let failed =
            |source| WriteError::Output { path: Some(name.clone()), bytes_written: 0, source, lost: Vec::new() };
        let claimed = Some((path_claim, file.try_clone().map_err(failed)?));
        let sink = Sink::file(file, name.clone());
        Self::begin(OutputTarget { sink, claimed, appear: Box::new(appear) }, header, options)
    }

    /// Starts the recording. The header is written by the background thread too, on which exceeding the file size limit
    /// is an error instead of a signal.
    fn begin(output_target: OutputTarget, header: &Header, options: WriteOptions) -> Result<Self, WriteError> {
        let OutputTarget { sink, claimed, appear } = output_target;
        let target = claimed.as_ref().map(|(path_claim, _)| path_claim.target().to_owned());
        let (mode, discards_oldest) = (options.mode, options.mode.discards_oldest());
        let snapshot_requests = SnapshotRequests::default();
        let watch =
            options.snapshot_on.as_ref().map(|trigger| trigger.watch(&header.schema, snapshot_requests.clone()));
        let watch = watch.transpose().map_err(WriteError::Trigger)?.map(Arc::new);
        let (header, pending_docs, pending_schema) = split_header(header, &options);
        let (head, key) = write_head(&header, &pending_schema)?;
        // Installed before the first slot exists: a forked child must never write into its parent's slots.
        watch_forks();
        let payload_budget = discards_oldest.then(|| payload_budget(options.max_bytes, head.len())).transpose()?;
        let max_buffer_bytes = max_buffer_bytes(payload_budget, target.as_deref());
        let options = WriteOptions { buffer_bytes: options.buffer_bytes.min(max_buffer_bytes), ..options };
        let pool = Arc::new(Pool::new(&options, key, claimed.is_some()));
        let providers = ProviderMask::new(options.providers);
        if discards_oldest && claimed.is_none() {
            let text = "a ring recording needs a file";
            return Err(system_error(io::Error::new(io::ErrorKind::Unsupported, text)));
        }
        let side_files = match claimed {
            Some((path_claim, file)) => {
                let owner = SideFilesOwner {
                    key,
                    pool: &pool,
                    providers: &providers,
                    snapshot_requests: &snapshot_requests,
                    definitions: pending_schema.contents(),
                    payload_budget,
                    options: &options,
                };
                SideFiles::begin(path_claim, file, owner)?
            }
            None => SideFiles::default(),
        };
        let SideFiles { sidecar, ring, synced, control_server } = side_files;
        let maintenance = MaintenanceThread {
            pool: Arc::clone(&pool),
            sidecar: sidecar.clone(),
            is_full: false,
            name: Timer::every(DIR_SYNC_DELAY).filter(|_| sidecar.is_some()),
            synced,
            flush: options.flush_interval.and_then(Timer::every).map(|timer| (providers.clone(), timer)),
            clock: Timer::every(CLOCK_INTERVAL),
            end: options.max_time.and_then(|time| Some((time, Timer::every(time)?))),
            control_server,
        };
        let max_bytes = options.max_bytes.filter(|_| !discards_oldest);
        let list = BlockList::new(key, head.len() as u64, options.index_blocks);
        let metadata_writer = MetadataWriter::new(list, pending_docs, pending_schema);
        let output = BlockOutput { sink, sidecar, ring, max_bytes };
        let block_writer = BlockWriter::new(Arc::clone(&pool), output, metadata_writer, &header);
        let block_writer =
            begin_block_writer(block_writer, head, appear, options.sync, maintenance.sidecar.as_deref())?;
        let (block_writer, generation) = (Some(block_writer), generation());
        let mut writer = Self {
            pool,
            block_writer,
            maintenance: None,
            providers,
            snapshot_requests,
            watch,
            mode,
            generation,
            target,
        };
        writer.maintenance = Some(thread("taut-maintenance").spawn(move || maintenance.run()).map_err(system_error)?);
        Ok(writer)
    }

    /// Registers a callback for the case that events no longer survive the process although the recording is
    /// crash-safe; it receives the cause.
    pub fn on_not_persistent(&self, call: impl FnOnce(&str) + Send + 'static) {
        self.pool.on_not_persistent(Box::new(call));
    }

    /// Creates a writer for the events of a thread. Numbers are chosen by the caller; two writers of one number at the
    /// same time interleave their events buffer by buffer. `u32::MAX` is reserved for metadata and replaced by the
    /// number before it.
    pub fn thread(&self, thread: u32) -> ThreadWriter {
        let (pool, providers, watch) = (Arc::clone(&self.pool), self.providers.clone(), self.watch.clone());
        ThreadWriter::new(thread.min(METADATA_STREAM - 1), pool, providers, watch, self.generation)
    }

    /// Providers that are recorded; may be changed during the recording.
    pub fn providers(&self) -> &ProviderMask {
        &self.providers
    }

    /// Sets the clock of the stamps. From now on the trace contains clock readings, about every second and at its end,
    /// and the threads of its streams. The logical clock adds neither, so that equal runs produce equal traces.
    pub fn keep_time(&self, clock: Clock) {
        self.pool.keep_time(clock);
    }

    /// Registers a callback for a failure of the output, called immediately on the background thread; to be registered
    /// before anything is recorded. Nothing recorded after the failure is written, no thread waits, and
    /// [`finish`](Self::finish) returns the number of lost events of each thread.
    pub fn on_failure(&self, call: impl FnOnce(&WriteError) + Send + 'static) {
        self.pool.on_failure(Box::new(call));
    }

    /// Registers a callback for the end of the recording: a limit of its options was reached, or another process
    /// requested it. The recording program should then stop and call [`finish`](Self::finish).
    pub fn on_end(&self, call: impl FnOnce(EndCause) + Send + 'static) {
        self.pool.ends.on_end(Box::new(call));
    }

    /// Handle that requests snapshots of this recording; has an effect for crash-safe recordings only.
    pub fn snapshot_requests(&self) -> SnapshotRequests {
        self.snapshot_requests.clone()
    }

    /// Registers a callback for each snapshot that was taken or failed, whatever requested it.
    pub fn on_snapshot(&self, call: impl FnMut(&io::Result<Snapshot>) + Send + 'static) {
        self.pool.snapshots.on_snapshot(Box::new(call));
    }

    /// Policy for reaching the maximum size.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Registers a callback for each new segment of a ring recording except the first, called on the background thread.
    /// The segment may become the oldest one, after which everything before it is gone.
    pub fn on_segment(&self, call: impl FnMut() + Send + 'static) {
        self.pool.segments.on_segment(Box::new(call));
    }

    /// Marks the recording in the footer as ended before its workload did.
    pub fn mark_interrupted(&self) {
        self.pool.mark_interrupted();
    }

    /// Writes the remaining buffers and the footer. Every [`ThreadWriter`] should be dropped first: records still in
    /// the buffer of a live one are counted as lost, and events it records later are ignored; it never waits.
    ///
    /// # Errors
    /// The output failed at some time; the bytes written before are a valid trace without a footer. Or some rows did
    /// not have the layout of their event. Or this process is a forked child: the recording belongs to the parent.
    pub fn finish(mut self) -> Result<WriteSummary, WriteError> {
        if self.generation != generation() {
            return Err(WriteError::WriterEnded);
        }
        self.pool.close();
        let claimed = self.maintenance.take().map(JoinHandle::join);
        match self.block_writer.take().map(JoinHandle::join) {
            Some(Ok(Ok(written))) => match claimed {
                Some(Ok(Err(WriteError::Output { path, source, .. }))) => {
                    let (bytes_written, lost) = (written.bytes, self.lost());
                    Err(WriteError::Output { path, bytes_written, source, lost })
                }
                Some(Ok(claimed)) => claimed.map(|()| written),
                Some(Err(_)) | None => Err(WriteError::WriterEnded),
            },
            Some(Ok(Err(WriteError::Output { path, bytes_written, source, lost }))) => {
                let lost = if lost.is_empty() { self.lost() } else { lost };
                Err(WriteError::Output { path, bytes_written, source, lost })
            }
            Some(Ok(result)) => result,
            Some(Err(_)) | None => Err(WriteError::WriterEnded),
        }
    }

    /// Number of events of each thread that neither the failed output nor the sidecar has; includes those that blocks
    /// count as lost.
    fn lost(&self) -> Vec<(u32, u64)> {
        let lost = self.pool.lost_to_failure();
        let Some((target, trace)) = self.target.as_ref().and_then(|path| Some((path, Trace::open(path).ok()?))) else {
            return lost;
        };
        let recovered = trace.recovery().map_or(&[][..], |recovery| &recovery.threads);
        let of = |thread: u32| recovered.iter().find(|found| found.thread == thread).map_or(0, |found| found.events);
        let lost = lost.into_iter().map(|(thread, events)| (thread, events.saturating_sub(of(thread))));
        let lost: Vec<(u32, u64)> = lost.filter(|(_, events)| *events > 0).collect();
        if trace.recovery().is_some() {
            write_uncounted(target, &trace, &lost);
        }
        lost
    }
}

/// Writes the numbers of lost events that readers cannot derive from the trace to the control page of the sidecar, after
/// the output failed.
fn write_uncounted(target: &Path, trace: &Trace, lost: &[(u32, u64)]) {
    let threads = &trace.summary().threads;
    let counted =
        |thread: u32| threads.iter().find(|found| found.thread == thread).map_or(0, |found| found.lost_events);
    let uncounted = lost.iter().map(|(thread, events)| (*thread, events.saturating_sub(counted(*thread))));
    let uncounted: Vec<(u32, u64)> = uncounted.filter(|(_, events)| *events > 0).collect();
    if let Ok(Some(mut sidecar)) = open_side_file(&sidecar_path(target), true) {
        let words = [(LOST_AT, lost_words(&uncounted)), (FAILED_AT, failed_word(false).to_vec())];
        // The losses are counted before the mark of unknown ones is removed. If this write fails, they are still in the
        // returned error.
        let _ = words.iter().try_for_each(|(offset, words)| {
            sidecar.seek(SeekFrom::Start(*offset)).and_then(|_| sidecar.write_all(words))
        });
    }
}

/// Error of the system that concerns no file.
fn system_error(source: io::Error) -> WriteError {
    WriteError::Output { path: None, bytes_written: 0, source, lost: Vec::new() }
}

fn thread(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(name.to_owned())
}

/// Bytes of the head, and the key of the recording. The head lacks the definitions that are written on first use.
fn write_head(header: &Header, pending_schema: &PendingSchema) -> Result<(Vec<u8>, u32), WriteError> {
    let at_begin = if pending_schema.is_empty() {
        Cow::Borrowed(header)
    } else {
        Cow::Owned(Header { schema: header.schema.defined_at_begin(), ..header.clone() })
    };
    file_head::write(&at_begin).map_err(WriteError::Header)
}

/// Starts the thread of the block writer, and waits until it has written the head.
fn begin_block_writer(
    block_writer: BlockWriter,
    head: Vec<u8>,
    appear: Box<dyn FnOnce() -> io::Result<()> + Send>,
    sync: bool,
    sidecar: Option<&Sidecar>,
) -> Result<JoinHandle<Result<WriteSummary, WriteError>>, WriteError> {
    let (begun, wait) = channel();
    let run = move || block_writer.run(&head, appear, &begun, sync);
    let block_writer = thread("taut-traces").spawn(run).map_err(|error| {
        // A recording that never began must not leave a sidecar.
        sidecar.iter().for_each(|sidecar| sidecar.remove());
        system_error(error)
    })?;
    // The channel closes without a message if the block writer could not begin.
    match wait.recv() {
        Ok(()) => Ok(block_writer),
        Err(_) => match block_writer.join() {
            Ok(Err(error)) => Err(error),
            _ => Err(WriteError::WriterEnded),
        },
    }
}

/// Max size of a thread's buffer, in bytes.
fn max_buffer_bytes(payload_budget: Option<u64>, target: Option<&Path>) -> usize {
    // Records still held by threads have to be smaller than a segment: otherwise a late handover of old records
    // would displace new ones.
    let in_segment = payload_budget.map_or(usize::MAX, |payload_budget| (payload_budget / SEGMENTS / 4) as usize);
    let free = target.and_then(|target| free_bytes(folder(target)));
    free.map_or(in_segment, |free| slot_bytes(in_segment, free))
}

/// Folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Interval between clock readings in the trace.
const CLOCK_INTERVAL: Duration = Duration::from_secs(1);

/// Delay after which the folder of a recording is synced: by then, the threads have their first slots.
const DIR_SYNC_DELAY: Duration = Duration::from_millis(100);

/// Size by which a head may grow for the omitted records, plus that of metadata at the end, in bytes.
const HEADER_RESERVE_BYTES: u64 = 2048;

/// Max size of the blocks of a ring recording of `max_bytes`.
fn payload_budget(max_bytes: Option<u64>, head_bytes: usize) -> Result<u64, WriteError> {
    let others = head_bytes as u64 + HEADER_RESERVE_BYTES + footer::EMPTY_BYTES;
    let min_bytes = others + SEGMENTS * MIN_SEGMENT_BYTES;
    let max_bytes = max_bytes.unwrap_or_default();
    if max_bytes < min_bytes {
        return Err(WriteError::TooSmall { max_bytes, min_bytes });
    }
    Ok(max_bytes - others)
}

/// Splits a header into the header as written, the descriptions of events, and the definitions of events; the latter
/// two are written on first use. For a ring recording everything stays in the header, because blocks are discarded.
fn split_header(header: &Header, options: &WriteOptions) -> (Header, PendingDocs, PendingSchema) {
    let mut header = header.clone();
    let (mut pending_docs, mut pending_schema) = (PendingDocs::default(), PendingSchema::default());
    if !options.mode.discards_oldest() {
        pending_docs = PendingDocs::new(&header.schema);
        header.schema = header.schema.without_docs();
        pending_schema = PendingSchema::new(&header.schema);
    }
    if options.providers != ProviderSet::ALL {
        let names = options.providers.iter().map(|provider| provider.name().to_owned());
        header.world.providers = Some(names.collect());
    }
    if let Some(recording) = &mut header.identity.recording {
        let interval = options.sync_interval.filter(|_| options.mode != Mode::Ring);
        recording.sync_interval_ns = interval.map(|interval| interval.as_nanos() as u64);
    }
    (header, pending_docs, pending_schema)
}

impl Drop for TraceWriter {
    fn drop(&mut self) {
        // A forked child has none of these threads; the recording belongs to the parent.
        if let Some(block_writer) = self.block_writer.take().filter(|_| self.generation == generation()) {
            self.pool.abandon();
            // There is no caller left to report errors to.
            let _ = (block_writer.join(), self.maintenance.take().map(JoinHandle::join));
        }
    }
}
