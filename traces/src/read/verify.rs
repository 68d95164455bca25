//! Verification of a whole trace, with a report of all damage.

use crate::Trace;
use crate::format::block_head::BlockHead;
use crate::format::block_info::BlockInfo;
use crate::format::clock_reading::ClockReading;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::cover::cover;
use crate::format::docs_block;
use crate::format::entry::Entry;
use crate::format::envelope::{CLOCK, DOCS, GAP, INDEX, NOTE, SCHEMA, STREAMS};
use crate::format::error::Damage;
use crate::format::gap::Gap;
use crate::format::index_block;
use crate::format::nesting::Nesting;
use crate::format::other_block::OtherBlock;
use crate::format::parse::run;
use crate::format::stream_info;
use crate::read::block::Block;
use crate::read::block_rows::BlockRows;
use rayon::prelude::*;
use std::collections::BTreeMap;

impl Trace {
    /// Checks every block's checksum and head, in parallel, without decoding columns: runs at memory speed, and
    /// suffices to show that a file is as it was written. Returns the damage found, that of opening the trace included.
    pub fn check(&self) -> Vec<Damage> {
        let found = self.blocks().par_iter().filter_map(|info| Block::read(self.source(), info).err());
        let found: Vec<Damage> = found.collect();
        self.damage().iter().cloned().chain(found).chain(self.check_others()).collect()
    }

    /// Decodes every record of every block, in parallel, and checks the blocks against each other and against the
    /// footer. Returns the damage found, that of opening the trace included; empty for a valid trace.
    pub fn verify(&self) -> Vec<Damage> {
        let state = || (ColumnDecoder::new(), BlockRows::default());
        let heads: Vec<Result<(BlockHead, Nesting), Damage>> =
            self.each_block(self.blocks(), state, |(decoder, rows), info| self.verify_block(info, decoder, rows));
        let mut damage = self.damage().to_vec();
        let mut threads = BTreeMap::<u32, (u64, Nesting)>::new();
        let begins_with_none = self.header().identity.discarded.is_none();
        for (info, head) in self.blocks().iter().zip(heads) {
            match head {
                Ok((head, nesting)) => {
                    // After a gap, and if earlier calls were discarded, only the head states which calls are open.
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

    /// Checks the blocks without records; index blocks are compared with the known blocks.
    fn check_others(&self) -> impl Iterator<Item = Damage> {
        self.others().iter().filter_map(|block| match block.kind {
            INDEX => self.check_index(block).err(),
            // Checked when the trace was opened.
            SCHEMA => None,
            _ => self.check_contents(block).err(),
        })
    }

    /// Checks that a block without records of a known kind is well-formed.
    fn check_contents(&self, block: &OtherBlock) -> Result<(), Damage> {
        let (payload, control_block) = (self.payload(block)?, block.control_block);
        let is_well_formed = match block.kind {
            CLOCK => payload.is_empty() && ClockReading::from_control_block(control_block).is_some(),
            GAP => payload.is_empty() && Gap::from_control_block(control_block).is_some(),
            NOTE => control_block.words == [0; 4] && str::from_utf8(payload).is_ok(),
            DOCS => docs_block::parse(control_block, payload).is_some(),
            STREAMS => {
                return run(block.offset, "streams", payload, |input| stream_info::parse(input, control_block))
                    .map(|_| ());
            }
            _ => true,
        };
        if is_well_formed {
            return Ok(());
        }
        let (expected, found) = (format!("what a block of kind {} says", block.kind), "something else".to_owned());
        Err(Damage { offset: block.offset, what: "block", expected, found, events_lost: Some(0) })
    }

    fn check_index(&self, block: &OtherBlock) -> Result<(), Damage> {
        self.payload(block)?;
        let bytes = self.source().bytes(block.offset, block.length_bytes).unwrap_or_default();
        let index = run(block.offset, "index block", bytes, |input| index_block::parse(input, self.key, block.offset))?;
        // An index block covers the blocks after the previous index block.
        let before = self.others().iter().rfind(|other| other.kind == INDEX && other.offset < block.offset);
        if index.before != before.map(|before| before.offset) {
            let (expected, found) = (format!("a link to {before:?}"), format!("one to byte {:?}", index.before));
            return Err(Damage { offset: block.offset, what: "index block", expected, found, events_lost: Some(0) });
        }
        let start = before.map_or(self.start, |before| before.offset + u64::from(before.length_bytes));
        cover(index.entries.iter().map(Entry::place), start, block.offset)?;
        let wrong = index.entries.iter().find(|entry| !self.matches_block(entry));
        wrong.map_or(Ok(()), |entry| {
            let (expected, found) = ("blocks that are there".to_owned(), format!("{entry:?}"));
            Err(Damage { offset: block.offset, what: "index block", expected, found, events_lost: Some(0) })
        })
    }

    /// True if a block matches this index entry.
    fn matches_block(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Other(block) => {
                let at = self.others().binary_search_by_key(&block.offset, |other| other.offset);
                at.ok().and_then(|at| self.others().get(at)) == Some(block)
            }
            Entry::Records(block) => {
                let at = self.blocks().binary_search_by_key(&block.offset, |other| other.offset);
                let known = at.ok().and_then(|at| self.blocks().get(at));
                // Index entries do not state losses since the previous block.
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
        if !rows.is_consumed(head.row_bytes) {
            let (expected, found) =
                ("columns and rows that end with the last record".to_owned(), "more, or fewer".to_owned());
            return Err(Damage { offset: info.offset, what: "block", expected, found, events_lost: Some(0) });
        }
        Ok((head, nesting))
    }
}

/// Checks that the open calls at the begin of a block equal the open calls at the end of the previous block.
fn check_open(before: &Nesting, info: &BlockInfo, head: &BlockHead) -> Option<Damage> {
    if before.can_precede(head.depth, &head.open) {
        return None;
    }
    let expected = format!("{} open calls, the last {:?}", before.depth(), before.listed().last());
    let found = format!("{}, the last {:?}", head.depth, head.open.last());
    Some(Damage { offset: info.offset, what: "open calls", expected, found, events_lost: Some(0) })
}
