//! Options for writing a trace.

use crate::format::block_list::INDEX_EVERY;
use crate::live::disk::Disk;
use crate::write::mode::Mode;
use crate::write::snapshot_trigger::SnapshotTrigger;
use std::time::Duration;
use taut_schemas::ProviderSet;

/// Behaviour of a thread whose buffer is full while no other buffer is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFull {
    /// Waits for a buffer: nothing is lost.
    #[default]
    Block,
    /// Goes on, and counts the lost events.
    Drop,
}

/// Options for writing a trace. No option changes the meaning of a file, and `buffer_bytes` moves no block boundary,
/// unless buffers in the sidecar run short: the oldest block then ends early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Maximum size of a thread's buffer, in bytes: all buffers together hold at most 128 MiB, so large buffers become
    /// smaller with their number. A larger record bypasses the buffer, and its thread waits.
    pub buffer_bytes: usize,
    /// Number of full buffers that may wait for the block writer.
    pub spare_buffers: usize,
    /// Behaviour of a thread whose buffer is full while all buffers wait for the block writer.
    pub on_full: OnFull,
    /// Sync the file to disk before [`TraceWriter::finish`](crate::TraceWriter::finish) returns.
    pub sync: bool,
    /// Interval at which a crash-safe recording is synced to disk: the data at risk if the machine fails. `None` for a
    /// sync at the end only.
    pub sync_interval: Option<Duration>,
    /// Trace size near which the recording ends ([`TraceWriter::on_end`](crate::TraceWriter::on_end)), in bytes. The
    /// trace may become larger by the records that threads still hold.
    pub max_bytes: Option<u64>,
    /// Duration after which the recording ends.
    pub max_time: Option<Duration>,
    /// Interval at which threads hand over their records, each before its next call, and all blocks are closed.
    pub flush_interval: Option<Duration>,
    /// Number of blocks after which an index block is written. A trace without an end is opened by its index blocks.
    pub index_blocks: usize,
    /// Policy for a recording that reaches `max_bytes`. A ring recording requires a size and a file next to which side
    /// files can be created ([`TraceWriter::record`](crate::TraceWriter::record)).
    pub mode: Mode,
    /// Providers whose events are recorded from the begin on.
    pub providers: ProviderSet,
    /// Event at which a snapshot is taken; crash-safe recordings only
    /// ([`TraceWriter::snapshot_requests`](crate::TraceWriter::snapshot_requests)).
    pub snapshot_on: Option<SnapshotTrigger>,
    /// File system of the files.
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
