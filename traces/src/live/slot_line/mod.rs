//! Line of a slot: eight words that show, at any moment and after any end of the process, which records the slot holds.
//! Encoder and parser are in this file so that they stay in step; no memory is mapped here.
//!
//! The recording thread alone writes a line, except for [`set_first_ordinal`](SlotLine::set_first_ordinal) and
//! [`free`](SlotLine::free), which follow the handover of the slot. Each word is self-validating: 48 bits of value and
//! 16 bits of proof derived from value and place; the two words that every record changes have 32 bits of each.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of words of a line.
pub(crate) const LINE_WORDS: usize = 8;

const STREAM: usize = 0;
const USE: usize = 1;
const FIRST: usize = 2;
const RESERVED: usize = 3;
const COMMITTED: usize = 4;
const LOST_BEFORE: usize = 5;
const DROPPED: usize = 6;
const REFUSED: usize = 7;

/// Seal index of an ordinal that may still change; distinct from the seal index of a final ordinal.
const PROVISIONAL: usize = 10;

/// Number of bits of a value.
const VALUE_BITS: u32 = 48;

/// Max value of a word.
const MAX_VALUE: u64 = (1 << VALUE_BITS) - 1;

/// Seals an end of records. The proof is cheap, because each record needs two: the sum of upper and lower half is the
/// complement of the place.
#[inline]
fn seal_end(end: usize, place: usize) -> u64 {
    let end = end as u32;
    u64::from(end) | u64::from((!(place as u32)).wrapping_sub(end)) << 32
}

/// End in a word, if the word is valid for this place.
fn unseal_end(word: u64, place: usize) -> Option<u64> {
    let end = word as u32;
    (seal_end(end as usize, place) == word).then_some(end.into())
}

/// Seals a value for a place. The result is never 0, which marks a free slot in the stream word.
#[inline]
pub(crate) fn seal(value: u64, place: usize) -> u64 {
    let value = value.min(MAX_VALUE);
    value | (proof(value, place) << VALUE_BITS)
}

#[inline]
fn proof(value: u64, place: usize) -> u64 {
    let mixed =
        (value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> 47) & 0xffff | 1
}

/// Value of a sealed word, if it is valid for this place.
pub(crate) fn unseal(word: u64, place: usize) -> Option<u64> {
    let value = word & MAX_VALUE;
    (word >> VALUE_BITS == proof(value, place)).then_some(value)
}

/// Word of a line: an atomic in production. Tests use a word that simulates a kill of the process before a store.
pub(crate) trait Word {
    /// Loads the value.
    fn load(&self, ordering: Ordering) -> u64;
    /// Stores a value.
    fn store(&self, value: u64, ordering: Ordering);
}

impl Word for AtomicU64 {
    #[inline]
    fn load(&self, ordering: Ordering) -> u64 {
        AtomicU64::load(self, ordering)
    }

    #[inline]
    fn store(&self, value: u64, ordering: Ordering) {
        AtomicU64::store(self, value, ordering);
    }
}

/// Line of a slot.
#[derive(Debug)]
pub(crate) struct SlotLine<'w, W = AtomicU64>(pub &'w [W; LINE_WORDS]);

/// Ordinal of a slot's first record: the number of the stream's events before it, recorded or lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum First {
    /// Final ordinal of a slot that was handed over.
    Settled(u64),
    /// Ordinal of a slot being filled. The final one is larger only if the stream has several concurrent writers.
    Provisional(u64),
}

impl First {
    /// The ordinal, final or not.
    pub fn ordinal(self) -> u64 {
        match self {
            First::Settled(first) | First::Provisional(first) => first,
        }
    }
}

/// Decoded line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineState {
    pub stream: u32,
    /// Number of this use among all slot uses of the recording.
    pub turn: u64,
    pub first: First,
    /// End of the record being written, as far as it is known; not above `committed` if there is none.
    pub reserved: u64,
    /// Size of complete records, in bytes.
    pub committed: u64,
    /// Events of the stream lost between the previous slot and this one.
    pub lost_before: u64,
    /// Events lost after the slot's records because no buffer was free.
    pub dropped: u64,
    /// Events lost after the slot's records because they could not be written.
    pub refused: u64,
}

impl<W: Word> SlotLine<'_, W> {
    /// Assigns the slot to a stream.
    pub fn take(&self, stream: u32, turn: u64, first: u64, lost_before: u64) {
        for (place, value) in [(USE, turn), (LOST_BEFORE, lost_before), (DROPPED, 0), (REFUSED, 0)] {
            self.0[place].store(seal(value, place), Ordering::Relaxed);
        }
        for place in [RESERVED, COMMITTED] {
            self.0[place].store(seal_end(0, place), Ordering::Relaxed);
        }
        self.0[FIRST].store(seal(first, PROVISIONAL), Ordering::Relaxed);
        // Stored last with release, so that a reader that sees the stream also sees the other words.
        self.0[STREAM].store(seal(stream.into(), STREAM), Ordering::Release);
    }

    /// Marks a record that ends at `end` as being written.
    #[inline]
    pub fn reserve(&self, end: usize) {
        self.0[RESERVED].store(seal_end(end, RESERVED), Ordering::Release);
        // Orders the mark before the stores of the record that follows.
        std::sync::atomic::fence(Ordering::Release);
    }

    /// Marks the records up to `end` as complete.
    #[inline]
    pub fn commit(&self, end: usize) {
        self.0[COMMITTED].store(seal_end(end, COMMITTED), Ordering::Release);
    }

    /// Sets the events lost after the records: `dropped` because no buffer was free, `refused` because they could not
    /// be written.
    pub fn lose(&self, dropped: u64, refused: u64) {
        self.0[DROPPED].store(seal(dropped, DROPPED), Ordering::Relaxed);
        self.0[REFUSED].store(seal(refused, REFUSED), Ordering::Release);
    }

    /// Sets the final ordinal of a slot that is handed over.
    pub fn set_first_ordinal(&self, first: u64) {
        self.0[FIRST].store(seal(first, FIRST), Ordering::Release);
    }

    /// Frees the slot after all its records are in the file.
    pub fn free(&self) {
        self.0[STREAM].store(0, Ordering::Release);
    }

    /// Decodes the line; `None` for a free slot.
    ///
    /// # Errors
    /// Index of an invalid word.
    pub fn read(&self) -> Result<Option<LineState>, usize> {
        // Pairs with the release store at the end of `take`.
        let stream = self.0[STREAM].load(Ordering::Acquire);
        if stream == 0 {
            return Ok(None);
        }
        let word = |place: usize| unseal(self.0[place].load(Ordering::Acquire), place).ok_or(place);
        let end = |place: usize| unseal_end(self.0[place].load(Ordering::Acquire), place).ok_or(place);
        let stream = unseal(stream, STREAM).and_then(|stream| u32::try_from(stream).ok()).ok_or(STREAM)?;
        let first = self.0[FIRST].load(Ordering::Acquire);
        let settled = unseal(first, FIRST).map(First::Settled);
        let first = settled.or_else(|| unseal(first, PROVISIONAL).map(First::Provisional)).ok_or(FIRST)?;
        Ok(Some(LineState {
            stream,
            turn: word(USE)?,
            first,
            reserved: end(RESERVED)?,
            committed: end(COMMITTED)?,
            lost_before: word(LOST_BEFORE)?,
            dropped: word(DROPPED)?,
            refused: word(REFUSED)?,
        }))
    }
}

#[cfg(test)]
mod tests;
