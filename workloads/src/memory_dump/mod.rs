//! Dumps of D3D12MemoryAllocator (Allocator::BuildStatsString), converted to snapshots. Log lines may precede the dump.
//!
//! [`read`] returns heaps and resources with their sizes, offsets, flags and names; [`run`] records them to a session
//! as marks, with a phase for each pool. A dump has no calls: extents, formats and alignments of resources are unknown,
//! and no driver is queried for them. A dump without a detailed map has totals alone.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod document;
mod error;
mod excerpt;
mod flags;
mod pool;
mod record;
mod text;
mod totals;

pub use error::DumpError;
pub use excerpt::SurroundingText;
pub use pool::{Allocation, Block, Dump, Pool, read};
pub use record::{DumpSummary, run};
pub use totals::{DumpTotals, MemoryBudget};

#[cfg(test)]
mod tests;
