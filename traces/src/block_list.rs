//! The blocks of a trace that is being written: what is said of them behind them.

use crate::block_info::BlockInfo;
use crate::entry::Entry;
use crate::envelope::INDEX;
use crate::footer;
use crate::index_block::contents;
use crate::other_block::{OTHER_HEAD_BYTES, OtherBlock, OwnBlocks};
use crate::told::Told;

/// Blocks after which an index block comes.
pub(crate) const INDEX_EVERY: usize = 4096;

/// Bytes of blocks after which an index block comes: who reads a trace that has no end searches so much for it.
const INDEX_EVERY_BYTES: u64 = 64 << 20;

/// Bytes of an index block or another that tells of the recording, and of what a footer says of it, beside its payload.
const INDEX_BYTES: u64 = OTHER_HEAD_BYTES as u64 + 4 + 66;

/// The blocks of a trace that is being written.
#[derive(Debug)]
pub(crate) struct BlockList {
    key: u32,
    /// Where the next block begins.
    end: u64,
    entries: Vec<Entry>,
    /// Bytes that these take in an index.
    entry_bytes: u64,
    own: OwnBlocks,
    every: usize,
    /// Entries up to the last index block, itself included, where that is, and where it ends.
    indexed: usize,
    last_index: Option<u64>,
    indexed_end: u64,
}

impl BlockList {
    /// Of the trace with this key whose blocks begin at `start`, with an index block after so many others.
    pub fn new(key: u32, start: u64, every: usize) -> BlockList {
        BlockList {
            key,
            end: start,
            entries: Vec::new(),
            entry_bytes: 0,
            own: OwnBlocks::new(key),
            every: every.max(1),
            indexed: 0,
            last_index: None,
            indexed_end: start,
        }
    }

    /// Key of the trace.
    pub fn key(&self) -> u32 {
        self.key
    }

    /// Where the next block begins.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Those of records.
    pub fn records(&self) -> impl Iterator<Item = &BlockInfo> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Records(block) => Some(block),
            Entry::Other(_) => None,
        })
    }

    /// What the trace would have behind its blocks if it ended now.
    pub fn footer_bytes(&self) -> u64 {
        footer::EMPTY_BYTES + self.entry_bytes
    }

    /// What a block takes that tells of the recording, with its entry in the footer.
    pub fn own_bytes(payload: &[u8]) -> u64 {
        INDEX_BYTES + payload.len() as u64
    }

    /// A block of records comes next.
    pub fn add(&mut self, block: BlockInfo) {
        self.push(Entry::Records(BlockInfo { offset: self.end, ..block }));
    }

    /// Appends a block that tells of the recording to `out`, which comes next.
    pub fn add_own(&mut self, (kind, flags): (u16, u16), told: Told, payload: &[u8], out: &mut Vec<u8>) {
        let block = self.own.write((kind, flags), told, payload, out);
        self.push(Entry::Other(OtherBlock { offset: self.end, ..block }));
    }

    /// Appends an index block to `out`, which comes next, if it is time for one.
    pub fn add_index(&mut self, out: &mut Vec<u8>) {
        let since = &self.entries[self.indexed..];
        if since.is_empty() || (since.len() < self.every && self.end - self.indexed_end < INDEX_EVERY_BYTES) {
            return;
        }
        let (told, payload) = contents(self.end, self.last_index, since);
        self.last_index = Some(self.end);
        self.add_own((INDEX, 0), told, &payload, out);
        (self.indexed, self.indexed_end) = (self.entries.len(), self.end);
    }

    fn push(&mut self, entry: Entry) {
        self.end += u64::from(entry.place().1);
        self.entry_bytes += entry.bytes();
        self.entries.push(entry);
    }

    /// Footer and trailer.
    pub fn footer(&self, interrupted: bool) -> Vec<u8> {
        footer::write(&self.entries, interrupted, self.end, self.key)
    }
}

/// What a block of records takes beside itself in a trace: in its footer, and in an index block.
pub(crate) fn overhead_bytes(block: &BlockInfo) -> u64 {
    2 * crate::entry::entry_bytes(block) + INDEX_BYTES / INDEX_EVERY as u64 + 1
}
