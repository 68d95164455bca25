//! Classes of records: those of one code in one block, of which there are few. What follows from a record's code and thread
//! is the same in the whole class, so that a question about nothing else is answered by the blocks' heads alone.

use std::ops::Range;
use taut_analyze::Analysis;
use taut_schemas::EventCode;
use taut_traces::BlockInfo;

/// The column that has the number of a class's records, where classes stand for records.
pub(crate) const RECORDS: &str = "__TAUT_RECORDS";

/// The column that has the number of each record's class.
pub(crate) const CLASS: &str = "__TAUT_CLASS";

/// The column that has each record's place in its block.
pub(crate) const PLACE: &str = "__TAUT_PLACE";

/// Records that make up a part: what is done once for each part is then little.
const PART_RECORDS: usize = 1 << 20;

/// Records of all the parts that are made side by side, so that memory is bounded on any machine.
const RECORDS_AT_A_TIME: usize = 1 << 21;

/// The classes of a trace, thread by thread, those of a block in order of their first records.
#[derive(Debug)]
pub(crate) struct Classes {
    blocks: Vec<(BlockInfo, Vec<(EventCode, u32)>)>,
}

/// A block of which records are kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptBlock<'c> {
    pub block: &'c BlockInfo,
    /// Its codes and how often they occur.
    pub codes: &'c [(EventCode, u32)],
    /// A truth for each of these; none if all are kept.
    pub kept: &'c [bool],
    /// The number of its first class among those of the trace.
    pub first_class: u32,
}

impl<'c> KeptBlock<'c> {
    /// The kept classes: their numbers, and how many records they have.
    pub fn classes(self) -> impl Iterator<Item = (u32, u32)> + 'c {
        let KeptBlock { codes, kept, first_class, .. } = self;
        let classes = (first_class..).zip(codes).enumerate();
        let kept = classes.filter(move |(kind, _)| kept.get(*kind).is_none_or(|kept| *kept));
        kept.map(|(_, (class, (_, records)))| (class, *records))
    }

    /// The number of its kept records.
    pub fn records(self) -> usize {
        self.classes().map(|(_, records)| records as usize).sum()
    }
}

/// How many parts are made side by side, and how many records each has.
pub(crate) fn parts_at_a_time() -> (usize, usize) {
    let parts = rayon::current_num_threads().clamp(1, 8);
    (parts, PART_RECORDS.min(RECORDS_AT_A_TIME / parts))
}

impl Classes {
    /// Those of a trace, whose blocks are all checked; damaged ones have none.
    pub fn of(analysis: &Analysis) -> Classes {
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
        // Those of a thread stay in their order.
        blocks.sort_by_key(|(block, _)| block.thread);
        Classes { blocks }
    }

    /// The blocks that can be read, each with its codes and how often they occur.
    pub fn blocks(&self) -> &[(BlockInfo, Vec<(EventCode, u32)>)] {
        &self.blocks
    }

    /// Records of every class.
    pub fn records(&self) -> Vec<i64> {
        self.blocks.iter().flat_map(|(_, codes)| codes).map(|(_, records)| i64::from(*records)).collect()
    }

    /// The least and the greatest stamp of every class's block.
    pub fn stamps(&self) -> impl Iterator<Item = (u64, u64)> {
        let of_block = |(block, codes): &(BlockInfo, Vec<(EventCode, u32)>)| {
            std::iter::repeat_n((block.least_stamp, block.greatest_stamp), codes.len())
        };
        self.blocks.iter().flat_map(of_block)
    }

    /// The blocks of which records are kept, in parts of about so many records; at least one part. A block without a kept class
    /// is left out. Without truths for the classes, all are kept.
    pub fn parts<'c>(&'c self, kept: Option<&'c [bool]>, part_records: usize) -> Vec<Vec<KeptBlock<'c>>> {
        let mut parts = vec![Vec::new()];
        let (mut from, mut records) = (0, 0);
        for (block, codes) in &self.blocks {
            let range: Range<usize> = from..from + codes.len();
            let first_class = from as u32;
            from = range.end;
            let kept = kept.map_or([].as_slice(), |kept| &kept[range]);
            let block = KeptBlock { block, codes, kept, first_class };
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
