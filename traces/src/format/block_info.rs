//! Location and summary of a block, as stored in an index.

use std::sync::Arc;
use taut_schemas::EventCode;

/// Location and summary of a block of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockInfo {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
    pub thread: u32,
    /// Number of the block among the blocks of its thread, from 0.
    pub number: u64,
    pub records: u32,
    /// Records of the thread in the blocks before.
    pub records_before: u64,
    /// Events of the thread that the recorder lost between the block before and this one.
    pub lost_before: u64,
    /// Events of the thread that the recorder lost before this block's records, since the thread began.
    pub lost_since_begin: u64,
    /// Min stamp of the records, in ticks; 0 without records.
    pub min_stamp: u64,
    /// Max stamp of the records, in ticks; 0 without records.
    pub max_stamp: u64,
    /// Codes that occur, in order of their first record, and how often each occurs. Empty for a block of version 0
    /// whose head is damaged.
    pub kinds: Arc<[(EventCode, u32)]>,
}

/// A block of a kind that this crate does not know and skips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownBlock {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
    /// Number of the block's kind.
    pub kind: u16,
    /// True if a reader that does not know the kind must not replay the trace.
    pub is_critical: bool,
}
