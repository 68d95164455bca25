//! Record classes: a class is all records of one code in one block, and there are few. Values that follow from a
//! record's code and thread are the same in a whole class, so a query over such values reads the blocks' heads only.

use std::ops::Range;
use taut_analyze::Analysis;
use taut_schemas::EventCode;
use taut_traces::BlockInfo;

/// Column with the number of records of a class.
pub(crate) const RECORDS: &str = "__TAUT_RECORDS";

/// Column with the index of each record's class.
pub(crate) const CLASS: &str = "__TAUT_CLASS";

/// Column with each record's index in its block.
pub(crate) const PLACE: &str = "__TAUT_PLACE";

/// Records per chunk: enough that the fixed work per chunk is negligible.
const PART_RECORDS: usize = 1 << 20;

/// Maximum number of records in all chunks processed in parallel. Bounds memory on machines with many processors.
const RECORDS_AT_A_TIME: usize = 1 << 21;

/// Classes of a trace, ordered by thread; those of a block are in the order of their first records.
#[derive(Debug)]
pub(crate) struct Classes {
    blocks: Vec<(BlockInfo, Vec<(EventCode, u32)>)>,
}

/// Classes of a trace, all or some of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SelectedClasses<'c> {
    pub classes: &'c Classes,
    /// Selection of the classes; `None` if all are selected.
    pub selection: Option<&'c [bool]>,
}

/// A block with its selected classes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SelectedBlock<'c> {
    pub block: &'c BlockInfo,
    /// Codes of the block, with their number of records.
    pub codes: &'c [(EventCode, u32)],
    /// Selection of the codes; empty if all are selected.
    pub selection: &'c [bool],
    /// Index of the block's first class among those of the trace.
    pub first_class: u32,
}

impl<'c> SelectedBlock<'c> {
    /// Indices and record counts of the selected classes.
    pub fn classes(self) -> impl Iterator<Item = (u32, u32)> + 'c {
        let SelectedBlock { codes, selection, first_class, .. } = self;
        let classes = (first_class..).zip(codes).enumerate();
        let selection = classes.filter(move |(kind, _)| selection.get(*kind).is_none_or(|selection| *selection));
        selection.map(|(_, (class, (_, records)))| (class, *records))
    }

    /// Number of records of the selected classes.
    pub fn records(self) -> usize {
        self.classes().map(|(_, records)| records as usize).sum()
    }
}

/// Number of chunks processed in parallel, and records per chunk.
pub(crate) fn parts_at_a_time() -> (usize, usize) {
    let parts = rayon::current_num_threads().clamp(1, 8);
    (parts, PART_RECORDS.min(RECORDS_AT_A_TIME / parts))
}

impl Classes {
    /// Reads the classes of a trace and verifies all blocks; damaged blocks have no classes.
    pub fn read(analysis: &Analysis) -> Classes {
        use rayon::prelude::*;
        let trace = analysis.trace();
        let codes = trace.blocks().par_iter().map(|block| trace.block_codes(block));
        let codes: Vec<_> = codes.collect();
        let mut damage = Vec::new();
        let mut blocks = Vec::with_capacity(codes.len());
        for (block, codes) in trace.blocks().iter().zip(codes) {
            match codes {
                Ok(codes) => blocks.push((block.clone(), codes)),
                Err(found) => damage.push(found),
            }
        }
        analysis.met(&damage);
        // The sort is stable: blocks of a thread stay in their order.
        blocks.sort_by_key(|(block, _)| block.thread);
        Classes { blocks }
    }

    /// Readable blocks, each with its codes and their number of records.
    pub fn blocks(&self) -> &[(BlockInfo, Vec<(EventCode, u32)>)] {
        &self.blocks
    }

    /// Number of records of every class.
    pub fn records(&self) -> Vec<i64> {
        self.blocks.iter().flat_map(|(_, codes)| codes).map(|(_, records)| i64::from(*records)).collect()
    }

    /// Minimum and maximum stamp of every class's block.
    pub fn stamps(&self) -> impl Iterator<Item = (u64, u64)> {
        let of_block = |(block, codes): &(BlockInfo, Vec<(EventCode, u32)>)| {
            std::iter::repeat_n((block.min_stamp, block.max_stamp), codes.len())
        };
        self.blocks.iter().flat_map(of_block)
    }

    /// Groups the blocks with selected classes into chunks of about `part_records` records; at least one chunk. Blocks
    /// without a selected class are skipped. `None` selects all classes.
    pub fn parts<'c>(&'c self, selection: Option<&'c [bool]>, part_records: usize) -> Vec<Vec<SelectedBlock<'c>>> {
        let mut parts = vec![Vec::new()];
        let (mut from, mut records) = (0, 0);
        for (block, codes) in &self.blocks {
            let range: Range<usize> = from..from + codes.len();
            let first_class = from as u32;
            from = range.end;
            let selection = selection.map_or([].as_slice(), |selection| &selection[range]);
            let block = SelectedBlock { block, codes, selection, first_class };
            let of_block = block.records();
            if of_block == 0 {
                continue;
            }
            if records >= part_records {
                parts.push(Vec::new());
                records = 0;
            }
            records += of_block;
            if let Some(part) = parts.last_mut() {
                part.push(block);
            }
        }
        parts
    }
}
