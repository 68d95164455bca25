//! Codes and stamps of a block's records. The head states how often each code occurs; two columns hold the order and
//! the time.

use crate::Trace;
use crate::format::block_info::BlockInfo;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::error::Damage;
use crate::read::block::Block;
use taut_schemas::EventCode;

/// Selected records of a block, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockEvents {
    pub thread: u32,
    /// Codes that occur in the block, in order of their first records.
    pub codes: Vec<EventCode>,
    /// Index in `codes` of each selected record's code.
    pub kinds: Vec<u8>,
    /// Stamps of the selected records, in ticks; empty unless requested.
    pub stamps: Vec<u64>,
}

/// Stamps of the selected records of some blocks, block by block and within a block kind by kind; stamps of one kind
/// are in record order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KindStamps {
    /// Stamps, in ticks.
    pub stamps: Vec<u64>,
    /// Index of each record in its block; `None` unless requested.
    pub places: Option<Vec<u32>>,
}

impl KindStamps {
    /// Creates empty lists with capacity for `records` records, with record indices if `places` is true.
    pub fn with_capacity(records: usize, places: bool) -> KindStamps {
        KindStamps { stamps: Vec::with_capacity(records), places: places.then(|| Vec::with_capacity(records)) }
    }
}

/// Reader of the events of several blocks that reuses its buffers.
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
    /// Codes that occur in a block, in order of their first records, and how often each occurs. The block is checked;
    /// no column is inflated.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn block_codes(&self, block: &BlockInfo) -> Result<Vec<(EventCode, u32)>, Damage> {
        self.count_read(block);
        let whole = Block::read(self.source(), block)?;
        self.release_pages(block);
        Ok(whole.head.kinds)
    }

    /// Reads the records whose code is selected. `selected` has a flag for each of [`block_codes`](Self::block_codes), in
    /// their order; a code without a flag is selected. Only the columns needed are inflated.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn block_events(
        &self,
        block: &BlockInfo,
        selected: &[bool],
        stamps: bool,
        reader: &mut EventReader,
    ) -> Result<BlockEvents, Damage> {
        self.count_read(block);
        let whole = Block::read(self.source(), block)?;
        let codes = whole.head.kinds.iter().map(|(code, _)| *code).collect();
        let mut found = BlockEvents { thread: whole.head.thread, codes, ..BlockEvents::default() };
        // Kinds are bytes, so 256 flags cover every index.
        let mut is_selected = [true; 256];
        is_selected.iter_mut().zip(selected).for_each(|(place, selected)| *place = *selected);
        let counts = whole.head.kinds.iter().zip(is_selected);
        let records: usize = counts.filter(|(_, selected)| *selected).map(|((_, records), _)| *records as usize).sum();
        if records == whole.head.records as usize {
            whole.kinds(&mut reader.decoder, &mut found.kinds)?;
            if stamps {
                whole.stamps(&mut reader.decoder, &mut found.stamps)?;
            }
        } else if records > 0 {
            whole.kinds(&mut reader.decoder, &mut reader.kinds)?;
            copy_selected(&reader.kinds, &reader.kinds, &is_selected, records, &mut found.kinds);
            if stamps {
                whole.stamps(&mut reader.decoder, &mut reader.stamps)?;
                copy_selected(&reader.stamps, &reader.kinds, &is_selected, records, &mut found.stamps);
            }
        }
        self.release_pages(block);
        Ok(found)
    }

    /// Appends the stamps of a block's selected records to `out`, grouped by kind; `selected` as for
    /// [`block_events`](Self::block_events). All records of a run have one kind, so nothing per record needs to be
    /// built.
    ///
    /// # Errors
    /// The block is damaged; nothing has been added then.
    pub fn block_stamps(
        &self,
        block: &BlockInfo,
        selected: &[bool],
        reader: &mut EventReader,
        out: &mut KindStamps,
    ) -> Result<(), Damage> {
        self.count_read(block);
        let whole = Block::read(self.source(), block)?;
        whole.kinds(&mut reader.decoder, &mut reader.kinds)?;
        whole.stamps(&mut reader.decoder, &mut reader.stamps)?;
        let records = whole.head.kinds.iter().map(|(_, records)| *records as usize);
        let starts = Starts::new(records, selected);
        starts.place(&reader.kinds, reader.stamps.iter().copied(), &mut out.stamps);
        if let Some(places) = &mut out.places {
            starts.place(&reader.kinds, 0.., places);
        }
        self.release_pages(block);
        Ok(())
    }
}

/// Start of each kind's run in the grouped output: selected kinds first.
struct Starts {
    starts: [u32; 256],
    selected: usize,
    records: usize,
}

impl Starts {
    /// Computes the runs for kinds with these numbers of records; `selected` as for [`Trace::block_events`].
    fn new(records: impl Iterator<Item = usize> + Clone, selected: &[bool]) -> Starts {
        let mut starts = Starts { starts: [0; 256], selected: 0, records: 0 };
        for wanted in [true, false] {
            for (kind, records) in records.clone().enumerate().take(256) {
                if selected.get(kind).copied().unwrap_or(true) == wanted {
                    starts.starts[kind] = starts.records as u32;
                    starts.records += records;
                }
            }
            if wanted {
                starts.selected = starts.records;
            }
        }
        starts
    }

    /// Appends the values of selected records, each to its kind's run. Branch-free per record, as [`copy_selected`].
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
        out.truncate(first + self.selected);
    }
}

/// Copies the values of the `records` selected records. A branch per record would be mispredicted too often, so every
/// value is written and the next one overwrites it if it is not selected.
fn copy_selected<T: Copy + Default>(
    values: &[T],
    kinds: &[u8],
    is_selected: &[bool; 256],
    records: usize,
    out: &mut Vec<T>,
) {
    out.clear();
    out.resize(records + 1, T::default());
    let mut at = 0;
    for (value, kind) in values.iter().zip(kinds) {
        if let Some(place) = out.get_mut(at) {
            *place = *value;
        }
        at += usize::from(is_selected[usize::from(*kind)]);
    }
    out.truncate(records);
}
