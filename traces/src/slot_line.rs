//! The line of a slot: eight words by which anybody can tell, at any moment and after any end of the process, which records
//! the slot holds. Writer and reader side by side; no memory is mapped here.
//!
//! Whoever records is alone in writing a line, but for [`settle`](SlotLine::settle) and [`free`](SlotLine::free), which come
//! when the slot has been handed over. Each word proves itself: 48 bits of value, and 16 that follow from value and place; of the two that every record
//! changes, 32 and 32.

use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a line.
pub(crate) const LINE_WORDS: usize = 8;

const STREAM: usize = 0;
const USE: usize = 1;
const FIRST: usize = 2;
const RESERVED: usize = 3;
const COMMITTED: usize = 4;
const LOST_BEFORE: usize = 5;
const DROPPED: usize = 6;
const REFUSED: usize = 7;

/// The place that an ordinal which may still change is sealed for.
const PROVISIONAL: usize = 10;

/// Bits of a value.
const VALUE_BITS: u32 = 48;

/// The greatest value of a word.
const GREATEST: u64 = (1 << VALUE_BITS) - 1;

/// An end of records in a slot with its proof, which is cheap, as each record needs two: the upper half and the lower one make the
/// place's number together.
#[inline]
fn seal_end(end: usize, place: usize) -> u64 {
    let end = end as u32;
    u64::from(end) | u64::from((!(place as u32)).wrapping_sub(end)) << 32
}

/// The end that a word has, if it is one of this place.
fn unseal_end(word: u64, place: usize) -> Option<u64> {
    let end = word as u32;
    (seal_end(end as usize, place) == word).then_some(end.into())
}

/// A value with the proof that it belongs at this place. Never 0, which is a free slot's stream.
#[inline]
pub(crate) fn seal(value: u64, place: usize) -> u64 {
    let value = value.min(GREATEST);
    value | (proof(value, place) << VALUE_BITS)
}

#[inline]
fn proof(value: u64, place: usize) -> u64 {
    let mixed =
        (value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> 47) & 0xffff | 1
}

/// The value of a sealed word, if it is one of this place.
pub(crate) fn unseal(word: u64, place: usize) -> Option<u64> {
    let value = word & GREATEST;
    (word >> VALUE_BITS == proof(value, place)).then_some(value)
}

/// A word of a line: in a program an atomic one, in a test one that a kill can come before.
pub(crate) trait Word {
    /// What it holds.
    fn load(&self, ordering: Ordering) -> u64;
    /// Holds `value` from now on.
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

/// The line of a slot.
#[derive(Debug)]
pub(crate) struct SlotLine<'w, W = AtomicU64>(pub &'w [W; LINE_WORDS]);

/// The ordinal of a slot's first record: how many events its stream had before, kept or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum First {
    /// The slot was handed over: its place among the stream's events is known.
    Settled(u64),
    /// It is being filled. Only where a stream has several writers at a time may it come to lie behind this.
    Provisional(u64),
}

impl First {
    /// The number, however sure it is.
    pub fn ordinal(self) -> u64 {
        match self {
            First::Settled(first) | First::Provisional(first) => first,
        }
    }
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineState {
    pub stream: u32,
    /// Which use of a slot this is, of all uses in a recording.
    pub turn: u64,
    pub first: First,
    /// Where the record ends that is being written, as far as that is known; up to `committed`, none is.
    pub reserved: u64,
    /// Bytes of whole records.
    pub committed: u64,
    /// Events of the stream lost between the slot before and this one.
    pub lost_before: u64,
    /// Events lost behind its records: no buffer was free, or they could not be written.
    pub dropped: u64,
    pub refused: u64,
}

impl<W: Word> SlotLine<'_, W> {
    /// The slot is a stream's from now on.
    pub fn take(&self, stream: u32, turn: u64, first: u64, lost_before: u64) {
        for (place, value) in [(USE, turn), (LOST_BEFORE, lost_before), (DROPPED, 0), (REFUSED, 0)] {
            self.0[place].store(seal(value, place), Ordering::Relaxed);
        }
        for place in [RESERVED, COMMITTED] {
            self.0[place].store(seal_end(0, place), Ordering::Relaxed);
        }
        self.0[FIRST].store(seal(first, PROVISIONAL), Ordering::Relaxed);
        self.0[STREAM].store(seal(stream.into(), STREAM), Ordering::Release);
    }

    /// A record is being written that ends behind `end`.
    #[inline]
    pub fn reserve(&self, end: usize) {
        self.0[RESERVED].store(seal_end(end, RESERVED), Ordering::Release);
        // What is written from now on is written after this.
        std::sync::atomic::fence(Ordering::Release);
    }

    /// Records up to `end` are whole.
    #[inline]
    pub fn commit(&self, end: usize) {
        self.0[COMMITTED].store(seal_end(end, COMMITTED), Ordering::Release);
    }

    /// So many events were lost behind the records: since no buffer was free, and since they could not be written.
    pub fn lose(&self, dropped: u64, refused: u64) {
        self.0[DROPPED].store(seal(dropped, DROPPED), Ordering::Relaxed);
        self.0[REFUSED].store(seal(refused, REFUSED), Ordering::Release);
    }

    /// The slot is handed over: this is its place.
    pub fn settle(&self, first: u64) {
        self.0[FIRST].store(seal(first, FIRST), Ordering::Release);
    }

    /// Everything in the slot is in the file.
    pub fn free(&self) {
        self.0[STREAM].store(0, Ordering::Release);
    }

    /// What the line says; `None` for a free slot.
    ///
    /// # Errors
    /// The number of a word that no line has.
    pub fn read(&self) -> Result<Option<LineState>, usize> {
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
