//! Reads every byte of a trace and reports what is wrong with it.

use crate::Trace;
use crate::block::Block;
use crate::block_head::BlockHead;
use crate::block_rows::BlockRows;
use crate::column::ColumnDecoder;
use crate::error::Damage;
use crate::footer::BlockInfo;
use crate::nesting::Nesting;
use rayon::prelude::*;
use std::collections::BTreeMap;
use taut_schemas::EventCode;

impl Trace {
    /// Checks every block's checksum and head, in parallel, and decodes no column: at the speed of memory, and enough
    /// to tell that a file is as it was written. Gives the damage found, that of opening the trace included.
    pub fn check(&self) -> Vec<Damage> {
        let found =
            self.blocks().par_iter().filter_map(|info| Block::read(&self.file, info, self.key, &self.walks).err());
        let found: Vec<Damage> = found.collect();
        self.damage().iter().cloned().chain(found).collect()
    }

    /// Decodes every record of every block, in parallel, and checks the blocks against each other and against the
    /// footer. Gives the damage found, that of opening the trace included; empty for a sound trace.
    pub fn verify(&self) -> Vec<Damage> {
        let state = || (ColumnDecoder::new(), BlockRows::default());
        let heads =
            self.blocks().par_iter().map_init(state, |(decoder, rows), info| self.verify_block(info, decoder, rows));
        let heads: Vec<Result<(BlockHead, Nesting), Damage>> = heads.collect();
        let mut damage = self.damage().to_vec();
        let mut threads = BTreeMap::<u32, Option<Next>>::new();
        let mut codes = BTreeMap::<EventCode, u64>::new();
        let mut all_read = true;
        for (info, head) in self.blocks().iter().zip(heads) {
            match head {
                Ok((head, nesting)) => {
                    let next = threads.entry(info.thread).or_insert_with(|| Some(Next::default()));
                    damage.extend(next.take().and_then(|next| next.check(info, &head)));
                    let records_before = head.records_before.saturating_add(head.records.into());
                    *next = Some(Next { number: head.number.saturating_add(1), records_before, nesting });
                    for (code, records) in &head.kinds {
                        *codes.entry(*code).or_default() += u64::from(*records);
                    }
                }
                Err(found) => {
                    all_read = false;
                    // What follows in this thread cannot be held against it.
                    threads.insert(info.thread, None);
                    damage.push(found);
                }
            }
        }
        let counted: Vec<(EventCode, u64)> = codes.into_iter().collect();
        if all_read && counted != self.summary().codes {
            let expected = format!("{counted:?} as the blocks say");
            let found = format!("{:?}", self.summary().codes);
            damage.push(Damage { offset: 0, what: "footer", expected, found, events_lost: Some(0) });
        }
        damage
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

/// What a thread's next block has to go on from.
#[derive(Default)]
struct Next {
    number: u64,
    records_before: u64,
    nesting: Nesting,
}

impl Next {
    fn check(&self, info: &BlockInfo, head: &BlockHead) -> Option<Damage> {
        let damage = |what, expected, found, events_lost| {
            Some(Damage { offset: info.offset, what, expected, found, events_lost: Some(events_lost) })
        };
        if (self.number, self.records_before) != (head.number, head.records_before) {
            let expected = format!("block {} of its thread, {} records before it", self.number, self.records_before);
            let found = format!("block {}, {} records before it", head.number, head.records_before);
            return damage("block number", expected, found, head.records_before.saturating_sub(self.records_before));
        }
        if !self.nesting.leads_to(head.depth, &head.open) {
            let expected = format!("{} open calls, the last {:?}", self.nesting.depth(), self.nesting.listed().last());
            return damage("open calls", expected, format!("{}, the last {:?}", head.depth, head.open.last()), 0);
        }
        None
    }
}
