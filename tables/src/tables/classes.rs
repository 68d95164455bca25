//! Classes of records: those of one code in one block, of which there are few. What follows from a record's code and thread
//! is the same in the whole class, so that a question about nothing else is answered by the blocks' heads alone.

use std::ops::Range;
use taut_analyze::Analysis;
use taut_schemas::EventCode;
use taut_traces::BlockInfo;

/// The column that has the number of a class's records, where classes stand for records.
pub(crate) const RECORDS: &str = "__TAUT_RECORDS";

/// Records that make up a part.
const PART_RECORDS: u64 = 1 << 18;

/// The classes of a trace, thread by thread, those of a block in order of their first records.
#[derive(Debug)]
pub(crate) struct Classes {
    blocks: Vec<(BlockInfo, Vec<(EventCode, u32)>)>,
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

    /// The blocks with the truths of their classes, some at a time; at least one time. A block without a kept class is
    /// left out. Without truths, all are kept.
    pub fn parts<'c>(&'c self, kept: Option<&'c [bool]>) -> Vec<Vec<(&'c BlockInfo, &'c [bool])>> {
        let mut parts = vec![Vec::new()];
        let (mut from, mut records) = (0, 0);
        for (block, codes) in &self.blocks {
            let range: Range<usize> = from..from + codes.len();
            from = range.end;
            let kept = kept.map_or([].as_slice(), |kept| &kept[range]);
            let of_block = codes.iter().enumerate().filter(|(kind, _)| kept.get(*kind).is_none_or(|kept| *kept));
            let of_block: u64 = of_block.map(|(_, (_, records))| u64::from(*records)).sum();
            if of_block == 0 {
                continue;
            }
            if records >= PART_RECORDS {
                parts.push(Vec::new());
                records = 0;
            }
            records += of_block;
            if let Some(part) = parts.last_mut() {
                part.push((block, kept));
            }
        }
        parts
    }
}
