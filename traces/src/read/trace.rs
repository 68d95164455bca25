//! Open trace.

use crate::format::block_info::{BlockInfo, UnknownBlock};
use crate::format::clock_reading::{ClockReading, UtcClock};
use crate::format::control_block::ControlBlock;
use crate::format::docs_block;
use crate::format::envelope::{CLOCK, GAP, NOTE, STREAMS};
use crate::format::error::{Damage, ReadError};
use crate::format::file_head::{self, FileHead};
use crate::format::footer::{TRAILER_BYTES, parse_trailer};
use crate::format::gap::Gap;
use crate::format::header::Header;
use crate::format::index::{Framed, Index};
use crate::format::metadata::NOT_PERSISTENT;
use crate::format::other_block::OtherBlock;
use crate::format::parse::run;
use crate::format::schema_block;
use crate::format::stream_info::{self, StreamInfo};
use crate::format::walk::Walks;
use crate::live::map::FileBytes;
use crate::live::orphaned_sidecar::{OrphanedSidecar, SIDECAR, is_recorded, orphaned_sidecar};
use crate::live::path_claim::sidecar_path;
use crate::live::regular_file::open_regular;
use crate::live::segment::segments_folder;
use crate::live::segments::read_segments;
use crate::live::sparse::read_at;
use crate::read::block::{Block, BlockSource};
use crate::read::locate::index;
use crate::read::recovery::{RecoveredBlocks, RecoveredThread, Recovery, UnfinishedFile, recover};
use crate::read::scan::Scan;
use crate::read::summary::Summary;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use taut_schemas::{EventCode, SchemaTable};

/// Max number of attempts to open a recording that changes meanwhile.
const MAX_ATTEMPTS: u32 = 10;

/// Pause between two attempts.
const RETRY_DELAY: Duration = Duration::from_millis(5);

/// Function that opens the bytes of a file.
type ReadFile = fn(&Path) -> std::io::Result<FileBytes>;

/// Open trace. Opening reads the header and the footer, not the blocks; a file without a footer is scanned for block
/// heads.
#[derive(Debug)]
pub struct Trace {
    pub(crate) file: FileBytes,
    pub(crate) walks: Arc<Walks>,
    pub(crate) key: u32,
    pub(crate) version: u16,
    /// Offset of the first block, in bytes.
    pub(crate) start: u64,
    header: Header,
    /// Events that the file does not define and that therefore do not occur; their definitions are this build's.
    assumed: Vec<EventCode>,
    summary: Summary,
    index: Index,
    /// True if blocks before a stream's first one are not counted as missing.
    begins_anywhere: bool,
    tail: RecoveredBlocks,
    recovery: Option<Recovery>,
    /// Number of records in all blocks read so far.
    records_read: AtomicU64,
}

impl Trace {
    /// Opens the file at `path`. The side files of an unfinished recording are included ([`recovery`](Self::recovery));
    /// an active recording is opened in its current state.
    ///
    /// # Errors
    /// The file cannot be read, is not a trace, or its header is damaged. Anything else is [`damage`](Self::damage).
    pub fn open(path: impl AsRef<Path>) -> Result<Trace, ReadError> {
        Trace::open_after(path.as_ref(), || ())
    }

    /// Same as [`open`](Self::open), but reads the file into memory: a file that is shortened later does not affect the
    /// trace, and raises no signal.
    ///
    /// # Errors
    /// As [`open`](Self::open); or the file does not fit into memory.
    pub fn open_in_memory(path: impl AsRef<Path>) -> Result<Trace, ReadError> {
        Trace::open_by(path.as_ref(), FileBytes::read, || ())
    }

    /// Same as [`open`](Self::open); calls `before` before each attempt.
    pub(crate) fn open_after(path: &Path, before: impl FnMut()) -> Result<Trace, ReadError> {
        Trace::open_by(path, FileBytes::open, before)
    }

    fn open_by(path: &Path, read: ReadFile, mut before: impl FnMut()) -> Result<Trace, ReadError> {
        let mut tries = 1;
        loop {
            before();
            let opened = Trace::open_once(path, read);
            let may_lack_moved_records = match &opened {
                Ok(trace) => trace.may_lack_moved_records(),
                Err(_) => is_recorded(path),
            };
            if !may_lack_moved_records || tries == MAX_ATTEMPTS {
                return opened;
            }
            // The recorder was in the middle of a change.
            tries += 1;
            std::thread::sleep(RETRY_DELAY);
        }
    }

