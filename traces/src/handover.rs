//! Records on their way from a recording thread to the block writer.

use crate::row_head::{record_bytes, row_head};
use crate::slot::Slot;

/// Records as a recording thread hands them over.
#[derive(Debug)]
pub(crate) enum Rows {
    /// None.
    Empty,
    /// A slot's.
    Slot(Slot),
    /// One that is larger than a slot, and slack behind it. Its thread waits until it is in the file, if slots are kept.
    Large(Vec<u8>),
}

impl Rows {
    /// Records in order, each a [`row_head`](crate::row_head) and a row, and slack behind them.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Rows::Empty => &[],
            Rows::Slot(slot) => slot.rows(),
            Rows::Large(bytes) => bytes,
        }
    }

    /// The first record's stamp and the last one's.
    pub fn stamps(&self) -> Option<(u64, u64)> {
        let (mut at, mut stamps) = (0, None);
        while let Some((row_bytes, _, stamp)) = row_head(self.bytes(), at) {
            stamps = Some((stamps.map_or(stamp, |(first, _)| first), stamp));
            at += record_bytes(row_bytes as usize);
        }
        stamps
    }

    /// How many they are.
    pub fn records(&self) -> u64 {
        match self {
            Rows::Empty => 0,
            Rows::Slot(slot) => slot.records(),
            Rows::Large(_) => 1,
        }
    }
}

/// Records of one thread, on their way to the block writer.
#[derive(Debug)]
pub(crate) struct Handover {
    pub thread: u32,
    pub rows: Rows,
    /// Events lost before the first record.
    pub lost_before: u64,
    /// Events lost after the last one; only at the end.
    pub lost_after: u64,
    /// The thread is done.
    pub last: bool,
}
