//! Decoded values of one slot, stored at the width of the widest field that the block's events have on it.

use super::block::ValueWidth;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::error::Damage;
use crate::read::block::Block;

/// Bytes after the last value, which allow values to be read in words.
const SLACK_BYTES: usize = size_of::<u64>() - 1;

/// Expectation for a count, as named in damage.
pub(crate) const COUNT: &str = "a count of 32 bits";

/// Min number of equal values that are not expanded, because a few bytes of a file may encode a very large number of
/// values.
const MANY_VALUES: usize = 1 << 16;

/// Values of one slot with a read position.
#[derive(Debug, Default)]
pub(crate) struct SlotValues {
    /// Values; empty if `equal` is set.
    bytes: Vec<u8>,
    width_bytes: usize,
    at: usize,
    equal: Option<EqualValues>,
}

/// A repeated value.
#[derive(Debug, Clone, Copy)]
struct EqualValues {
    value: u64,
    /// Size of all values if they were expanded, in bytes.
    end: usize,
}

impl SlotValues {
    /// Decodes a column, replacing the current values; there are no values if the block has no such column.
    pub fn load(
        &mut self,
        block: &Block<'_>,
        slot: u16,
        width_bytes: u8,
        decoder: &mut ColumnDecoder,
    ) -> Result<(), Damage> {
        let fits = "a value of its field's width";
        self.load_as(block, slot, width_bytes, fits, decoder)
    }

    /// Same as [`load`](Self::load) with an explicit expectation for a value that is too wide.
    pub fn load_as(
        &mut self,
        block: &Block<'_>,
        slot: u16,
        width_bytes: u8,
        fits: &'static str,
        decoder: &mut ColumnDecoder,
    ) -> Result<(), Damage> {
        (self.at, self.width_bytes, self.equal) = (0, usize::from(width_bytes.clamp(1, 8)), None);
        if let Some((value, values)) = block.equal(slot).filter(|(_, values)| *values >= MANY_VALUES)
            && value & !self.mask() == 0
        {
            self.bytes = Vec::new();
            self.equal = Some(EqualValues { value, end: values * self.width_bytes });
            return Ok(());
        }
        block.narrow(
            slot,
            ValueWidth { width_bytes: self.width_bytes, slack_bytes: SLACK_BYTES },
            fits,
            decoder,
            &mut self.bytes,
        )
    }

    /// Next value in the lowest bytes of a word; the higher bytes may hold the following values.
    #[inline]
    pub fn take_word(&mut self) -> Option<u64> {
        let Some(word) = self.bytes.get(self.at..self.at + size_of::<u64>()).and_then(<[u8]>::first_chunk) else {
            return self.take_equal();
        };
        self.at += self.width_bytes;
        Some(u64::from_le_bytes(*word))
    }

    fn take_equal(&mut self) -> Option<u64> {
        let EqualValues { value, .. } = self.equal.filter(|equal| self.at < equal.end)?;
        self.at += self.width_bytes;
        Some(value)
    }

    /// Next value.
    #[inline]
    pub fn take(&mut self) -> Option<u64> {
        self.take_word().map(|word| word & self.mask())
    }

    /// Value at an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        let at = index * self.width_bytes;
        let Some(word) = self.bytes.get(at..at + size_of::<u64>()).and_then(<[u8]>::first_chunk) else {
            return self.equal.filter(|equal| at < equal.end).map(|equal| equal.value);
        };
        Some(u64::from_le_bytes(*word) & self.mask())
    }

    /// Skips values, at most to the end.
    pub fn skip(&mut self, values: usize) {
        self.at = self.at.saturating_add(values.saturating_mul(self.width_bytes)).min(self.end());
    }

    /// Size of all values, in bytes.
    fn end(&self) -> usize {
        self.equal.map_or(self.bytes.len().saturating_sub(SLACK_BYTES), |equal| equal.end)
    }

    /// Read position, in bytes.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Sets the read position after the column was decoded again.
    pub fn set_position(&mut self, position: usize) {
        self.at = position;
    }

    /// Size of the buffer, in bytes.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// True if every value has been consumed.
    pub fn is_consumed(&self) -> bool {
        self.at == self.end()
    }

    /// Bits that are set in any value.
    pub fn used_bits(&self) -> u64 {
        if let Some(equal) = self.equal {
            return equal.value;
        }
        let end = self.bytes.len().saturating_sub(SLACK_BYTES);
        let values = self.bytes[..end].chunks_exact(self.width_bytes.max(1));
        values.fold(0, |used, value| {
            let mut word = [0; size_of::<u64>()];
            word[..value.len()].copy_from_slice(value);
            used | u64::from_le_bytes(word)
        })
    }

    #[inline]
    fn mask(&self) -> u64 {
        u64::MAX >> ((64 - 8 * self.width_bytes) & 63)
    }
}
