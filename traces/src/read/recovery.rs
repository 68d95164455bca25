//! Recovery: converts the records of a sidecar into the blocks that the recorder would have written next.

use crate::format::block_encoder::BlockEncoder;
use crate::format::block_info::BlockInfo;
use crate::format::column::ColumnEncoder;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::control_block::ControlBlock;
use crate::format::error::Damage;
use crate::format::gap::{Gap, GapCause, UNKNOWN_NUMBER};
use crate::format::nesting::Nesting;
use crate::live::orphaned_sidecar::{OrphanedSidecar, SidecarSlot};
use crate::live::slot_line::First;
use crate::live::sparse::Records;
use crate::read::block::{Block, BlockSource};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Result of reading a sidecar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// Number of the recording process.
    pub process: u32,
    /// True if the recording is active; the result is then its current state.
    pub is_alive: bool,
    /// Interval at which the recording is synced to disk; `None` for a sync at its end only.
    pub sync_interval: Option<Duration>,
    /// True if a write of the recorder failed before the process ended without ending the recording: an unknown number of
    /// events is lost.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_unknown_losses: bool,
    /// Results by thread.
    pub threads: Vec<RecoveredThread>,
}

/// Recovered records of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RecoveredThread {
    pub thread: u32,
    /// Number of recovered records that the file lacks.
    pub events: u64,
    /// Number of records that were being written when the process ended: at most one for each writer.
    pub partial: u64,
    /// Number of complete records that are missing.
    pub missing: u64,
    /// True if an unknown number of further records is missing.
    pub has_unknown_losses: bool,
}

impl Recovery {
    /// Number of recovered records.
    pub fn events(&self) -> u64 {
        self.threads.iter().map(|thread| thread.events).sum()
    }

    /// Number of records that were being written.
    pub fn partial(&self) -> u64 {
        self.threads.iter().map(|thread| thread.partial).sum()
    }
}

/// Recovered blocks, whose offsets continue after the end of the file.
#[derive(Debug, Default)]
pub(crate) struct RecoveredBlocks {
    pub bytes: Vec<u8>,
    pub blocks: Vec<BlockInfo>,
    /// Losses of the streams.
    pub gaps: Vec<Gap>,
    /// Numbers and payload of a schema block that the blocks need.
    pub definitions: Option<(ControlBlock, Vec<u8>)>,
}

/// End of a stream in the file.
struct StreamEnd {
    number: u64,
    records: u64,
    lost: u64,
    /// Max stamp so far.
    stamp: u64,
    nesting: Nesting,
}

/// Blocks of an unfinished file.
#[derive(Clone, Copy)]
pub(crate) struct UnfinishedFile<'t> {
    pub source: BlockSource<'t>,
    pub blocks: &'t [BlockInfo],
    /// True if records before a stream's first block or slot are not counted as missing.
    pub begins_anywhere: bool,
}

/// Converts the records that `left` has and the file lacks into blocks.
pub(crate) fn recover(file: UnfinishedFile<'_>, left: &OrphanedSidecar) -> (RecoveredBlocks, Recovery) {
    let interval = Some(left.control_page.sync_interval_ns).filter(|interval| *interval > 0);
    let mut recovery = Recovery {
        process: left.control_page.process,
        is_alive: left.is_alive,
        sync_interval: interval.map(Duration::from_nanos),
        has_unknown_losses: left.has_unknown_losses,
        threads: Vec::new(),
    };
    // Last block of each stream, collected in one pass because both streams and blocks may be many.
    let last: BTreeMap<u32, &BlockInfo> = file.blocks.iter().map(|block| (block.thread, block)).collect();
    let mut stream = StreamTail { file, tail: RecoveredBlocks::default(), columns: ColumnEncoder::new(), deferred: 0 };
    for (thread, slots) in left.by_stream() {
        let lost = left.lost.iter().filter(|(stream, _)| *stream == thread).map(|(_, events)| *events);
        let lost = lost.fold(0, u64::saturating_add);
        let end = stream_end(file, last.get(&thread).copied());
        let found = stream.take(end, thread, &slots, left.is_alive, lost);
        recovery.threads.extend(Some(found).filter(|found| *found != RecoveredThread { thread, ..Default::default() }));
    }
    if left.has_unknown_losses {
        let from = file.blocks.iter().chain(&stream.tail.blocks).map(|block| block.max_stamp).max().unwrap_or_default();
        stream.tail.gaps.push(Gap { stream: 0, cause: GapCause::Storage, events: UNKNOWN_NUMBER, from, to: 0 });
    }
    (stream.tail, recovery)
}

struct StreamTail<'t> {
    file: UnfinishedFile<'t>,
    tail: RecoveredBlocks,
    columns: ColumnEncoder,
    /// Records of the current stream that have no gap of their own and are counted after its last block.
    deferred: u64,
}

/// Max number of individual gaps. Each takes a block and memory, and there may be very many records without a valid
/// layout.
const MAX_GAPS: usize = 4096;

