//! Writing a trace.

use crate::attendant::{Attendant, LOOK_EVERY};
use crate::block_list::BlockList;
use crate::block_writer::BlockWriter;
use crate::claim::Claim;
use crate::clock::Clock;
use crate::disk::DiskFile;
use crate::docs_block::Untold;
use crate::end_cause::EndCause;
use crate::error::WriteError;
use crate::file_head;
use crate::footer;
use crate::header::Header;
use crate::keeper::{Keeper, Synced};
use crate::map::{generation, watch_forks};
use crate::mode::Mode;
use crate::options::WriteOptions;
use crate::other_block::OWN_STREAM;
use crate::part::Part;
use crate::pool::Pool;
use crate::provider_mask::ProviderMask;
use crate::ring::{Current, LEAST_SEGMENT_BYTES, Ring, SEGMENTS};
use crate::schema_block::Undefined;
use crate::sidecar::Sidecar;
use crate::sink::Sink;
use crate::snapshot::Snapshot;
use crate::snapshot_trigger::EventWatch;
use crate::snapshot_wish::SnapshotWish;
use crate::teller::Teller;
use crate::thread_writer::ThreadWriter;
use crate::timer::Timer;
use crate::write_summary::WriteSummary;
use std::borrow::{Borrow, Cow};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;
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
    wish: SnapshotWish,
    /// Asks for one at an event.
    watch: Option<Arc<EventWatch>>,
    mode: Mode,
    generation: u32,
}

