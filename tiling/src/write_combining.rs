//! A model of write-combining buffers: what a sequence of stores costs on the way to memory that is not cached.

use crate::{Store, TilingError};

/// Bytes of a line, and of a burst.
const LINE_BYTES: usize = 64;
/// Bytes of one transaction of a line that leaves in pieces.
const CHUNK_BYTES: usize = 8;

/// A processor's write-combining buffers.
///
/// A buffer holds one 64-byte line and which of its bytes were written. A line written whole leaves at once, in one
/// burst. A store to a line that no buffer holds takes the buffer least recently written; what that holds leaves in
/// pieces, a transaction for each 8 bytes of which any was written. A fence empties all of them.
///
/// It is a model: size and structure of the buffers are not part of the architecture (Intel SDM, volume 3, 11.3.1). The
/// cost of a line in pieces and the four buffers a program can count on are from Intel's IA-32 optimization manual
/// (248966-013, 7-38 and 2-49).
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
    /// Those in use, most recently written first.
    buffers: [Line; WriteCombiner::MOST],
    used: usize,
    available: usize,
    counts: WriteCounts,
}

/// What is in one buffer.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    number: usize,
    /// One bit per byte.
    written: u64,
}

/// What a sequence of stores came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteCounts {
    /// Stores.
    pub stores: u64,
    /// Bytes they wrote.
    pub bytes: u64,
    /// Lines that left whole, one transaction each.
    pub full_lines: u64,
    /// Lines that left in pieces.
    pub partial_evictions: u64,
    /// Transactions of those.
    pub partial_transactions: u64,
}

impl WriteCounts {
    /// Transactions on the bus.
    pub const fn transactions(&self) -> u64 {
        self.full_lines + self.partial_transactions
    }
}

impl WriteCombiner {
    /// The most buffers a model can have.
    pub const MOST: usize = 64;
    /// The number of buffers that a program can count on.
    pub const GUARANTEED: usize = 4;

    /// A model of this many buffers, all empty.
    ///
    /// # Errors
    /// [`TilingError::ZeroSize`] for none, [`TilingError::Outside`] for more than [`MOST`](WriteCombiner::MOST).
    pub const fn new(buffers: usize) -> Result<Self, TilingError> {
        match buffers {
            0 => Err(TilingError::ZeroSize { argument: "buffers" }),
            1..=Self::MOST => Ok(Self {
                buffers: [Line { number: 0, written: 0 }; Self::MOST],
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
            _ => Err(TilingError::Outside { argument: "buffers", found: buffers as u64, limit: Self::MOST as u64 }),
        }
    }

    /// What has happened so far; what buffers still hold is in none of the counts but stores and bytes.
    pub const fn counts(&self) -> WriteCounts {
        self.counts
    }

    /// A fence, Map or Unmap: everything leaves.
    pub fn drain(&mut self) {
        while self.used > 0 {
            self.used -= 1;
            self.leave(self.buffers[self.used]);
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
                self.leave(self.buffers[self.used - 1]);
                self.buffers[self.used - 1] = Line { number, written: 0 };
                self.used - 1
            }
        };
        self.buffers[at].written |= written;
        if self.buffers[at].written == u64::MAX {
            self.leave(self.buffers[at]);
            self.buffers.copy_within(at + 1..self.used, at);
            self.used -= 1;
        } else {
            self.buffers[..=at].rotate_right(1);
        }
    }

    fn leave(&mut self, line: Line) {
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

/// Transactions that a line with these bytes written takes when it leaves: 1 if it is whole, otherwise one for each 8
/// bytes of which any was written.
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
