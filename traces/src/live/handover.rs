//! Buffers of records in transit from a recording thread to the block writer.

use crate::format::row_head::{record_bytes, row_head};
use crate::live::slot::Slot;

/// Records that a recording thread hands over.
#[derive(Debug)]
pub(crate) enum Rows {
    /// No records.
    Empty,
    /// Records of a slot.
    Slot(Slot),
    /// One record that is larger than a slot, followed by slack bytes. Its thread waits until the record is in the
    /// file, if slots are in the sidecar.
    Large(Vec<u8>),
}

impl Rows {
    /// Records in order, each a [`row_head`](crate::format::row_head) and a row, followed by slack.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Rows::Empty => &[],
            Rows::Slot(slot) => slot.rows(),
            Rows::Large(bytes) => bytes,
        }
    }

    /// Stamps of the first and the last record.
    pub fn stamps(&self) -> Option<(u64, u64)> {
        let (mut at, mut stamps) = (0, None);
        while let Some((row_bytes, _, stamp)) = row_head(self.bytes(), at) {
            stamps = Some((stamps.map_or(stamp, |(first, _)| first), stamp));
            at += record_bytes(row_bytes as usize);
        }
        stamps
    }

    /// Number of records.
    pub fn records(&self) -> u64 {
        match self {
            Rows::Empty => 0,
            Rows::Slot(slot) => slot.records(),
            Rows::Large(_) => 1,
        }
    }
}

/// Records and losses of one thread in transit to the block writer.
#[derive(Debug)]
pub(crate) struct Handover {
    pub thread: u32,
    pub rows: Rows,
    /// Events lost before the first record.
    pub lost_before: u64,
    /// Events lost after the last record; only in the thread's last handover.
    pub lost_after: u64,
    /// True for the thread's last handover.
    pub last: bool,
}