    fn open_once(path: &Path, read: ReadFile) -> Result<Trace, ReadError> {
        // The sidecar is read before the file: a record whose slot is freed in between is then read from the file.
        // A finished file needs no sidecar.
        let early = (!has_end(path)).then(|| orphaned_sidecar(path));
        let file = read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        let mut trace = Trace::new(file)?;
        if trace.index.complete {
            return Ok(trace);
        }
        let left = early.unwrap_or_else(|| orphaned_sidecar(path));
        match read_segments(&segments_folder(&sidecar_path(path)), trace.key) {
            Ok(Some(segments)) => return Trace::open_ring(&trace.file[..trace.start as usize], segments, left),
            Ok(None) => {}
            Err(damage) => trace.index.damage.push(damage),
        }
        trace.join(left);
        Ok(trace)
    }

    /// True if records are missing that an active recording may have moved while it was read.
    fn may_lack_moved_records(&self) -> bool {
        let is_missing = |thread: &RecoveredThread| thread.missing > 0 || thread.has_unknown_losses;
        let recovery = self.recovery.as_ref().filter(|recovery| recovery.is_alive);
        recovery.is_some_and(|recovery| recovery.threads.iter().any(is_missing) || !self.index.damage.is_empty())
    }

    /// Opens the trace in an open file, which errors call `name`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_file(file: &File, name: impl AsRef<Path>) -> Result<Trace, ReadError> {
        let file = FileBytes::map(file).map_err(|source| ReadError::Io { path: name.as_ref().to_owned(), source })?;
        Trace::new(file)
    }

    /// Opens a trace in memory.
    ///
    /// # Errors
    /// The bytes are not a trace, or its header is damaged.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Trace, ReadError> {
        Trace::new(FileBytes::Owned(bytes))
    }

    fn new(file: FileBytes) -> Result<Trace, ReadError> {
        let head = file_head::read(&file)?;
        let (key, version, start) = (head.key, head.version, head.end);
        let index = index(Framed { file: &file, start, key, version });
        Ok(Trace::indexed(file, head, index))
    }

    /// Opens the trace in a file that never had a footer. With `begins_anywhere`, missing first blocks of a stream are
    /// not damage.
    pub(crate) fn open_unfinished(file: FileBytes, begins_anywhere: bool) -> Result<Trace, ReadError> {
        let head = file_head::read(&file)?;
        let (key, version, start) = (head.key, head.version, head.end);
        let mut index = Scan::unended(Framed { file: &file, start, key, version }, begins_anywhere).run();
        index.forget_end(start);
        Ok(Trace { begins_anywhere, ..Trace::indexed(file, head, index) })
    }

    fn indexed(file: FileBytes, head: FileHead, mut index: Index) -> Trace {
        let (key, version, start) = (head.key, head.version, head.end);
        let mut header = head.header;
        let walks = Walks::new(&SchemaTable::default());
        let source = BlockSource { file: &file, tail: &[], key, version, walks: &walks };
        // Definitions are added first, because walks and descriptions refer to definitions.
        let damage = schema_block::define(&mut header.schema, &index, |block| source.payload(block));
        index.damage.extend(damage);
        let assumed = header.schema.assume_known();
        let summary = Summary::new(&index, version, file.len() as u64);
        docs_block::set_docs(&mut header.schema, &index, |block| source.payload(block).ok());
        header.schema.share();
        let walks = Walks::shared(&header.schema);
        let (tail, recovery, records_read) = (RecoveredBlocks::default(), None, AtomicU64::new(0));
        let begins_anywhere = false;
        Trace {
            file,
            walks,
            key,
            version,
            start,
            header,
            assumed,
            summary,
            index,
            begins_anywhere,
            tail,
            recovery,
            records_read,
        }
    }

    /// Adds the records of the sidecar that the file lacks.
    pub(crate) fn join(&mut self, left: Result<Option<OrphanedSidecar>, Damage>) {
        if self.index.complete {
            return;
        }
        match left {
            Ok(None) => return,
            Ok(Some(left)) if left.control_page.key != self.key => return,
            Ok(Some(left)) => {
                self.index.forget_end(self.start);
                let defined = self.define(left.defined.as_ref());
                let (mut tail, recovery) = recover(
                    UnfinishedFile {
                        source: self.source(),
                        blocks: &self.index.blocks,
                        begins_anywhere: self.begins_anywhere,
                    },
                    &left,
                );
                self.index.damage.extend(recovery.threads.iter().filter_map(|thread| missing(self.file.len(), thread)));
                self.index.damage.extend(left.damage);
                self.index.damage.extend(recovery.has_unknown_losses.then(|| failed_write(self.file.len())));
                self.index.add_recovered(tail.blocks.clone());
                let is_new = |(code, _): &(EventCode, u32)| defined.contains(code);
                if tail.blocks.iter().flat_map(|block| block.kinds.iter()).any(is_new) {
                    tail.definitions = left.defined.as_ref().and_then(schema_block::contents);
                }
                (self.tail, self.recovery) = (tail, Some(recovery));
            }
            Err(damage) => self.index.damage.push(damage),
        }
        self.summary = Summary::new(&self.index, self.version, self.file.len() as u64);
    }

    /// Adds definitions that the file lacks and returns their codes.
    fn define(&mut self, part: Option<&SchemaTable>) -> Vec<EventCode> {
        let Some(part) = part else { return Vec::new() };
        let assumed = std::mem::take(&mut self.assumed);
        // Assumed definitions are removed, so that the sidecar's definitions replace them.
        self.header.schema.events.retain(|event| assumed.binary_search(&event.code).is_err());
        let codes = part.events.iter().map(|event| event.code);
        let new = codes.filter(|code| self.header.schema.event(*code).is_none()).collect();
        // If the two contradict each other, the file takes precedence.
        let is_added = schema_block::add(&mut self.header.schema, part.without_docs()).is_ok();
        self.assumed = self.header.schema.assume_known();
        self.header.schema.fill_known_docs();
        self.header.schema.share();
        self.walks = Walks::shared(&self.header.schema);
        if is_added { new } else { Vec::new() }
    }

    /// Adds damage of side files.
    pub(crate) fn add_damage(&mut self, damage: Vec<Damage>) {
        self.index.damage.extend(damage);
    }

    /// Takes over recovery and damage of another trace, of which this one is a part.
    pub(crate) fn take_over(&mut self, other: Trace) {
        self.recovery = other.recovery;
        self.index.damage.extend(other.index.damage);
        self.summary = Summary::new(&self.index, self.version, self.file.len() as u64);
    }

    /// Result of reading the sidecar; `None` if there is no sidecar of this trace.
    pub fn recovery(&self) -> Option<&Recovery> {
        self.recovery.as_ref()
    }

    /// Releases the memory of a block that was read, if the file is large.
    pub(crate) fn release_pages(&self, block: &BlockInfo) {
        self.file.release_pages(block.offset, block.length_bytes.into());
    }

    /// Source from which blocks are read.
    pub(crate) fn source(&self) -> BlockSource<'_> {
        BlockSource {
            file: &self.file,
            tail: &self.tail.bytes,
            key: self.key,
            version: self.version,
            walks: &self.walks,
        }
    }

    /// Header: the schema table and the world in which the trace was recorded.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Counts, losses and time span, from the footer or, without one, from the blocks' heads.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Damage found by opening. Blocks are checked when they are read, or all of them by [`verify`](Self::verify).
    pub fn damage(&self) -> &[Damage] {
        &self.index.damage
    }

    /// Number of records in the blocks read so far, repeated reads included; a measure of progress.
    pub fn records_read(&self) -> u64 {
        self.records_read.load(Ordering::Relaxed)
    }

    /// Counts the records of a block that was read.
    pub(crate) fn count_read(&self, block: &BlockInfo) {
        self.records_read.fetch_add(block.records.into(), Ordering::Relaxed);
    }

    /// Blocks of kinds that this crate does not know, in file order. They are skipped; if one of them [is
    /// critical](UnknownBlock::is_critical), the trace must not be replayed.
    pub fn unknown_blocks(&self) -> &[UnknownBlock] {
        &self.index.unknown
    }

    /// Conversion of stamps to UTC; `None` if the trace has no clock readings, as with the logical clock.
    pub fn utc_clock(&self) -> Option<UtcClock> {
        let readings = self
            .others()
            .iter()
            .filter(|block| block.kind == CLOCK)
            .filter_map(|block| ClockReading::from_control_block(block.control_block));
        UtcClock::new(readings.collect(), self.header.world.clock.ticks_per_second)
    }

    /// Threads of the streams, if the trace contains them. A stream written by several threads occurs several
    /// times.
    pub fn streams(&self) -> Vec<StreamInfo> {
        let mut streams: Vec<StreamInfo> = Vec::new();
        for block in self.others().iter().filter(|block| block.kind == STREAMS) {
            let Ok(payload) = self.payload(block) else { continue };
            streams.extend(
                run(block.offset, "streams", payload, |input| stream_info::parse(input, block.control_block))
                    .unwrap_or_default(),
            );
        }
        streams.sort_by(|a, b| (a.stream, &a.name, a.system_thread).cmp(&(b.stream, &b.name, b.system_thread)));
        streams.dedup();
        streams
    }

    /// Gaps: span, number and cause of lost events, if the trace contains them.
    pub fn gaps(&self) -> Vec<Gap> {
        let gaps = self
            .others()
            .iter()
            .filter(|block| block.kind == GAP)
            .filter_map(|block| Gap::from_control_block(block.control_block));
        gaps.chain(self.tail.gaps.iter().copied()).collect()
    }

    /// True if an unknown number of events is lost: a write of the recorder failed, and the process did not end the
    /// recording.
    pub fn has_unknown_losses(&self) -> bool {
        self.gaps().iter().any(Gap::has_unknown_number)
    }

    /// Cause for which events did not survive the process from some point on, although the recording was crash-safe.
    pub fn not_persistent(&self) -> Option<String> {
        let mut notes =
            self.others().iter().filter(|block| block.kind == NOTE && block.control_block.count == NOT_PERSISTENT);
        notes.find_map(|block| Some(String::from_utf8_lossy(self.payload(block).ok()?).into_owned()))
    }

    /// Recovered definitions that are in no block yet.
    pub(crate) fn recovered_definitions(&self) -> Option<&(ControlBlock, Vec<u8>)> {
        self.tail.definitions.as_ref()
    }

    /// Recovered gaps that are in no block yet.
    pub(crate) fn recovered_gaps(&self) -> &[Gap] {
        &self.tail.gaps
    }

    /// All blocks without records, in file order.
    pub(crate) fn others(&self) -> &[OtherBlock] {
        &self.index.others
    }

    /// Payload of a block without records of a known kind.
    ///
    /// # Errors
    /// The block is damaged, or does not match its index entry.
    pub(crate) fn payload(&self, block: &OtherBlock) -> Result<&[u8], Damage> {
        self.source().payload(block)
    }

    /// Blocks of records, in file order.
    pub fn blocks(&self) -> &[BlockInfo] {
        &self.index.blocks
    }

    /// Calls that were open in the thread when a block began: their number, and the codes of their start records,
    /// outermost first; of more than 1024, the innermost.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn open_calls(&self, block: &BlockInfo) -> Result<(u32, Vec<EventCode>), Damage> {
        let head = Block::read(self.source(), block)?.head;
        Ok((head.depth, head.open))
    }
}

