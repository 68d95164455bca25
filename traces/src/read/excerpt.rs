//! Excerpt of a recording: a trace of everything from a given stamp on.

use crate::Trace;
use crate::format::block_encoder::BlockEncoder;
use crate::format::block_info::BlockInfo;
use crate::format::column::ColumnEncoder;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::envelope::{CRC_BYTES, GAP, INDEX, STREAMS};
use crate::format::error::Damage;
use crate::format::nesting::Nesting;
use crate::format::other_block::MetadataEncoder;
use crate::format::stream_info;
use crate::read::block_rows::BlockRows;
use std::collections::BTreeMap;

/// Counts to subtract from a stream's blocks because earlier parts of the stream are omitted.
#[derive(Debug, Clone, Copy)]
struct Base {
    blocks: u64,
    records: u64,
    lost: u64,
}

/// Writer of the blocks of a trace from a given stamp on, as blocks of another trace.
pub(crate) struct Excerpt<'t> {
    trace: &'t Trace,
    /// Key of the other trace.
    key: u32,
    from: u64,
    bases: BTreeMap<u32, Base>,
    rows: BlockRows,
    columns: ColumnEncoder,
    /// Number of records of `trace` that are omitted.
    pub left_out: u64,
}

impl<'t> Excerpt<'t> {
    /// Creates an excerpt that begins at the stamp `from`.
    pub fn new(trace: &'t Trace, from: u64) -> Excerpt<'t> {
        let (rows, columns) = (BlockRows::default(), ColumnEncoder::new());
        Excerpt { trace, key: 0, from, bases: BTreeMap::new(), rows, columns, left_out: 0 }
    }

    /// Writes the blocks with this key. Each stream begins with its first record at or after the start stamp; a damaged
    /// block is copied as damaged.
    ///
    /// # Errors
    /// The block in which a stream would begin is damaged.
    pub fn write(&mut self, key: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        self.key = key;
        self.write_metadata(key, out);
        // By stream without a block yet: events lost up to its last omitted record, and events lost so far. Losses
        // between the two may lie after the start stamp, so they are included.
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
            if block.max_stamp < self.from {
                self.left_out += u64::from(block.records);
                before.insert(block.thread, block.lost_since_begin);
                continue;
            }
            if block.min_stamp < self.from {
                self.begin_within(block, out)?;
            } else {
                let lost = before.get(&block.thread).copied().unwrap_or_default();
                let base = Base { blocks: block.number, records: block.records_before, lost };
                self.bases.insert(block.thread, base);
                self.copy(block, base, out);
            }
            lost.remove(&block.thread);
        }
        // Streams without records from the start stamp on that still have losses there.
        for (thread, lost) in lost {
            let events = lost.saturating_sub(before.get(&thread).copied().unwrap_or_default());
            if events > 0 {
                let mut encoder = BlockEncoder::after(thread, 0, 0, 0, Nesting::default());
                encoder.wake(&self.trace.walks);
                encoder.lose(events);
                encoder.finish(self.key, &self.trace.walks.slots, &mut self.columns, out);
            }
        }
        Ok(())
    }

    /// Writes the metadata blocks that matter from the start stamp on.
    fn write_metadata(&self, key: u32, out: &mut Vec<u8>) {
        let (trace, mut metadata) = (self.trace, MetadataEncoder::new(key));
        let streams = trace.streams();
        if !streams.is_empty() {
            let (control_block, payload) = stream_info::contents(&streams);
            metadata.write(STREAMS, 0, control_block, &payload, out);
        }
        for gap in trace.gaps().iter().filter(|gap| gap.to == 0 || gap.to >= self.from) {
            metadata.write(GAP, 0, gap.control_block(), &[], out);
        }
        for block in trace.others().iter().filter(|block| !matches!(block.kind, INDEX | STREAMS | GAP)) {
            if let Ok(payload) = trace.payload(block) {
                metadata.write(block.kind, block.flags, block.control_block, payload, out);
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

    /// Writes the first block of a stream that begins within `block`.
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
        let mut encoder = BlockEncoder::after(block.thread, 0, 0, 0, nesting);
        encoder.wake(&self.trace.walks);
        while self.rows.peek().is_some() {
            self.rows.ready(self.trace)?;
            let (code, stamp, row) = self.rows.next();
            let index = self.trace.walks.index(code);
            // All these records were in one block before, so they fit into one.
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

/// Turns a block into one of another trace: sets its key, its number in the stream, and the records and losses before
/// it.
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
    // A damaged block must not become valid: its checksum is inverted.
    *stated = crc(body).map(|byte| if is_sound { byte } else { !byte });
}
