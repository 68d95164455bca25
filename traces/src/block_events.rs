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

/// Stamps of kept records of some blocks, block after block and kind after kind, those of a kind in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KindStamps {
    /// Stamps, in ticks.
    pub stamps: Vec<u64>,
    /// Of each, its record's place in its block; none unless asked for.
    pub places: Option<Vec<u32>>,
}

impl KindStamps {
    /// Room for so many records, each with its place if `places` are asked for.
    pub fn with_capacity(records: usize, places: bool) -> KindStamps {
        KindStamps { stamps: Vec::with_capacity(records), places: places.then(|| Vec::with_capacity(records)) }
    }
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
        let whole = Block::read(self.source(), block)?;
        self.let_go(block);
        Ok(whole.head.kinds)
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
        self.count_read(block);
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
        self.let_go(block);
        Ok(found)
    }

    /// Adds the stamps of a block's records to `out`, kind by kind, where a kind's code is kept as by
    /// [`block_events`](Self::block_events). What a kind means is the same for its whole run, so that nothing else has to be made
    /// of each record.
    ///
    /// # Errors
    /// The block is damaged; nothing has been added then.
    pub fn block_stamps(
        &self,
        block: &BlockInfo,
        kept: &[bool],
        reader: &mut EventReader,
        out: &mut KindStamps,
    ) -> Result<(), Damage> {
        self.count_read(block);
        let whole = Block::read(self.source(), block)?;
        whole.kinds(&mut reader.decoder, &mut reader.kinds)?;
        whole.stamps(&mut reader.decoder, &mut reader.stamps)?;
        let records = whole.head.kinds.iter().map(|(_, records)| *records as usize);
        let starts = Starts::new(records, kept);
        starts.place(&reader.kinds, reader.stamps.iter().copied(), &mut out.stamps);
        if let Some(places) = &mut out.places {
            starts.place(&reader.kinds, 0.., places);
        }
        self.let_go(block);
        Ok(())
    }
}

/// Where the run of each kind begins: those that are kept first.
struct Starts {
    starts: [u32; 256],
    kept: usize,
    records: usize,
}

impl Starts {
    /// Runs of so many records each; `kept` as for [`Trace::block_events`].
    fn new(records: impl Iterator<Item = usize> + Clone, kept: &[bool]) -> Starts {
        let mut starts = Starts { starts: [0; 256], kept: 0, records: 0 };
        for wanted in [true, false] {
            for (kind, records) in records.clone().enumerate().take(256) {
                if kept.get(kind).copied().unwrap_or(true) == wanted {
                    starts.starts[kind] = starts.records as u32;
                    starts.records += records;
                }
            }
            if wanted {
                starts.kept = starts.records;
            }
        }
        starts
    }

    /// Appends the values of kept records, each to its kind's run. As in [`keep`] there is no branch for each.
    fn place<T: Copy + Default>(&self, kinds: &[u8], values: impl Iterator<Item = T>, out: &mut Vec<T>) {
        let first = out.len();
        out.resize(first + self.records, T::default());
        let (mut at, runs) = (self.starts, &mut out[first..]);
        for (kind, value) in kinds.iter().zip(values) {
            let at = &mut at[usize::from(*kind)];
            if let Some(place) = runs.get_mut(*at as usize) {
                *place = value;
            }
            *at += 1;
        }
        out.truncate(first + self.kept);
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
