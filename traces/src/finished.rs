//! A trace written with its end: what can be read of one that has none, and what was taken from beside it.

use crate::Trace;
use crate::block_list::{BlockList, INDEX_EVERY};
use crate::envelope::{CRITICAL, GAP, INDEX, SCHEMA};
use crate::file_head::VERSION;
use crate::other_block::OtherBlock;
use crate::told::Told;
use crate::write_summary::WriteSummary;
use std::io::{self, ErrorKind, Write};

impl Trace {
    /// Whether [`write_finished`](Self::write_finished) can write this trace: it is of this version, and has no blocks of kinds
    /// that this crate does not know.
    pub fn can_be_finished(&self) -> bool {
        self.version == VERSION && self.unknown_blocks().is_empty()
    }

    /// Writes a finished trace of all blocks that are there, as they are, and an index, which says that the recording ended
    /// before its workload did if this trace has no end. A block that is missing stays missing, and is found by every reader.
    ///
    /// # Errors
    /// The output takes no more, or this trace cannot be finished by this version of the crate.
    pub fn write_finished(&self, output: &mut impl Write) -> io::Result<WriteSummary> {
        let summary = self.summary();
        self.write_ended(summary.interrupted || !summary.complete, output)
    }

    /// The same; `interrupted` says whether the recording ended before its workload did.
    pub(crate) fn write_ended(&self, interrupted: bool, output: &mut impl Write) -> io::Result<WriteSummary> {
        if !self.can_be_finished() {
            return Err(io::Error::new(ErrorKind::Unsupported, "another version wrote this trace"));
        }
        output.write_all(&self.file[..self.start as usize])?;
        let mut list = BlockList::new(self.key, self.start, INDEX_EVERY);
        let (mut others, mut own) = (self.others().iter().peekable(), Vec::new());
        for block in self.blocks() {
            while let Some(other) = others.next_if(|other| other.offset < block.offset) {
                self.copy_own(other, &mut list, &mut own)?;
            }
            output.write_all(&own)?;
            own.clear();
            output.write_all(self.source().bytes(block.offset, block.length_bytes).unwrap_or_default())?;
            list.add(block.clone());
            list.add_index(&mut own);
        }
        others.try_for_each(|other| self.copy_own(other, &mut list, &mut own))?;
        self.recovered_gaps().iter().for_each(|gap| list.add_own((GAP, 0), gap.told(), &[], &mut own));
        self.define_again(&mut list, &mut own);
        output.write_all(&own)?;
        let (summary, footer) = (self.summary(), list.footer(interrupted));
        output.write_all(&footer)?;
        output.flush()?;
        let bytes = list.end() + footer.len() as u64;
        Ok(WriteSummary { events: summary.events, lost_events: summary.lost_events, bytes })
    }

    /// Adds what is defined once: of that, one changed bit would take every record.
    fn define_again(&self, list: &mut BlockList, out: &mut Vec<u8>) {
        let blocks = self.others().iter().filter(|block| block.kind == SCHEMA);
        let mut defined: Vec<(Told, &[u8], u32)> = Vec::new();
        for (told, payload) in blocks.filter_map(|block| Some((block.told, self.payload(block).ok()?))) {
            match defined.iter_mut().find(|known| known.1 == payload) {
                Some(known) => known.2 += 1,
                None => defined.push((told, payload, 1)),
            }
        }
        defined.extend(self.recovered_definitions().map(|(told, payload)| (*told, payload.as_slice(), 0)));
        for (told, payload, times) in defined {
            (times..2).for_each(|_| list.add_own((SCHEMA, CRITICAL), told, payload, out));
        }
    }

    /// Adds a block that tells of the recording to those of another file; where blocks are, that one says itself. What is
    /// damaged is left out, unless nobody may go on without it; definitions may stand elsewhere, and their records tell if not.
    pub(crate) fn copy_own(&self, block: &OtherBlock, list: &mut BlockList, out: &mut Vec<u8>) -> io::Result<()> {
        if block.kind == INDEX {
            return Ok(());
        }
        match self.payload(block) {
            Ok(payload) => list.add_own((block.kind, block.flags), block.told, payload, out),
            Err(damage) if block.is_critical() && block.kind != SCHEMA => {
                return Err(io::Error::new(ErrorKind::InvalidData, damage));
            }
            Err(_) => {}
        }
        Ok(())
    }
}