/// Where a trace goes, and what it takes for it to appear there.
struct Beginning {
    sink: Sink,
    /// The file, if slots are kept beside it.
    kept: Option<(Claim, DiskFile)>,
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
        let file = options.disk.create(&path).map_err(output_error)?;
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
        let (file, part) = Part::beside(&target, &options.disk).map_err(|source| WriteError::Output {
            path: Some(path.to_owned()),
            bytes_written: 0,
            source,
            lost: Vec::new(),
        })?;
        Self::keeping(claim, file, move || part.put(&target), header.borrow(), options)
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
        let name = name.as_ref();
        let file = options.disk.file(file, name);
        Self::begin(Beginning::of(Sink::file(file, name.to_owned())), header.borrow(), options)
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
        let file = options.disk.file(file, &claim.name);
        Self::keeping(claim, file, appear, header.borrow(), options)
    }

    fn keeping(
        claim: Claim,
        file: DiskFile,
        appear: impl FnOnce() -> io::Result<()> + Send + 'static,
        header: &Header,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let name = claim.name.clone();
        let failed =
            |source| WriteError::Output { path: Some(name.clone()), bytes_written: 0, source, lost: Vec::new() };
        let kept = Some((claim, file.try_clone().map_err(failed)?));
        let sink = Sink::file(file, name.clone());
        Self::begin(Beginning { sink, kept, appear: Box::new(appear) }, header, options)
    }

    /// The header is written by the background thread as well, to which a limit on the file's size is an error.
    fn begin(beginning: Beginning, header: &Header, options: WriteOptions) -> Result<Self, WriteError> {
        let Beginning { sink, kept, appear } = beginning;
        let (mode, keeps_the_last) = (options.mode, options.mode.keeps_the_last());
        let wish = SnapshotWish::default();
        let watch = options.snapshot_on.as_ref().map(|trigger| trigger.watch(&header.schema, wish.clone()));
        let watch = watch.transpose().map_err(WriteError::Trigger)?.map(Arc::new);
        let (header, untold, undefined) = said(header, &options);
        let at_begin = if undefined.is_empty() {
            Cow::Borrowed(&header)
        } else {
            Cow::Owned(Header { schema: header.schema.defined_at_begin(), ..header.clone() })
        };
        let (head, key) = file_head::write(&at_begin).map_err(WriteError::Header)?;
        let machine = |source: io::Error| WriteError::Output { path: None, bytes_written: 0, source, lost: Vec::new() };
        watch_forks();
        let room = keeps_the_last.then(|| room(options.max_bytes, head.len())).transpose()?;
        // What threads have not handed over yet is to be less than a segment: what came long before would push out what is new.
        let most = room.map_or(usize::MAX, |room| (room / SEGMENTS / 4) as usize);
        let options = WriteOptions { buffer_bytes: options.buffer_bytes.min(most), ..options };
        let pool = Arc::new(Pool::new(&options, key, kept.is_some()));
        let providers = ProviderMask::new(options.providers);
        if keeps_the_last && kept.is_none() {
            return Err(machine(io::Error::new(
                io::ErrorKind::Unsupported,
                "a recording that keeps its last needs a file",
            )));
        }
        let mut ring = None;
        let (mut sidecar, mut synced, mut attendant) = (None, None, None);
        if let Some((claim, file)) = kept {
            let (path, interval) = (claim.name.clone(), options.sync_interval);
            let interval = interval.filter(|_| options.mode != Mode::Ring);
            let interval_ns = interval.map_or(0, |interval| interval.as_nanos() as u64);
            let begun =
                Sidecar::begin(claim, (key, interval_ns), pool.buffer_bytes(), undefined.contents(), &options.disk)
                    .map_err(machine)?;
            let begun = Arc::new(begun);
            let (of_sidecar, trace) = (Arc::clone(&begun), begun.trace_path());
            let hears = Attendant::new(of_sidecar, Arc::clone(&pool), providers.clone(), wish.clone(), trace);
            attendant = Timer::every(LOOK_EVERY).map(|timer| (hears, timer));
            let mut to_sync = Synced::File(file);
            if let Some(bytes) = room {
                let current = interval.map(|_| Current::default());
                ring = Some(
                    Ring::begin(begun.segments_folder(), key, bytes, current.clone(), options.disk.clone())
                        .inspect_err(|_| begun.remove())?,
                );
                to_sync = current.map_or(to_sync, Synced::Segment);
            }
            sidecar = Some(begun);
            synced = interval.and_then(Timer::every).map(|timer| (to_sync, path, timer));
        }
        let keeper = Keeper {
            pool: Arc::clone(&pool),
            sidecar: sidecar.clone(),
            is_full: false,
            name: Timer::every(NAME_AFTER).filter(|_| sidecar.is_some()),
            synced,
            flush: options.flush_interval.and_then(Timer::every).map(|timer| (providers.clone(), timer)),
            clock: Timer::every(CLOCK_EVERY),
            end: options.max_time.and_then(|time| Some((time, Timer::every(time)?))),
            attendant,
        };
        let max_bytes = options.max_bytes.filter(|_| !keeps_the_last);
        let list = BlockList::new(key, head.len() as u64, options.index_blocks);
        let told = Teller::new(list, untold, undefined);
        let block_writer = BlockWriter::new(Arc::clone(&pool), sink, told, &header, (sidecar, ring), max_bytes);
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let (begun, wait) = channel();
        let run = move || block_writer.run(&head, appear, &begun, options.sync);
        let block_writer = thread("taut-traces").spawn(run).map_err(|error| {
            keeper.sidecar.iter().for_each(|sidecar| sidecar.remove());
            machine(error)
        })?;
        // Says nothing if it could not begin.
        if wait.recv().is_err() {
            return match block_writer.join() {
                Ok(Err(error)) => Err(error),
                _ => Err(WriteError::WriterEnded),
            };
        }
        let (block_writer, generation) = (Some(block_writer), generation());
        let mut writer = Self { pool, block_writer, keeper: None, providers, wish, watch, mode, generation };
        writer.keeper = Some(thread("taut-keeper").spawn(move || keeper.run()).map_err(machine)?);
        Ok(writer)
    }

    /// Has `call` hear why, should it come to be that what is recorded does not outlive the process, though it was to.
    pub fn on_unkept(&self, call: impl FnOnce(&str) + Send + 'static) {
        self.pool.on_unkept(Box::new(call));
    }

    /// A writer for the events of a thread. Numbers are the recorder's own; two writers of one number at the same
    /// time mix their events buffer by buffer. `u32::MAX` is the recording's own: who asks for it is the one before.
    pub fn thread(&self, thread: u32) -> ThreadWriter {
        let (pool, providers, watch) = (Arc::clone(&self.pool), self.providers.clone(), self.watch.clone());
        ThreadWriter::new(thread.min(OWN_STREAM - 1), pool, providers, watch, self.generation)
    }

    /// The providers that are recorded, which may change while the recording goes on.
    pub fn providers(&self) -> &ProviderMask {
        &self.providers
    }

    /// Says whose the stamps are: the trace has what time it is by this clock from now on, about every second and at its end, and
    /// which threads its streams are. By the logical clock it has neither, so that equal runs make equal traces.
    pub fn keep_time(&self, clock: Clock) {
        self.pool.keep_time(clock);
    }

    /// Has `call` hear what is wrong when the output fails, at that moment and on the background thread; to be said before
    /// anything is recorded. Nothing that is recorded from then on is kept, nobody waits, and [`finish`](Self::finish)
    /// tells how many events of each thread were lost.
    pub fn on_failure(&self, call: impl FnOnce(&WriteError) + Send + 'static) {
        self.pool.on_failure(Box::new(call));
    }

    /// Has `call` hear why the recording is to end: it has come to what its options set, or somebody asks for it. Whoever
    /// records is to stop then, and to [`finish`](Self::finish).
    pub fn on_end(&self, call: impl FnOnce(EndCause) + Send + 'static) {
        self.pool.ends.on_end(Box::new(call));
    }

    /// What asks for snapshots of this recording, if it outlives its process: others take none.
    pub fn snapshot_wish(&self) -> SnapshotWish {
        self.wish.clone()
    }

    /// Has `call` hear of each snapshot that was taken or could not be, whoever asked for it.
    pub fn on_snapshot(&self, call: impl FnMut(&io::Result<Snapshot>) + Send + 'static) {
        self.pool.snapshots.on_snapshot(Box::new(call));
    }

    /// What becomes of what is recorded when there is more of it than there is to be.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Has `call` hear, on the background thread, of each segment but the first that a recording begins which keeps only its last:
    /// it may come to be the oldest, so that what comes before is not there any more.
    pub fn on_segment(&self, call: impl FnMut() + Send + 'static) {
        self.pool.segments.on_segment(Box::new(call));
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
    /// not have the layout of their event. Or this is a child that a `fork` made: the recording is its parent's.
    pub fn finish(mut self) -> Result<WriteSummary, WriteError> {
        if self.generation != generation() {
            return Err(WriteError::WriterEnded);
        }
        self.pool.close();
        let kept = self.keeper.take().map(JoinHandle::join);
        match self.block_writer.take().map(JoinHandle::join) {
            Some(Ok(Ok(written))) => match kept {
                Some(Ok(Err(WriteError::Output { path, source, .. }))) => {
                    let (bytes_written, lost) = (written.bytes, self.pool.lost_to_failure());
                    Err(WriteError::Output { path, bytes_written, source, lost })
                }
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

/// How often the trace says what time it is.
const CLOCK_EVERY: Duration = Duration::from_secs(1);

/// When the folder of a recording is brought to disk: threads have the slots that they begin with by then.
const NAME_AFTER: Duration = Duration::from_millis(100);

/// Bytes that a head may come to be longer by which says what was left out, and what may be said of the recording at its end.
const TO_COME_BYTES: u64 = 2048;

/// What the blocks of a recording may have that keeps its last, of `max_bytes`.
fn room(max_bytes: Option<u64>, head_bytes: usize) -> Result<u64, WriteError> {
    let others = head_bytes as u64 + TO_COME_BYTES + footer::EMPTY_BYTES;
    let least_bytes = others + SEGMENTS * LEAST_SEGMENT_BYTES;
    let max_bytes = max_bytes.unwrap_or_default();
    if max_bytes < least_bytes {
        return Err(WriteError::TooSmall { max_bytes, least_bytes });
    }
    Ok(max_bytes - others)
}

/// The header as it is written, what is said of its events when they occur, and which of them are defined then: of a recording that
/// keeps only its last, there is nothing but the header in which that stays.
fn said(header: &Header, options: &WriteOptions) -> (Header, Untold, Undefined) {
    let mut header = header.clone();
    let (mut untold, mut undefined) = (Untold::default(), Undefined::default());
    if !options.mode.keeps_the_last() {
        untold = Untold::of(&header.schema);
        header.schema = header.schema.without_docs();
        undefined = Undefined::of(&header.schema);
    }
    if options.providers != ProviderSet::ALL {
        let names = options.providers.iter().map(|provider| provider.name().to_owned());
        header.world.providers = Some(names.collect());
    }
    if let Some(recording) = &mut header.identity.recording {
        let interval = options.sync_interval.filter(|_| options.mode != Mode::Ring);
        recording.sync_interval_ns = interval.map(|interval| interval.as_nanos() as u64);
    }
    (header, untold, undefined)
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
