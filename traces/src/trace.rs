//! An open trace.

use crate::block::{Block, BlockSource};
use crate::block_info::{BlockInfo, UnknownBlock};
use crate::claim::sidecar_path;
use crate::clock_reading::{ClockReading, UtcClock};
use crate::docs_block;
use crate::envelope::{CLOCK, GAP, NOTE, STREAMS};
use crate::error::{Damage, ReadError};
use crate::file_head::{self, FileHead};
use crate::gap::Gap;
use crate::header::Header;
use crate::index::{Framed, Index};
use crate::left_behind::{LeftBehind, SIDECAR, is_recorded, left_behind};
use crate::locate::index;
use crate::map::FileBytes;
use crate::other_block::OtherBlock;
use crate::own::UNKEPT;
use crate::parse::run;
use crate::recovery::{RecoveredThread, Recovery, Tail, Unended, recover};
use crate::scan::Scan;
use crate::schema_block;
use crate::segment::segments_folder;
use crate::segments::read_segments;
use crate::stream_info::{self, StreamInfo};
use crate::summary::Summary;
use crate::told::Told;
use crate::walk::Walks;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use taut_schemas::{EventCode, SchemaTable};

/// How often a recording under way is looked at until it holds still.
const TRIES: u32 = 10;

/// How long after each time.
const PAUSE: Duration = Duration::from_millis(5);

/// An open trace. Opening reads the header and the footer, not the blocks; a file without a footer is searched for
/// its blocks' heads.
#[derive(Debug)]
pub struct Trace {
    pub(crate) file: FileBytes,
    pub(crate) walks: Walks,
    pub(crate) key: u32,
    pub(crate) version: u16,
    /// Where the first block begins, in bytes.
    pub(crate) start: u64,
    header: Header,
    /// Events that nothing defines, so that none occurs: as this build knows them.
    assumed: Vec<EventCode>,
    summary: Summary,
    index: Index,
    /// The blocks before a stream's first are not missed.
    begins_anywhere: bool,
    tail: Tail,
    recovery: Option<Recovery>,
    /// Of all blocks read so far.
    records_read: AtomicU64,
}

impl Trace {
    /// Opens the file at `path`. What a recording that did not end has beside it is taken as well
    /// ([`recovery`](Self::recovery)); while it goes on, this is what it has so far.
    ///
    /// # Errors
    /// It cannot be read, is no trace, or its header is damaged. Everything else is [`damage`](Self::damage).
    pub fn open(path: impl AsRef<Path>) -> Result<Trace, ReadError> {
        Trace::open_after(path.as_ref(), || ())
    }

    /// The same; `before` is called before each look at the files.
    pub(crate) fn open_after(path: &Path, mut before: impl FnMut()) -> Result<Trace, ReadError> {
        let mut tries = 1;
        loop {
            before();
            let opened = Trace::open_once(path);
            let is_unsettled = match &opened {
                Ok(trace) => trace.is_unsettled(),
                Err(_) => is_recorded(path),
            };
            if !is_unsettled || tries == TRIES {
                return opened;
            }
            // The recorder was in the middle of a change.
            tries += 1;
            std::thread::sleep(PAUSE);
        }
    }

