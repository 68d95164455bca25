//! How a trace is written.

use crate::block_list::INDEX_EVERY;
use crate::disk::Disk;
use crate::mode::Mode;
use crate::snapshot_trigger::SnapshotTrigger;
use std::time::Duration;
use taut_schemas::ProviderSet;

/// What a thread does whose buffer is full while the block writer is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFull {
    /// Wait for it: nothing is lost.
    #[default]
    Block,
    /// Go on, and count the events that are lost.
    Drop,
}

/// How a trace is written. None of it changes what a file means, and `buffer_bytes` moves no block's boundary, unless buffers
/// that outlive the process run short: the oldest block ends early then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Size of a thread's buffer, in bytes. A record that is larger goes past it, and its thread waits.
    pub buffer_bytes: usize,
    /// Full buffers that may wait for the block writer.
    pub spare_buffers: usize,
    /// What a thread does when they all do.
    pub on_full: OnFull,
    /// Bring a file to disk before [`TraceWriter::finish`](crate::TraceWriter::finish) returns.
    pub sync: bool,
    /// Bring a recording that outlives its process to disk so often while it goes on; how much the end of the machine costs.
    /// Without, at its end.
    pub sync_interval: Option<Duration>,
    /// Have the recording end ([`TraceWriter::on_end`](crate::TraceWriter::on_end)) when the trace comes near this size, in bytes. It
    /// may come to be larger by what threads are at then.
    pub max_bytes: Option<u64>,
    /// Have the recording end after this time.
    pub max_time: Option<Duration>,
    /// Have threads hand over what they have, each before its next call, and close all blocks, so often.
    pub flush_interval: Option<Duration>,
    /// After so many blocks comes one that says where they are: a trace that has no end is opened by these.
    pub index_blocks: usize,
    /// What becomes of what was recorded when there is more of it than `max_bytes`. A recording that keeps its last needs a size,
    /// and lies in a file beside which there may be others ([`TraceWriter::record`](crate::TraceWriter::record)).
    pub mode: Mode,
    /// The providers whose events are recorded, from the begin on.
    pub providers: ProviderSet,
    /// Take a snapshot when this event is recorded: only of a recording that outlives its process
    /// ([`TraceWriter::snapshot_wish`](crate::TraceWriter::snapshot_wish)).
    pub snapshot_on: Option<SnapshotTrigger>,
    /// Where its files lie.
    pub disk: Disk,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            buffer_bytes: 1 << 18,
            spare_buffers: 64,
            on_full: OnFull::Block,
            sync: true,
            sync_interval: None,
            max_bytes: None,
            max_time: None,
            flush_interval: None,
            index_blocks: INDEX_EVERY,
            mode: Mode::Sequential,
            providers: ProviderSet::ALL,
            snapshot_on: None,
            disk: Disk::default(),
        }
    }
}
