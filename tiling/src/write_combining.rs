//! Model of write-combining buffers: the cost of a sequence of stores to uncached memory.

use crate::{Store, TilingError};

/// Bytes of a line, and of a burst.
const LINE_BYTES: usize = 64;
/// Bytes of one transaction of a partially written line.
const CHUNK_BYTES: usize = 8;

/// Write-combining buffers of a processor.
///
/// A buffer holds one 64-byte line with a mask of its written bytes. A completely written line is flushed at once, in
/// one burst. A store to a line that no buffer holds evicts the least recently written buffer; its line is flushed in
/// parts, one transaction for each 8 bytes with a written byte. A fence flushes all buffers.
///
/// This is a model: size and structure of the buffers are not part of the architecture (Intel SDM, volume 3, 11.3.1).
/// The cost of a partial line and the four buffers that a program can rely on are from Intel's IA-32 optimization
/// manual (248966-013, 7-38 and 2-49).
///
/// ```
/// use taut_tiling::{Store, WriteCombiner};
/// let mut buffers = WriteCombiner::new(4)?;
/// (0..16).for_each(|at| buffers.stored(at * 4, 4));
/// buffers.stored(64, 16);
/// buffers.drain();
/// let counts = buffers.counts();
/// assert_eq!((counts.full_lines, counts.partial_evictions, counts.transactions()), (1, 1, 3));
/// # Ok::<(), taut_tiling::TilingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WriteCombiner {
    /// Buffers in use, most recently written first.
    buffers: [Line; WriteCombiner::MAX_BUFFERS],
    used: usize,
    available: usize,
    counts: WriteCounts,
}

/// Contents of a buffer.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    number: usize,
    /// One bit per byte.
    written: u64,
}

/// Result of a sequence of stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteCounts {
    /// Number of stores.
    pub stores: u64,
    /// Bytes written by the stores.
    pub bytes: u64,
    /// Lines flushed whole, one transaction each.
    pub full_lines: u64,
    /// Lines flushed in parts.
    pub partial_evictions: u64,
    /// Transactions of the lines flushed in parts.
    pub partial_transactions: u64,
}

impl WriteCounts {
    /// Returns the number of transactions on the bus.
    pub const fn transactions(&self) -> u64 {
        self.full_lines + self.partial_transactions
    }
}

impl WriteCombiner {
    /// Maximum number of buffers of a model.
    pub const MAX_BUFFERS: usize = 64;
    /// Number of buffers that a program can rely on.
    pub const GUARANTEED: usize = 4;

    /// Creates a model with this number of empty buffers.
    ///
    /// # Errors
    /// [`TilingError::ZeroSize`] for no buffer, [`TilingError::Outside`] for more than
    /// [`MAX_BUFFERS`](WriteCombiner::MAX_BUFFERS).
    pub const fn new(buffers: usize) -> Result<Self, TilingError> {
        match buffers {
            0 => Err(TilingError::ZeroSize { argument: "buffers" }),
            1..=Self::MAX_BUFFERS => Ok(Self {
                buffers: [Line { number: 0, written: 0 }; Self::MAX_BUFFERS],
                used: 0,
                available: buffers,
                counts: WriteCounts {
                    stores: 0,
                    bytes: 0,
                    full_lines: 0,
                    partial_evictions: 0,
                    partial_transactions: 0,
                },
            }),
            _ => Err(TilingError::Outside {
                argument: "buffers",
                found: buffers as u64,
                limit: Self::MAX_BUFFERS as u64,
            }),
        }
    }

    /// Returns the counts so far; the current contents of buffers are included in stores and bytes only.
    pub const fn counts(&self) -> WriteCounts {
        self.counts
    }

    /// Flushes all buffers, as a fence, Map or Unmap does.
    pub fn drain(&mut self) {
        while self.used > 0 {
            self.used -= 1;
            self.write_out(self.buffers[self.used]);
        }
    }

    /// Writes bytes of one line.
    fn combine(&mut self, number: usize, written: u64) {
        let found = self.buffers[..self.used].iter().position(|line| line.number == number);
        let at = match found {
            Some(at) => at,
            None if self.used < self.available => {
                self.buffers[self.used] = Line { number, written: 0 };
                self.used += 1;
                self.used - 1
            }
            None => {
                self.write_out(self.buffers[self.used - 1]);
                self.buffers[self.used - 1] = Line { number, written: 0 };
                self.used - 1
            }
        };
        self.buffers[at].written |= written;
        if self.buffers[at].written == u64::MAX {
            self.write_out(self.buffers[at]);
            self.buffers.copy_within(at + 1..self.used, at);
            self.used -= 1;
        } else {
            self.buffers[..=at].rotate_right(1);
        }
    }

    fn write_out(&mut self, line: Line) {
        if line.written == u64::MAX {
            self.counts.full_lines += 1;
        } else {
            self.counts.partial_evictions += 1;
            self.counts.partial_transactions += chunks(line.written);
        }
    }
}

impl Store for WriteCombiner {
    fn stored(&mut self, offset_bytes: usize, width_bytes: usize) {
        self.counts.stores += 1;
        self.counts.bytes = self.counts.bytes.saturating_add(width_bytes as u64);
        let (mut at, mut left) = (offset_bytes, width_bytes);
        while left > 0 {
            let (number, first) = (at / LINE_BYTES, at % LINE_BYTES);
            let count = left.min(LINE_BYTES - first);
            self.combine(number, u64::MAX >> (LINE_BYTES - count) << first);
            (at, left) = (at.wrapping_add(count), left - count);
        }
    }
}

/// Returns the number of transactions to flush a line with these bytes written: 1 if it is complete, otherwise one for
/// each 8 bytes with a written byte.
pub const fn line_transactions(written: u64) -> u64 {
    if written == u64::MAX { 1 } else { chunks(written) }
}

const fn chunks(written: u64) -> u64 {
    let (mut chunks, mut at) = (0, 0);
    while at < LINE_BYTES {
        chunks += (written >> at & 0xff != 0) as u64;
        at += CHUNK_BYTES;
    }
    chunks
}
