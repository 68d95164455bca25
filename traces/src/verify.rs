//! Reads every byte of a trace and reports what is wrong with it.

use crate::Trace;
use crate::block::Block;
use crate::block_head::BlockHead;
use crate::block_info::BlockInfo;
use crate::block_rows::BlockRows;
use crate::clock_reading::ClockReading;
use crate::column_decoder::ColumnDecoder;
use crate::cover::cover;
use crate::docs_block;
use crate::entry::Entry;
use crate::envelope::{CLOCK, DOCS, GAP, INDEX, NOTE, SCHEMA, STREAMS};
use crate::error::Damage;
use crate::gap::Gap;
use crate::index_block;
use crate::nesting::Nesting;
use crate::other_block::OtherBlock;
use crate::parse::run;
use crate::stream_info;
use rayon::prelude::*;
use std::collections::BTreeMap;

impl Trace {
    /// Checks every block's checksum and head, in parallel, and decodes no column: at the speed of memory, and enough
    /// to tell that a file is as it was written. Gives the damage found, that of opening the trace included.
    pub fn check(&self) -> Vec<Damage> {
        let found = self.blocks().par_iter().filter_map(|info| Block::read(self.source(), info).err());
        let found: Vec<Damage> = found.collect();
        self.damage().iter().cloned().chain(found).chain(self.check_others()).collect()
    }

    /// Decodes every record of every block, in parallel, and checks the blocks against each other and against the
    /// footer. Gives the damage found, that of opening the trace included; empty for a sound trace.
    pub fn verify(&self) -> Vec<Damage> {
        let state = || (ColumnDecoder::new(), BlockRows::default());
        let heads: Vec<Result<(BlockHead, Nesting), Damage>> =
            self.each_block(self.blocks(), state, |(decoder, rows), info| self.verify_block(info, decoder, rows));
        let mut damage = self.damage().to_vec();
        let mut threads = BTreeMap::<u32, (u64, Nesting)>::new();
        let begins_with_none = self.header().identity.left_out.is_none();
        for (info, head) in self.blocks().iter().zip(heads) {
            match head {
                Ok((head, nesting)) => {
                    // Behind a gap, and where calls before made place, which calls are open is known from the head alone.
                    let before = threads.remove(&info.thread);
                    let before = match before {
                        Some((number, before)) => Some(before).filter(|_| number.checked_add(1) == Some(info.number)),
                        None => Some(Nesting::default()).filter(|_| info.number == 0 && begins_with_none),
                    };
                    damage.extend(before.and_then(|before| check_open(&before, info, &head)));
                    threads.insert(info.thread, (info.number, nesting));
                }
                Err(found) => damage.push(found),
            }
        }
        damage.extend(self.check_others());
        damage
    }

    /// Checks the blocks that hold no records: those that say where others are against what is known of these.
    fn check_others(&self) -> impl Iterator<Item = Damage> {
        self.others().iter().filter_map(|block| match block.kind {
            INDEX => self.check_index(block).err(),
            // Opening has read them.
            SCHEMA => None,
            _ => self.check_contents(block).err(),
        })
    }

    /// Checks that one of a kind that this crate knows says something of that kind.
    fn check_contents(&self, block: &OtherBlock) -> Result<(), Damage> {
        let (payload, told) = (self.payload(block)?, block.told);
        let says_it = match block.kind {
            CLOCK => payload.is_empty() && ClockReading::of(told).is_some(),
            GAP => payload.is_empty() && Gap::of(told).is_some(),
            NOTE => told.words == [0; 4] && str::from_utf8(payload).is_ok(),
            DOCS => docs_block::parse(told, payload).is_some(),
            STREAMS => {
                return run(block.offset, "streams", payload, |input| stream_info::parse(input, told)).map(|_| ());
            }
            _ => true,
        };
        if says_it {
            return Ok(());
        }
        let (expected, found) = (format!("what a block of kind {} says", block.kind), "something else".to_owned());
        Err(Damage { offset: block.offset, what: "block", expected, found, events_lost: Some(0) })
    }

    fn check_index(&self, block: &OtherBlock) -> Result<(), Damage> {
        self.payload(block)?;
        let bytes = self.source().bytes(block.offset, block.length_bytes).unwrap_or_default();
        let index = run(block.offset, "index block", bytes, |input| index_block::parse(input, self.key, block.offset))?;
        // It tells of those behind the index block before.
        let before = self.others().iter().rfind(|other| other.kind == INDEX && other.offset < block.offset);
        if index.before != before.map(|before| before.offset) {
            let (expected, found) = (format!("a link to {before:?}"), format!("one to byte {:?}", index.before));
            return Err(Damage { offset: block.offset, what: "index block", expected, found, events_lost: Some(0) });
        }
        let start = before.map_or(self.start, |before| before.offset + u64::from(before.length_bytes));
        cover(index.entries.iter().map(Entry::place), start, block.offset)?;
        let wrong = index.entries.iter().find(|entry| !self.is_there(entry));
        wrong.map_or(Ok(()), |entry| {
            let (expected, found) = ("blocks that are there".to_owned(), format!("{entry:?}"));
            Err(Damage { offset: block.offset, what: "index block", expected, found, events_lost: Some(0) })
        })
    }

    /// Whether there is a block like this one, as far as an index tells.
    fn is_there(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Other(block) => {
                let at = self.others().binary_search_by_key(&block.offset, |other| other.offset);
                at.ok().and_then(|at| self.others().get(at)) == Some(block)
            }
            Entry::Records(block) => {
                let at = self.blocks().binary_search_by_key(&block.offset, |other| other.offset);
                let known = at.ok().and_then(|at| self.blocks().get(at));
                // What was lost since the block before is in no index.
                known.is_some_and(|known| BlockInfo { lost_before: 0, ..known.clone() } == *block)
            }
        }
    }

    fn verify_block(
        &self,
        info: &BlockInfo,
        decoder: &mut ColumnDecoder,
        rows: &mut BlockRows,
    ) -> Result<(BlockHead, Nesting), Damage> {
        let head = rows.load(self, info, decoder)?;
        let mut nesting = Nesting::new(head.depth, &head.open);
        while rows.peek().is_some() {
            rows.ready(self)?;
            let (code, _, _) = rows.next();
            code.opcode().into_iter().for_each(|opcode| nesting.follow(code, opcode));
        }
        if !rows.used_up(head.row_bytes) {
            let (expected, found) =
                ("columns and rows that end with the last record".to_owned(), "more, or fewer".to_owned());
            return Err(Damage { offset: info.offset, what: "block", expected, found, events_lost: Some(0) });
        }
        Ok((head, nesting))
    }
}

/// Checks that the calls open where a block begins are those that the block before left open.
fn check_open(before: &Nesting, info: &BlockInfo, head: &BlockHead) -> Option<Damage> {
    if before.leads_to(head.depth, &head.open) {
        return None;
    }
    let expected = format!("{} open calls, the last {:?}", before.depth(), before.listed().last());
    let found = format!("{}, the last {:?}", head.depth, head.open.last());
    Some(Damage { offset: info.offset, what: "open calls", expected, found, events_lost: Some(0) })
}
