//! Reads every byte of a trace and reports what is wrong with it.

use crate::Trace;
use crate::block_head::BlockHead;
use crate::column::ColumnDecoder;
use crate::cursor::Cursor;
use crate::error::Damage;
use crate::footer::BlockInfo;
use rayon::prelude::*;
use std::collections::BTreeMap;
use taut_schemas::EventCode;

impl Trace {
    /// Decodes every record of every block, in parallel, and checks the blocks against each other and against the
    /// footer. Gives the damage found, that of opening the trace included; empty for a sound trace.
    pub fn verify(&self) -> Vec<Damage> {
        let slots = self.walks.slots.len();
        let state = || (ColumnDecoder::new(), Cursor::new(Vec::new(), slots));
        let heads = self.blocks().par_iter().map_init(state, |(decoder, cursor), info| self.verify_block(info, decoder, cursor));
        let heads: Vec<Result<BlockHead, Damage>> = heads.collect();
        let mut damage = self.damage().to_vec();
        let mut threads = BTreeMap::<u32, Option<(u64, u64)>>::new();
        let mut codes = BTreeMap::<EventCode, u64>::new();
        let mut all_read = true;
        for (info, head) in self.blocks().iter().zip(heads) {
            match head {
                Ok(head) => {
                    damage.extend(out_of_sequence(info, &head, threads.entry(info.thread).or_insert(Some((0, 0)))));
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

    fn verify_block(&self, info: &BlockInfo, decoder: &mut ColumnDecoder, cursor: &mut Cursor) -> Result<BlockHead, Damage> {
        let head = cursor.load(self, info, decoder)?;
        while cursor.has_record() {
            cursor.advance(self)?;
        }
        if !cursor.used_up() {
            let (expected, found) = ("columns that end with the last record".to_owned(), "more values".to_owned());
            return Err(Damage { offset: info.offset, what: "block", expected, found, events_lost: Some(0) });
        }
        Ok(head)
    }
}

/// Checks that a block follows the one before in its thread, whose successor's number and first record are `next`.
fn out_of_sequence(info: &BlockInfo, head: &BlockHead, next: &mut Option<(u64, u64)>) -> Option<Damage> {
    let found = (head.number, head.records_before);
    let expected = next.replace((head.number.saturating_add(1), head.records_before.saturating_add(head.records.into())));
    let expected = expected.filter(|expected| *expected != found)?;
    Some(Damage {
        offset: info.offset,
        what: "block number",
        expected: format!("block {} of thread {}, {} records before it", expected.0, info.thread, expected.1),
        found: format!("block {}, {} records before it", found.0, found.1),
        events_lost: Some(found.1.saturating_sub(expected.1)),
    })
}
