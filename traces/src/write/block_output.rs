//! Output of the block writer.

use crate::live::sidecar::Sidecar;
use crate::write::ring::Ring;
use crate::write::sink::Sink;
use std::sync::Arc;

/// Files that a recording is written to.
pub(crate) struct BlockOutput {
    pub sink: Sink,
    pub sidecar: Option<Arc<Sidecar>>,
    pub ring: Option<Ring>,
    /// Maximal size of the trace, in bytes.
    pub max_bytes: Option<u64>,
}