impl StreamTail<'_> {
    fn take(
        &mut self,
        end: StreamEnd,
        thread: u32,
        slots: &[&SidecarSlot],
        is_alive: bool,
        lost: u64,
    ) -> RecoveredThread {
        let mut stamp = end.stamp;
        let mut found = RecoveredThread { thread, ..RecoveredThread::default() };
        let mut position = end.records.saturating_add(end.lost);
        if self.file.begins_anywhere && end.number == 0 {
            position = slots.iter().map(|slot| slot.line.first.ordinal()).min().unwrap_or_default();
        }
        let mut encoder = BlockEncoder::after(thread, end.number, end.records, end.lost, end.nesting);
        encoder.wake(self.file.source.walks);
        let open = slots.iter().filter(|slot| matches!(slot.line.first, First::Provisional(_))).count();
        // Events lost after the records of the previous slot, as its line states: another slot followed, or the thread
        // ended without one.
        let mut lost_after_previous = 0;
        for (number, slot) in slots.iter().enumerate() {
            let first = match slot.line.first {
                First::Settled(first) => first,
                First::Provisional(first) if open == 1 => first,
                // This slot was handed over while the next one was read, or several writers are active: the records
                // before it were not all seen.
                First::Provisional(first) if is_alive && first > position => continue,
                First::Provisional(first) if is_alive => first,
                First::Provisional(first) => first.max(position),
            };
            let after = first.saturating_add(slot.records);
            let gap = first.saturating_sub(position);
            if gap > 0 {
                // The recorder's own counts explain a part of the gap; the rest was lost with the process.
                let recorded_loss = gap.min(slot.line.lost_before.max(lost_after_previous));
                // A record larger than a slot is not stored in one; its thread waits until it is written.
                let is_large = gap - recorded_loss == 1 && slot.records == 0 && open == 1;
                found.partial += u64::from(is_large);
                found.missing += gap - recorded_loss - u64::from(is_large);
                let to = slot.rows.records().stamp().unwrap_or_default();
                self.gap(thread, GapCause::Unknown, recorded_loss, stamp, to);
                self.gap(thread, GapCause::Recovery, gap - recorded_loss - u64::from(is_large), stamp, to);
                self.lose(&mut encoder, gap - u64::from(is_large));
            }
            let mut rows = slot.rows.records();
            // Records that the trace already has are skipped.
            rows.skip(position.saturating_sub(first).min(slot.records));
            self.add(&mut encoder, rows, &mut stamp, &mut found);
            position = position.max(after);
            lost_after_previous =
                if position == after { slot.line.dropped.saturating_add(slot.line.refused) } else { 0 };
            found.partial += u64::from(slot.is_torn);
            found.has_unknown_losses |= slot.is_damaged && number + 1 == slots.len();
        }
        let deferred = std::mem::take(&mut self.deferred);
        self.gap(thread, GapCause::Layout, deferred, stamp, stamp);
        self.lose(&mut encoder, deferred);
        // Losses of a stream's last slot are stated by that slot alone, also if its thread has ended, unless the file
        // counts them.
        let is_last =
            |slot: &&&SidecarSlot| matches!(slot.line.first, First::Provisional(_)) || lost_after_previous > 0;
        if let Some(last) = slots.last().filter(is_last) {
            self.gap(thread, GapCause::NoBuffer, last.line.dropped, stamp, 0);
            self.gap(thread, GapCause::Refused, last.line.refused, stamp, 0);
            self.lose(&mut encoder, last.line.dropped.saturating_add(last.line.refused));
        }
        self.gap(thread, GapCause::Storage, lost, stamp, 0);
        self.lose(&mut encoder, lost);
        self.flush(&mut encoder);
        found
    }

    /// Adds records. Records that do not match their layout are counted as lost, as the recorder counts them.
    fn add(&mut self, encoder: &mut BlockEncoder, mut rows: Records<'_>, last: &mut u64, found: &mut RecoveredThread) {
        while let Some((code, stamp, row)) = rows.next_record() {
            *last = stamp;
            let index = self.file.source.walks.index(code);
            let mut added = index.map(|index| encoder.add(index, self.file.source.walks, stamp, row));
            if let (Some(Ok(false)), Some(index)) = (&added, index) {
                self.flush(encoder);
                added = Some(encoder.add(index, self.file.source.walks, stamp, row));
            }
            match added {
                Some(Ok(_)) => found.events += 1,
                Some(Err(_)) | None if self.tail.gaps.len() >= MAX_GAPS => self.deferred += 1,
                Some(Err(_)) | None => {
                    self.gap(encoder.thread(), GapCause::Layout, 1, stamp, stamp);
                    self.lose(encoder, 1);
                }
            }
        }
    }

    fn gap(&mut self, stream: u32, cause: GapCause, events: u64, from: u64, to: u64) {
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

/// State from which a stream's next block continues.
fn stream_end(file: UnfinishedFile<'_>, last: Option<&BlockInfo>) -> StreamEnd {
    let Some(last) = last else {
        return StreamEnd { number: 0, records: 0, lost: 0, stamp: 0, nesting: Nesting::default() };
    };
    StreamEnd {
        number: last.number.saturating_add(1),
        records: last.records_before.saturating_add(last.records.into()),
        lost: last.lost_since_begin,
        stamp: last.max_stamp,
        // If the block cannot be read, its readers report the damage.
        nesting: open_calls_after(file.source, last).unwrap_or_default(),
    }
}

/// Calls that are open after a block.
fn open_calls_after(source: BlockSource<'_>, block: &BlockInfo) -> Result<Nesting, Damage> {
    let block = Block::read(source, block)?;
    let mut kinds = Vec::new();
    block.kinds(&mut ColumnDecoder::new(), &mut kinds)?;
    let mut nesting = Nesting::new(block.head.depth, &block.head.open);
    let codes = kinds.iter().filter_map(|kind| Some(block.head.kinds.get(usize::from(*kind))?.0));
    codes.for_each(|code| code.opcode().into_iter().for_each(|opcode| nesting.follow(code, opcode)));
    Ok(nesting)
}
