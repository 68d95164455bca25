//! How a trace is written.

/// What a thread does whose buffer is full while the block writer is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFull {
    /// Wait for it: nothing is lost.
    #[default]
    Block,
    /// Go on, and count the events that are lost.
    Drop,
}

/// How a trace is written. None of it changes what a file means; `buffer_bytes` moves no block's boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Size of a thread's buffer, in bytes. A record that is larger grows it.
    pub buffer_bytes: usize,
    /// Full buffers that may wait for the block writer.
    pub spare_buffers: usize,
    /// What a thread does when they all do.
    pub on_full: OnFull,
    /// Bring a file to disk before [`TraceWriter::finish`](crate::TraceWriter::finish) returns.
    pub sync: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { buffer_bytes: 1 << 18, spare_buffers: 32, on_full: OnFull::Block, sync: true }
    }
}
