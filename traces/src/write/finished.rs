//! Completion of an unfinished trace: a trace with all readable records of the file and of its sidecar, and with a
//! footer.

use crate::Trace;
use crate::format::block_list::{BlockList, INDEX_EVERY};
use crate::format::control_block::ControlBlock;
use crate::format::envelope::{CRITICAL, GAP, INDEX, SCHEMA};
use crate::format::file_head::VERSION;
use crate::format::other_block::OtherBlock;
use crate::format::write_summary::WriteSummary;
use std::io::{self, ErrorKind, Write};

impl Trace {
    /// True if [`write_finished`](Self::write_finished) can write this trace: its version is current, and it has no
    /// blocks of kinds that this crate does not know.
    pub fn can_be_finished(&self) -> bool {
        self.version == VERSION && self.unknown_blocks().is_empty()
    }

    /// Writes a finished trace of all existing blocks, unchanged, and a footer, marked as interrupted if this trace is
    /// interrupted or has no end. A missing block stays missing and is reported by every reader.
    ///
    /// # Errors
    /// The output fails, or this version of the crate cannot finish this trace.
    pub fn write_finished(&self, output: &mut impl Write) -> io::Result<WriteSummary> {
        let summary = self.summary();
        self.write_ended(summary.interrupted || !summary.complete, output)
    }

    /// Same as [`write_finished`](Self::write_finished) with an explicit `interrupted` flag for the footer.
    pub(crate) fn write_ended(&self, interrupted: bool, output: &mut impl Write) -> io::Result<WriteSummary> {
        if !self.can_be_finished() {
            return Err(io::Error::new(ErrorKind::Unsupported, "another version wrote this trace"));
        }
        output.write_all(&self.file[..self.start as usize])?;
        let mut list = BlockList::new(self.key, self.start, INDEX_EVERY);
        let (mut others, mut metadata) = (self.others().iter().peekable(), Vec::new());
        for block in self.blocks() {
            while let Some(other) = others.next_if(|other| other.offset < block.offset) {
                self.copy_metadata(other, &mut list, &mut metadata)?;
            }
            output.write_all(&metadata)?;
            metadata.clear();
            output.write_all(self.source().bytes(block.offset, block.length_bytes).unwrap_or_default())?;
            list.add(block.clone());
            list.add_index(&mut metadata);
        }
        others.try_for_each(|other| self.copy_metadata(other, &mut list, &mut metadata))?;
        self.recovered_gaps().iter().for_each(|gap| list.add_metadata(GAP, 0, gap.control_block(), &[], &mut metadata));
        self.repeat_definitions(&mut list, &mut metadata);
        output.write_all(&metadata)?;
        let (summary, footer) = (self.summary(), list.footer(interrupted));
        output.write_all(&footer)?;
        output.flush()?;
        let bytes = list.end() + footer.len() as u64;
        Ok(WriteSummary { events: summary.events, lost_events: summary.lost_events, bytes })
    }

    /// Repeats definitions that exist only once, because a single changed bit in a definition would make all records of
    /// its events unreadable.
    fn repeat_definitions(&self, list: &mut BlockList, out: &mut Vec<u8>) {
        let blocks = self.others().iter().filter(|block| block.kind == SCHEMA);
        let mut defined: Vec<(ControlBlock, &[u8], u32)> = Vec::new();
        for (control_block, payload) in
            blocks.filter_map(|block| Some((block.control_block, self.payload(block).ok()?)))
        {
            match defined.iter_mut().find(|known| known.1 == payload) {
                Some(known) => known.2 += 1,
                None => defined.push((control_block, payload, 1)),
            }
        }
        defined.extend(
            self.recovered_definitions().map(|(control_block, payload)| (*control_block, payload.as_slice(), 0)),
        );
        for (control_block, payload, times) in defined {
            (times..2).for_each(|_| list.add_metadata(SCHEMA, CRITICAL, control_block, payload, out));
        }
    }

    /// Appends a metadata block of the unfinished trace to the new file, which has its own index blocks. Damaged blocks
    /// are omitted; a damaged critical block of a kind other than schema is an error. Definitions may be repeated
    /// elsewhere; if not, their records are reported as damage.
    pub(crate) fn copy_metadata(&self, block: &OtherBlock, list: &mut BlockList, out: &mut Vec<u8>) -> io::Result<()> {
        if block.kind == INDEX {
            return Ok(());
        }
        match self.payload(block) {
            Ok(payload) => list.add_metadata(block.kind, block.flags, block.control_block, payload, out),
            Err(damage) if block.is_critical() && block.kind != SCHEMA => {
                return Err(io::Error::new(ErrorKind::InvalidData, damage));
            }
            Err(_) => {}
        }
        Ok(())
    }
}
