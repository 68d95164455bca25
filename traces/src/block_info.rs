//! Where a block lies and what it holds, without reading it.

use std::sync::Arc;
use taut_schemas::EventCode;

/// Where a block lies and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockInfo {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
    /// Thread whose records it holds.
    pub thread: u32,
    /// Number of the block among those of its thread, from 0.
    pub number: u64,
    /// Records in it.
    pub records: u32,
    /// Records of the thread in the blocks before.
    pub records_before: u64,
    /// Events of the thread that the recorder lost between the block before and this one.
    pub lost_before: u64,
    /// Events of the thread that the recorder lost before this block's records, since it began.
    pub lost_since_begin: u64,
    /// Least stamp of its records, in ticks; 0 without records.
    pub least_stamp: u64,
    /// Greatest stamp of its records, in ticks; 0 without records.
    pub greatest_stamp: u64,
    /// Codes that occur, in order of their first record, and how often. Empty for a block of version 0 whose head is
    /// damaged.
    pub kinds: Arc<[(EventCode, u32)]>,
}

/// A block of a kind that this crate does not know, which it steps over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownBlock {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
    /// Number of its kind.
    pub kind: u16,
    /// Who does not know the kind must not replay the trace.
    pub is_critical: bool,
}
