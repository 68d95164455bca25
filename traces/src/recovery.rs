//! A recording without its end, joined with what stands beside it: blocks that the recorder would have written next.

use crate::block::{Block, BlockSource};
use crate::block_encoder::BlockEncoder;
use crate::block_info::BlockInfo;
use crate::column::ColumnEncoder;
use crate::column_decoder::ColumnDecoder;
use crate::error::Damage;
use crate::gap::{Gap, GapCause};
use crate::left_behind::{LeftBehind, LeftSlot, records_from};
use crate::nesting::Nesting;
use crate::row_head::{ROW_HEAD_BYTES, record_bytes, row_head};
use crate::slot_line::First;
use crate::told::Told;
use serde::Serialize;
use std::time::Duration;

/// What was taken from a sidecar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// Number of the process that records, or did.
    pub process: u32,
    /// It still does: this is what it has so far.
    pub is_alive: bool,
    /// How often it brings the recording to disk; `None` for at its end.
    pub sync_interval: Option<Duration>,
    /// By thread.
    pub threads: Vec<RecoveredThread>,
}

/// What was taken of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RecoveredThread {
    /// Number of the thread.
    pub thread: u32,
    /// Records that the file lacked.
    pub events: u64,
    /// Records that were being written when the process ended: one for each writer at most.
    pub torn: u64,
    /// Records that were whole and are not there.
    pub missing: u64,
    /// A number of records that nothing tells is not there, beside those.
    pub has_unknown_losses: bool,
}

impl Recovery {
    /// Records that were taken from the sidecar.
    pub fn events(&self) -> u64 {
        self.threads.iter().map(|thread| thread.events).sum()
    }

    /// Records that were being written.
    pub fn torn(&self) -> u64 {
        self.threads.iter().map(|thread| thread.torn).sum()
    }
}

/// Blocks behind the file's own, at offsets from the file's end on.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    pub bytes: Vec<u8>,
    pub blocks: Vec<BlockInfo>,
    /// What their streams lost.
    pub gaps: Vec<Gap>,
    /// What a schema block says that they need.
    pub definitions: Option<(Told, Vec<u8>)>,
}

/// The end of a stream as the file has it.
struct StreamEnd {
    number: u64,
    records: u64,
    lost: u64,
    /// Greatest so far.
    stamp: u64,
    nesting: Nesting,
}

/// A file, as far as it goes.
#[derive(Clone, Copy)]
pub(crate) struct Unended<'t> {
    pub source: BlockSource<'t>,
    pub blocks: &'t [BlockInfo],
    /// What a stream had before its first block or slot is not missed.
    pub begins_anywhere: bool,
}

/// Makes blocks of what `left` has and the file lacks.
pub(crate) fn recover(file: Unended<'_>, left: &LeftBehind) -> (Tail, Recovery) {
    let interval = Some(left.control.sync_interval_ns).filter(|interval| *interval > 0);
    let mut recovery = Recovery {
        process: left.control.process,
        is_alive: left.is_alive,
        sync_interval: interval.map(Duration::from_nanos),
        threads: Vec::new(),
    };
    let mut stream = StreamTail { file, tail: Tail::default(), columns: ColumnEncoder::new() };
    for thread in left.streams() {
        let found = stream.take(thread, &left.of_stream(thread), left.is_alive);
        recovery.threads.extend(Some(found).filter(|found| *found != RecoveredThread { thread, ..Default::default() }));
    }
    (stream.tail, recovery)
}

struct StreamTail<'t> {
    file: Unended<'t>,
    tail: Tail,
    columns: ColumnEncoder,
}