/// True if the file at `path` ends as a complete trace does.
fn has_end(path: &Path) -> bool {
    let trailer = || -> std::io::Result<Vec<u8>> {
        let file = open_regular(path)?;
        let offset = file.metadata()?.len().saturating_sub(TRAILER_BYTES as u64);
        read_at(&file, offset, TRAILER_BYTES)
    };
    trailer().is_ok_and(|bytes| parse_trailer(&bytes).is_ok())
}

/// Damage for the events after a failed write of the recorder.
fn failed_write(file_bytes: usize) -> Damage {
    Damage {
        offset: file_bytes as u64,
        what: SIDECAR,
        expected: "all events of the process".to_owned(),
        found: "those before a failed write of the recorder".to_owned(),
        events_lost: None,
    }
}

/// Damage for a thread's missing records, located at the end of the file.
fn missing(file_bytes: usize, thread: &RecoveredThread) -> Option<Damage> {
    let lost = thread.missing > 0 || thread.has_unknown_losses;
    lost.then(|| Damage {
        offset: file_bytes as u64,
        what: SIDECAR,
        expected: format!("the records of thread {} that were whole", thread.thread),
        found: format!("{} of them", thread.events),
        events_lost: Some(thread.missing).filter(|_| !thread.has_unknown_losses),
    })
}
