//! A trace written with its end: what can be read of one that has none, and what was taken from beside it.

use crate::Trace;
use crate::block_info::BlockInfo;
use crate::file_head::VERSION;
use crate::footer;
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
        let mut bytes_written = self.start;
        let mut blocks = Vec::with_capacity(self.blocks().len());
        for block in self.blocks() {
            let bytes = self.source().bytes(block.offset, block.length_bytes).unwrap_or_default();
            output.write_all(bytes)?;
            blocks.push(BlockInfo { offset: bytes_written, ..block.clone() });
            bytes_written += bytes.len() as u64;
        }
        let summary = self.summary();
        let footer = footer::write(&blocks, interrupted, bytes_written, self.key);
        output.write_all(&footer)?;
        output.flush()?;
        let bytes = bytes_written + footer.len() as u64;
        Ok(WriteSummary { events: summary.events, lost_events: summary.lost_events, bytes })
    }
}