impl StreamTail<'_> {
    fn take(&mut self, thread: u32, slots: &[&LeftSlot], is_alive: bool) -> RecoveredThread {
        let end = stream_end(self.file, thread);
        let mut stamp = end.stamp;
        let mut found = RecoveredThread { thread, ..RecoveredThread::default() };
        let mut position = end.records.saturating_add(end.lost);
        if self.file.begins_anywhere && end.number == 0 {
            position = slots.iter().map(|slot| slot.line.first.ordinal()).min().unwrap_or_default();
        }
        let mut encoder = BlockEncoder::behind(thread, end.number, end.records, end.lost, end.nesting);
        encoder.wake(self.file.source.walks);
        let open = slots.iter().filter(|slot| matches!(slot.line.first, First::Provisional(_))).count();
        // Lost behind the records of the slot before, as that says: by who changed it for this one, or had no other and ended.
        let mut lost_behind = 0;
        for (number, slot) in slots.iter().enumerate() {
            let first = match slot.line.first {
                First::Settled(first) => first,
                First::Provisional(first) if open == 1 => first,
                // One was handed over while the next was read, or several write: what comes before it was not seen whole.
                First::Provisional(first) if is_alive && first > position => continue,
                First::Provisional(first) if is_alive => first,
                First::Provisional(first) => first.max(position),
            };
            let behind = first.saturating_add(slot.records);
            let gap = first.saturating_sub(position);
            if gap > 0 {
                let told = gap.min(slot.line.lost_before.max(lost_behind));
                // A record larger than a slot goes past it, and its thread waits.
                let is_large = gap - told == 1 && slot.records == 0 && open == 1;
                found.torn += u64::from(is_large);
                found.missing += gap - told - u64::from(is_large);
                let to = row_head(&slot.rows, 0).map_or(0, |(_, _, stamp)| stamp);
                self.gap(thread, GapCause::Unknown, told, (stamp, to));
                self.gap(thread, GapCause::Recovery, gap - told - u64::from(is_large), (stamp, to));
                self.lose(&mut encoder, gap - u64::from(is_large));
            }
            let rows = records_from(&slot.rows, position.saturating_sub(first));
            self.add(&mut encoder, rows, &mut stamp, &mut found);
            position = position.max(behind);
            lost_behind = if position == behind { slot.line.dropped.saturating_add(slot.line.refused) } else { 0 };
            found.torn += u64::from(slot.is_torn);
            found.has_unknown_losses |= slot.is_damaged && number + 1 == slots.len();
        }
        // Of a slot that was handed over by a thread that ended, too: no other says what was lost behind it, unless the file does.
        let is_last = |slot: &&&LeftSlot| matches!(slot.line.first, First::Provisional(_)) || lost_behind > 0;
        if let Some(last) = slots.last().filter(is_last) {
            self.gap(thread, GapCause::NoBuffer, last.line.dropped, (stamp, 0));
            self.gap(thread, GapCause::Refused, last.line.refused, (stamp, 0));
            self.lose(&mut encoder, last.line.dropped.saturating_add(last.line.refused));
        }
        self.flush(&mut encoder);
        found
    }

    /// Adds records, each of which is one that its recorder would have written, or counted as lost.
    fn add(&mut self, encoder: &mut BlockEncoder, rows: &[u8], last: &mut u64, found: &mut RecoveredThread) {
        let mut at = 0;
        while let Some((row_bytes, code, stamp)) = row_head(rows, at) {
            let start = at + ROW_HEAD_BYTES;
            let Some(row) = rows.get(start..start + row_bytes as usize) else { break };
            at += record_bytes(row_bytes as usize);
            *last = stamp;
            let index = self.file.source.walks.index(code);
            let mut added = index.map(|index| encoder.add(index, self.file.source.walks, stamp, row));
            if let (Some(Ok(false)), Some(index)) = (&added, index) {
                self.flush(encoder);
                added = Some(encoder.add(index, self.file.source.walks, stamp, row));
            }
            match added {
                Some(Ok(_)) => found.events += 1,
                Some(Err(_)) | None => {
                    self.gap(encoder.thread(), GapCause::Layout, 1, (stamp, stamp));
                    self.lose(encoder, 1);
                }
            }
        }
    }

    fn gap(&mut self, stream: u32, cause: GapCause, events: u64, (from, to): (u64, u64)) {
        self.tail.gaps.extend(Some(Gap { stream, cause, events, from, to }).filter(|gap| gap.events > 0));
    }

    fn lose(&mut self, encoder: &mut BlockEncoder, events: u64) {
        if events > 0 {
            if encoder.has_records() {
                self.flush(encoder);
            }
            encoder.lose(events);
        }
    }

    fn flush(&mut self, encoder: &mut BlockEncoder) {
        if !encoder.is_empty() {
            let BlockSource { file, key, walks, .. } = self.file.source;
            let offset = (file.len() + self.tail.bytes.len()) as u64;
            let block = encoder.finish(key, &walks.slots, &mut self.columns, &mut self.tail.bytes);
            self.tail.blocks.push(BlockInfo { offset, ..block });
        }
    }
}

/// What a stream's next block goes on from.
fn stream_end(file: Unended<'_>, thread: u32) -> StreamEnd {
    let Some(last) = file.blocks.iter().rev().find(|block| block.thread == thread) else {
        return StreamEnd { number: 0, records: 0, lost: 0, stamp: 0, nesting: Nesting::default() };
    };
    StreamEnd {
        number: last.number.saturating_add(1),
        records: last.records_before.saturating_add(last.records.into()),
        lost: last.lost_since_begin,
        stamp: last.greatest_stamp,
        // Of a block that cannot be read, whoever reads it hears that.
        nesting: open_behind(file.source, last).unwrap_or_default(),
    }
}

/// The calls that are open behind a block.
fn open_behind(source: BlockSource<'_>, block: &BlockInfo) -> Result<Nesting, Damage> {
    let block = Block::read(source, block)?;
    let mut kinds = Vec::new();
    block.kinds(&mut ColumnDecoder::new(), &mut kinds)?;
    let mut nesting = Nesting::new(block.head.depth, &block.head.open);
    let codes = kinds.iter().filter_map(|kind| Some(block.head.kinds.get(usize::from(*kind))?.0));
    codes.for_each(|code| code.opcode().into_iter().for_each(|opcode| nesting.follow(code, opcode)));
    Ok(nesting)
}