    fn open_once(path: &Path) -> Result<Trace, ReadError> {
        // First of all: what is freed from now on will be found in the file.
        let left = left_behind(path);
        let file = FileBytes::open(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        let mut trace = Trace::new(file)?;
        if !trace.index.complete {
            match read_segments(&segments_folder(&sidecar_path(path)), trace.key) {
                Ok(Some(segments)) => return Trace::last_of(&trace.file[..trace.start as usize], segments, left),
                Ok(None) => {}
                Err(damage) => trace.index.damage.push(damage),
            }
        }
        trace.join(left);
        Ok(trace)
    }

    /// Whether something is missing that a recording under way may have moved while it was read.
    fn is_unsettled(&self) -> bool {
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

    /// Opens a trace that lies in memory.
    ///
    /// # Errors
    /// It is no trace, or its header is damaged.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Trace, ReadError> {
        Trace::new(FileBytes::Owned(bytes))
    }

    fn new(file: FileBytes) -> Result<Trace, ReadError> {
        let head = file_head::read(&file)?;
        let (key, version, start) = (head.key, head.version, head.end);
        let index = index(Framed { file: &file, start, key, version });
        Ok(Trace::indexed(file, head, index))
    }

    /// The trace in a file that never had an end. Where its streams may begin anywhere, their first blocks are not missed.
    pub(crate) fn without_end(file: FileBytes, begins_anywhere: bool) -> Result<Trace, ReadError> {
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
        let damage = schema_block::define(&mut header.schema, &index, |block| source.payload(block));
        index.damage.extend(damage);
        let assumed = header.schema.assume_known();
        let summary = Summary::new(&index, version, file.len() as u64);
        let walks = Walks::new(&header.schema);
        let source = BlockSource { walks: &walks, ..source };
        docs_block::tell(&mut header.schema, &index, |block| source.payload(block).ok());
        let (tail, recovery, records_read) = (Tail::default(), None, AtomicU64::new(0));
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

    /// Takes what the sidecar has and the file lacks.
    pub(crate) fn join(&mut self, left: Result<Option<LeftBehind>, Damage>) {
        if self.index.complete {
            return;
        }
        match left {
            Ok(None) => return,
            Ok(Some(left)) if left.control.key != self.key => return,
            Ok(Some(left)) => {
                self.index.forget_end(self.start);
                let defined = self.define(left.defined.as_ref());
                let (mut tail, recovery) = recover(
                    Unended {
                        source: self.source(),
                        blocks: &self.index.blocks,
                        begins_anywhere: self.begins_anywhere,
                    },
                    &left,
                );
                self.index.damage.extend(recovery.threads.iter().filter_map(|thread| missing(self.file.len(), thread)));
                self.index.damage.extend(left.damage);
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

    /// Adds what nothing in the file defines, and gives the codes of that.
    fn define(&mut self, part: Option<&SchemaTable>) -> Vec<EventCode> {
        let Some(part) = part else { return Vec::new() };
        let assumed = std::mem::take(&mut self.assumed);
        self.header.schema.events.retain(|event| assumed.binary_search(&event.code).is_err());
        let codes = part.events.iter().map(|event| event.code);
        let new = codes.filter(|code| self.header.schema.event(*code).is_none()).collect();
        // Where the two contradict each other, the file is right.
        let is_added = schema_block::add(&mut self.header.schema, part.without_docs()).is_ok();
        self.assumed = self.header.schema.assume_known();
        self.walks = Walks::new(&self.header.schema);
        self.header.schema.tell_of_known();
        if is_added { new } else { Vec::new() }
    }

    /// Takes what is known of another trace, of which this one has a part: what was recovered of it, and its damage.
    pub(crate) fn take_over(&mut self, other: Trace) {
        self.recovery = other.recovery;
        self.index.damage.extend(other.index.damage);
        self.summary = Summary::new(&self.index, self.version, self.file.len() as u64);
    }

    /// What was taken from beside the file; `None` where nothing stands there that belongs to it.
    pub fn recovery(&self) -> Option<&Recovery> {
        self.recovery.as_ref()
    }

    /// A block was read: of a large file it does not stay in this process's memory.
    pub(crate) fn let_go(&self, block: &BlockInfo) {
        self.file.let_go(block.offset, block.length_bytes.into());
    }

    /// What blocks are read from.
    pub(crate) fn source(&self) -> BlockSource<'_> {
        BlockSource {
            file: &self.file,
            tail: &self.tail.bytes,
            key: self.key,
            version: self.version,
            walks: &self.walks,
        }
    }

    /// The schema table and the world the trace was recorded in.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Counts, losses and time span, from the footer or, without one, from the blocks' heads.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The damage that opening found. The blocks themselves are checked as they are read, or all of them by
    /// [`verify`](Self::verify).
    pub fn damage(&self) -> &[Damage] {
        &self.index.damage
    }

    /// Records of the blocks read so far, those read again counted again: how far who reads it is.
    pub fn records_read(&self) -> u64 {
        self.records_read.load(Ordering::Relaxed)
    }

    /// A block has been read.
    pub(crate) fn count_read(&self, block: &BlockInfo) {
        self.records_read.fetch_add(block.records.into(), Ordering::Relaxed);
    }

    /// The blocks of kinds that this crate does not know, in file order. They are stepped over; with one that
    /// [is critical](UnknownBlock::is_critical) among them, the trace must not be replayed.
    pub fn unknown_blocks(&self) -> &[UnknownBlock] {
        &self.index.unknown
    }

    /// Which time in UTC each stamp is; none if the trace does not say what time it was: by the logical clock there is none.
    pub fn utc_clock(&self) -> Option<UtcClock> {
        let readings =
            self.others().iter().filter(|block| block.kind == CLOCK).filter_map(|block| ClockReading::of(block.told));
        UtcClock::new(readings.collect(), self.header.world.clock.ticks_per_second)
    }

    /// Whose the streams are, as far as the trace says; a stream that more than one thread wrote is there more than once.
    pub fn streams(&self) -> Vec<StreamInfo> {
        let mut streams: Vec<StreamInfo> = Vec::new();
        for block in self.others().iter().filter(|block| block.kind == STREAMS) {
            let Ok(payload) = self.payload(block) else { continue };
            streams.extend(
                run(block.offset, "streams", payload, |input| stream_info::parse(input, block.told))
                    .unwrap_or_default(),
            );
        }
        streams.sort_by(|a, b| (a.stream, &a.name, a.system_thread).cmp(&(b.stream, &b.name, b.system_thread)));
        streams.dedup();
        streams
    }

    /// Where, how long and why events were lost, as far as the trace says.
    pub fn gaps(&self) -> Vec<Gap> {
        let gaps = self.others().iter().filter(|block| block.kind == GAP).filter_map(|block| Gap::of(block.told));
        gaps.chain(self.tail.gaps.iter().copied()).collect()
    }

    /// Why what was recorded did not outlive the process from some time on, though it was to.
    pub fn unkept(&self) -> Option<String> {
        let mut notes = self.others().iter().filter(|block| block.kind == NOTE && block.told.count == UNKEPT);
        notes.find_map(|block| Some(String::from_utf8_lossy(self.payload(block).ok()?).into_owned()))
    }

    /// Definitions that are in no block yet.
    pub(crate) fn recovered_definitions(&self) -> Option<&(Told, Vec<u8>)> {
        self.tail.definitions.as_ref()
    }

    /// Gaps that are in no block yet.
    pub(crate) fn recovered_gaps(&self) -> &[Gap] {
        &self.tail.gaps
    }

    /// All blocks that hold no records, in file order.
    pub(crate) fn others(&self) -> &[OtherBlock] {
        &self.index.others
    }

    /// What one of a kind that this crate knows has behind its head.
    ///
    /// # Errors
    /// It is damaged, or not what is said of it.
    pub(crate) fn payload(&self, block: &OtherBlock) -> Result<&[u8], Damage> {
        self.source().payload(block)
    }

    /// The blocks of records, in file order.
    pub fn blocks(&self) -> &[BlockInfo] {
        &self.index.blocks
    }

    /// The calls that were open in its thread when a block began: how many, and the codes of their start records,
    /// outermost first; of more than 1024, the innermost.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn open_calls(&self, block: &BlockInfo) -> Result<(u32, Vec<EventCode>), Damage> {
        let head = Block::read(self.source(), block)?.head;
        Ok((head.depth, head.open))
    }
}

/// What a thread's records that are not there are as damage: they would be behind the file.
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
