//! A trace of what a recording has from a moment on.

use crate::Trace;
use crate::block_encoder::BlockEncoder;
use crate::block_info::BlockInfo;
use crate::block_rows::BlockRows;
use crate::column::ColumnEncoder;
use crate::column_decoder::ColumnDecoder;
use crate::envelope::{CRC_BYTES, GAP, INDEX, STREAMS};
use crate::error::Damage;
use crate::nesting::Nesting;
use crate::other_block::OwnBlocks;
use crate::stream_info;
use std::collections::BTreeMap;

/// What a stream is without, of what was recorded.
#[derive(Debug, Clone, Copy)]
struct Base {
    blocks: u64,
    records: u64,
    lost: u64,
}

/// Writes the blocks of a trace from a moment on, as those of another.
pub(crate) struct Excerpt<'t> {
    trace: &'t Trace,
    /// Of the other.
    key: u32,
    from: u64,
    bases: BTreeMap<u32, Base>,
    rows: BlockRows,
    columns: ColumnEncoder,
    /// Records of `trace` that are left out.
    pub left_out: u64,
}

impl<'t> Excerpt<'t> {
    /// From the stamp `from` on.
    pub fn new(trace: &'t Trace, from: u64) -> Excerpt<'t> {
        let (rows, columns) = (BlockRows::default(), ColumnEncoder::new());
        Excerpt { trace, key: 0, from, bases: BTreeMap::new(), rows, columns, left_out: 0 }
    }

    /// The blocks, with this key. Each stream begins with its first record that is not before the moment; a block that is
    /// damaged stays so.
    ///
    /// # Errors
    /// The block in which a stream begins is damaged.
    pub fn write(&mut self, key: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        self.key = key;
        self.write_own(key, out);
        // By stream that has not begun: what it had lost up to its last record before the moment, and what it has lost by now. What
        // came between may have been behind the moment.
        let (mut before, mut lost) = (BTreeMap::<u32, u64>::new(), BTreeMap::<u32, u64>::new());
        for block in self.trace.blocks() {
            if let Some(base) = self.bases.get(&block.thread) {
                self.copy(block, *base, out);
                continue;
            }
            lost.insert(block.thread, block.lost_since_begin);
            if block.records == 0 {
                continue;
            }
            if block.greatest_stamp < self.from {
                self.left_out += u64::from(block.records);
                before.insert(block.thread, block.lost_since_begin);
                continue;
            }
            if block.least_stamp < self.from {
                self.begin_within(block, out)?;
            } else {
                let lost = before.get(&block.thread).copied().unwrap_or_default();
                let base = Base { blocks: block.number, records: block.records_before, lost };
                self.bases.insert(block.thread, base);
                self.copy(block, base, out);
            }
            lost.remove(&block.thread);
        }
        // Streams that have no more records than those before, and have lost some since.
        for (thread, lost) in lost {
            let events = lost.saturating_sub(before.get(&thread).copied().unwrap_or_default());
            if events > 0 {
                let mut encoder = BlockEncoder::behind(thread, 0, 0, 0, Nesting::default());
                encoder.wake(&self.trace.walks);
                encoder.lose(events);
                encoder.finish(self.key, &self.trace.walks.slots, &mut self.columns, out);
            }
        }
        Ok(())
    }

    /// What is said of the recording, as far as it is of use from the moment on.
    fn write_own(&self, key: u32, out: &mut Vec<u8>) {
        let (trace, mut own) = (self.trace, OwnBlocks::new(key));
        let streams = trace.streams();
        if !streams.is_empty() {
            let (told, payload) = stream_info::contents(&streams);
            own.write((STREAMS, 0), told, &payload, out);
        }
        for gap in trace.gaps().iter().filter(|gap| gap.to == 0 || gap.to >= self.from) {
            own.write((GAP, 0), gap.told(), &[], out);
        }
        for block in trace.others().iter().filter(|block| !matches!(block.kind, INDEX | STREAMS | GAP)) {
            if let Ok(payload) = trace.payload(block) {
                own.write((block.kind, block.flags), block.told, payload, out);
            }
        }
    }

    fn copy(&self, block: &BlockInfo, base: Base, out: &mut Vec<u8>) {
        let bytes = self.trace.source().bytes(block.offset, block.length_bytes).unwrap_or_default();
        let start = out.len();
        out.extend_from_slice(bytes);
        let numbers = [
            block.number - base.blocks,
            block.records_before.saturating_sub(base.records),
            block.lost_since_begin.saturating_sub(base.lost),
        ];
        renumber(&mut out[start..], self.key, numbers);
    }

    /// A stream begins in the midst of a block.
    fn begin_within(&mut self, block: &BlockInfo, out: &mut Vec<u8>) -> Result<(), Damage> {
        let head = self.rows.load(self.trace, block, &mut ColumnDecoder::new())?;
        let mut nesting = Nesting::new(head.depth, &head.open);
        let mut skipped = 0;
        while self.rows.peek().is_some_and(|stamp| stamp < self.from) {
            self.rows.ready(self.trace)?;
            let (code, _, _) = self.rows.next();
            code.opcode().into_iter().for_each(|opcode| nesting.follow(code, opcode));
            skipped += 1;
        }
        let mut encoder = BlockEncoder::behind(block.thread, 0, 0, 0, nesting);
        encoder.wake(&self.trace.walks);
        while self.rows.peek().is_some() {
            self.rows.ready(self.trace)?;
            let (code, stamp, row) = self.rows.next();
            let index = self.trace.walks.index(code);
            // It was in a block with those before: it fits.
            let added = index.map(|index| encoder.add(index, &self.trace.walks, stamp, row));
            debug_assert!(matches!(added, Some(Ok(true))));
        }
        encoder.finish(self.key, &self.trace.walks.slots, &mut self.columns, out);
        let records = block.records_before + skipped;
        self.bases.insert(block.thread, Base { blocks: block.number, records, lost: block.lost_since_begin });
        self.left_out += skipped;
        Ok(())
    }
}

/// Makes a block one of another trace, with other numbers: its own among its stream's, records and losses before it.
fn renumber(block: &mut [u8], key: u32, [number, records_before, lost]: [u64; 3]) {
    let crc = |bytes: &[u8]| crc32c::crc32c(bytes).to_le_bytes();
    let Some((body, stated)) = block.split_last_chunk_mut::<CRC_BYTES>() else { return };
    let is_sound = crc(body) == *stated;
    let Some(head_bytes) = body.get(4..8).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize))
    else {
        return;
    };
    let Some((head, head_crc)) = body.get_mut(..head_bytes).and_then(|head| head.split_last_chunk_mut::<CRC_BYTES>())
    else {
        return;
    };
    head[12..16].copy_from_slice(&key.to_le_bytes());
    head[24..32].copy_from_slice(&number.to_le_bytes());
    head[40..48].copy_from_slice(&records_before.to_le_bytes());
    head[48..56].copy_from_slice(&lost.to_le_bytes());
    *head_crc = crc(head);
    // What was damaged is not made sound.
    *stated = crc(body).map(|byte| if is_sound { byte } else { !byte });
}
