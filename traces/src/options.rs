//! How a trace is written.

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
    /// The providers whose events are recorded, from the begin on.
    pub providers: ProviderSet,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            buffer_bytes: 1 << 18,
            spare_buffers: 64,
            on_full: OnFull::Block,
            sync: true,
            sync_interval: None,
            providers: ProviderSet::ALL,
        }
    }
}
