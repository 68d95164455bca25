//! Which events a block holds, and nothing else of them: its head tells how often each occurs, two columns tell when.

use crate::Trace;
use crate::block::Block;
use crate::block_info::BlockInfo;
use crate::column_decoder::ColumnDecoder;
use crate::error::Damage;
use taut_schemas::EventCode;

/// The kept records of a block, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockEvents {
    /// The thread that wrote them.
    pub thread: u32,
    /// The codes that occur in the block, in order of their first records.
    pub codes: Vec<EventCode>,
    /// Of every kept record, the place of its code in `codes`.
    pub kinds: Vec<u8>,
    /// Stamps of the kept records, in ticks; empty unless asked for.
    pub stamps: Vec<u64>,
}

/// Reads the events of one block after another with the same memory.
pub struct EventReader {
    decoder: ColumnDecoder,
    kinds: Vec<u8>,
    stamps: Vec<u64>,
}

impl Default for EventReader {
    fn default() -> EventReader {
        EventReader { decoder: ColumnDecoder::new(), kinds: Vec::new(), stamps: Vec::new() }
    }
}

impl Trace {
    /// The codes that occur in a block, in order of their first records, and how often each does. The block is checked;
    /// none of its columns is inflated.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn block_codes(&self, block: &BlockInfo) -> Result<Vec<(EventCode, u32)>, Damage> {
        self.count_read(block);
        Ok(Block::read(self.source(), block)?.head.kinds)
    }

    /// The records of a block whose code is kept: `kept` has a truth for each of [`block_codes`](Self::block_codes), in
    /// their order; one that it lacks is kept. Of columns, only those that this takes are inflated.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn block_events(
        &self,
        block: &BlockInfo,
        kept: &[bool],
        stamps: bool,
        reader: &mut EventReader,
    ) -> Result<BlockEvents, Damage> {
        let whole = Block::read(self.source(), block)?;
        let codes = whole.head.kinds.iter().map(|(code, _)| *code).collect();
        let mut found = BlockEvents { thread: whole.head.thread, codes, ..BlockEvents::default() };
        // Kinds are bytes.
        let mut is_kept = [true; 256];
        is_kept.iter_mut().zip(kept).for_each(|(place, kept)| *place = *kept);
        let counts = whole.head.kinds.iter().zip(is_kept);
        let records: usize = counts.filter(|(_, kept)| *kept).map(|((_, records), _)| *records as usize).sum();
        if records == whole.head.records as usize {
            whole.kinds(&mut reader.decoder, &mut found.kinds)?;
            if stamps {
                whole.stamps(&mut reader.decoder, &mut found.stamps)?;
            }
        } else if records > 0 {
            whole.kinds(&mut reader.decoder, &mut reader.kinds)?;
            keep(&reader.kinds, &reader.kinds, &is_kept, records, &mut found.kinds);
            if stamps {
                whole.stamps(&mut reader.decoder, &mut reader.stamps)?;
                keep(&reader.stamps, &reader.kinds, &is_kept, records, &mut found.stamps);
            }
        }
        Ok(found)
    }
}

/// Copies the values of records that are kept: `records` of them. A branch for each would be guessed wrong too often, so
/// every value is written, and the next over it if it is not kept.
fn keep<T: Copy + Default>(values: &[T], kinds: &[u8], is_kept: &[bool; 256], records: usize, out: &mut Vec<T>) {
    out.clear();
    out.resize(records + 1, T::default());
    let mut at = 0;
    for (value, kind) in values.iter().zip(kinds) {
        if let Some(place) = out.get_mut(at) {
            *place = *value;
        }
        at += usize::from(is_kept[usize::from(*kind)]);
    }
    out.truncate(records);
}
