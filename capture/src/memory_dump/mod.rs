//! D3D12MemoryAllocator's dump of what it holds (Allocator::BuildStatsString with a detailed map), as a snapshot.
//!
//! [`read`] gives heaps and resources with their sizes, places, flags and names; [`run`] tells them to a session as marks, a
//! phase for each pool. Nobody recorded the calls: extents, formats and alignments of resources are not told, and no driver is
//! asked about them.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod document;
mod error;
mod flags;
mod play;
mod pool;
mod text;

pub use error::DumpError;
pub use play::{DumpSummary, run};
pub use pool::{Block, Dump, Held, Pool, read};

#[cfg(test)]
mod tests;
