//! List of the blocks of a trace that is being written, from which index blocks and the footer are built.

use crate::format::block_info::BlockInfo;
use crate::format::control_block::ControlBlock;
use crate::format::entry::{ENTRY_BYTES, Entry};
use crate::format::envelope::INDEX;
use crate::format::footer;
use crate::format::index_block::contents;
use crate::format::other_block::{MetadataEncoder, OTHER_HEAD_BYTES, OtherBlock};

/// Number of blocks after which an index block is written.
pub(crate) const INDEX_EVERY: usize = 4096;

/// Bytes of blocks after which an index block is written.
// A reader of an unfinished trace searches twice this distance back (`chain::SEARCH_BYTES`).
const INDEX_EVERY_BYTES: u64 = 64 << 20;

/// Size of a metadata block without its payload, plus its footer entry, in bytes: head, block checksum, entry.
const INDEX_BYTES: u64 = OTHER_HEAD_BYTES as u64 + 4 + 66;

/// Max number of metadata blocks that accompany a block of records: streams, schema, docs.
const NEXT_OTHERS: u64 = 3;

/// Blocks of a trace that is being written.
#[derive(Debug)]
pub(crate) struct BlockList {
    key: u32,
    /// Offset at which the next block begins.
    end: u64,
    entries: Vec<Entry>,
    /// Size of `entries` in an index, in bytes.
    entry_bytes: u64,
    metadata: MetadataEncoder,
    every: usize,
    /// Number of entries up to and including the last index block, offset of that block, and its end.
    indexed: usize,
    last_index: Option<u64>,
    indexed_end: u64,
}

impl BlockList {
    /// Creates the list of the trace with this key, whose blocks begin at `start`, with an index block after every
    /// `every` blocks.
    pub fn new(key: u32, start: u64, every: usize) -> BlockList {
        BlockList {
            key,
            end: start,
            entries: Vec::new(),
            entry_bytes: 0,
            metadata: MetadataEncoder::new(key),
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

    /// Offset at which the next block begins.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Blocks of records.
    pub fn records(&self) -> impl Iterator<Item = &BlockInfo> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Records(block) => Some(block),
            Entry::Other(_) => None,
        })
    }

    /// Size of footer and trailer if the trace ended now, in bytes.
    pub fn footer_bytes(&self) -> u64 {
        footer::EMPTY_BYTES + self.entry_bytes
    }

    /// Size of a metadata block with this payload and of its footer entry, in bytes.
    pub fn metadata_bytes(payload: &[u8]) -> u64 {
        INDEX_BYTES + payload.len() as u64
    }

    /// Adds a block of records at the end.
    pub fn add(&mut self, block: BlockInfo) {
        self.push(Entry::Records(BlockInfo { offset: self.end, ..block }));
    }

    /// Adds a metadata block at the end and appends its bytes to `out`.
    pub fn add_metadata(
        &mut self,
        kind: u16,
        flags: u16,
        control_block: ControlBlock,
        payload: &[u8],
        out: &mut Vec<u8>,
    ) {
        let block = self.metadata.write(kind, flags, control_block, payload, out);
        self.push(Entry::Other(OtherBlock { offset: self.end, ..block }));
    }

    /// Adds an index block at the end and appends its bytes to `out`, if one is due.
    pub fn add_index(&mut self, out: &mut Vec<u8>) {
        let since = &self.entries[self.indexed..];
        if since.is_empty() || !self.is_index_due(0, 0) {
            return;
        }
        // The payload is built before the index block is added: it does not list itself.
        let (control_block, payload) = contents(self.end, self.last_index, since);
        self.last_index = Some(self.end);
        self.add_metadata(INDEX, 0, control_block, &payload, out);
        (self.indexed, self.indexed_end) = (self.entries.len(), self.end);
    }

    /// True if an index block is due after `blocks` more blocks of `bytes` bytes.
    fn is_index_due(&self, blocks: usize, bytes: u64) -> bool {
        self.entries.len() - self.indexed + blocks >= self.every
            || self.end + bytes - self.indexed_end >= INDEX_EVERY_BYTES
    }

    /// Size of everything after the next block if the trace ended there, in bytes: the index block that may be due, and
    /// footer and trailer. The next block has `next_bytes` bytes and records of `kinds` kinds.
    pub fn end_bytes(&self, next_bytes: u64, kinds: usize) -> u64 {
        let next = crate::format::entry::kinds_bytes(kinds) + NEXT_OTHERS * ENTRY_BYTES as u64;
        let is_due = self.is_index_due(1 + NEXT_OTHERS as usize, next_bytes);
        let since = self.entries[self.indexed..].iter().map(Entry::bytes);
        let index = if is_due { INDEX_BYTES + next + since.sum::<u64>() } else { 0 };
        self.footer_bytes() + next + index
    }

    fn push(&mut self, entry: Entry) {
        self.end += u64::from(entry.place().1);
        self.entry_bytes += entry.bytes();
        self.entries.push(entry);
    }

    /// Footer and trailer of the trace if it ended now.
    pub fn footer(&self, interrupted: bool) -> Vec<u8> {
        footer::write(&self.entries, interrupted, self.end, self.key)
    }
}

/// Size that a block of records adds to a trace beyond its own, in bytes: entries in the footer and in an index block,
/// and a share of that block.
pub(crate) fn overhead_bytes(block: &BlockInfo) -> u64 {
    2 * crate::format::entry::entry_bytes(block) + INDEX_BYTES / INDEX_EVERY as u64 + 1
}
