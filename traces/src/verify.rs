//! Reads every byte of a trace and reports what is wrong with it.

use crate::Trace;
use crate::block::{Block, check_whole};
use crate::block_head::BlockHead;
use crate::block_info::{BlockInfo, UnknownBlock};
use crate::block_rows::BlockRows;
use crate::column_decoder::ColumnDecoder;
use crate::error::Damage;
use crate::nesting::Nesting;
use crate::parse::run;
use rayon::prelude::*;
use std::collections::BTreeMap;

impl Trace {
    /// Checks every block's checksum and head, in parallel, and decodes no column: at the speed of memory, and enough
    /// to tell that a file is as it was written. Gives the damage found, that of opening the trace included.
    pub fn check(&self) -> Vec<Damage> {
        let found = self.blocks().par_iter().filter_map(|info| Block::read(self.source(), info).err());
        let found: Vec<Damage> = found.collect();
        self.damage().iter().cloned().chain(found).chain(self.check_unknown()).collect()
    }

    /// Decodes every record of every block, in parallel, and checks the blocks against each other and against the
    /// footer. Gives the damage found, that of opening the trace included; empty for a sound trace.
    pub fn verify(&self) -> Vec<Damage> {
        let state = || (ColumnDecoder::new(), BlockRows::default());
        let heads =
            self.blocks().par_iter().map_init(state, |(decoder, rows), info| self.verify_block(info, decoder, rows));
        let heads: Vec<Result<(BlockHead, Nesting), Damage>> = heads.collect();
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
        damage.extend(self.check_unknown());
        damage
    }

    /// Checks the checksums of the blocks that are stepped over.
    fn check_unknown(&self) -> impl Iterator<Item = Damage> {
        self.unknown_blocks().iter().filter_map(|block| {
            let UnknownBlock { offset, length_bytes, .. } = *block;
            let bytes = self.source().bytes(offset, length_bytes);
            run(offset, "block of an unknown kind", bytes.unwrap_or_default(), check_whole).err()
        })
    }

    fn verify_block(
        &self,
        info: &BlockInfo,
        decoder: &mut ColumnDecoder,
        rows: &mut BlockRows,
    ) -> Result<(BlockHead, Nesting), Damage> {
        let alone = self.alone(info);
        let verified = self.verify_rows(info, decoder, rows);
        if alone.is_some() {
            (*decoder, *rows) = (ColumnDecoder::new(), BlockRows::default());
        }
        verified
    }

    fn verify_rows(
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
