//! The decoded values of one slot, each as wide as the widest field that the block's events have on it.

use crate::block::Block;
use crate::column_decoder::ColumnDecoder;
use crate::error::Damage;

/// Values are read in words; so many bytes stand behind the last one.
const SLACK_BYTES: usize = size_of::<u64>() - 1;

/// Width of the length of a text or a list.
pub(crate) const COUNT_BYTES: u8 = 4;

/// What is expected of it.
pub(crate) const COUNT: &str = "a count of 32 bits";

/// The values of one slot and how many of them have been used.
#[derive(Debug, Default)]
pub(crate) struct SlotValues {
    bytes: Vec<u8>,
    width_bytes: usize,
    at: usize,
}

impl SlotValues {
    /// Decodes a column in place of what was here; there are no values if the block has none.
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

    /// The same with a sentence of one's own for a value that is too wide.
    pub fn load_as(
        &mut self,
        block: &Block<'_>,
        slot: u16,
        width_bytes: u8,
        fits: &'static str,
        decoder: &mut ColumnDecoder,
    ) -> Result<(), Damage> {
        (self.at, self.width_bytes) = (0, usize::from(width_bytes.clamp(1, 8)));
        block.narrow(slot, (self.width_bytes, SLACK_BYTES), fits, decoder, &mut self.bytes)
    }

    /// The next value, in the lowest bytes of a word; what follows it may stand above.
    #[inline]
    pub fn take_word(&mut self) -> Option<u64> {
        let word = self.bytes.get(self.at..self.at + size_of::<u64>())?.first_chunk()?;
        self.at += self.width_bytes;
        Some(u64::from_le_bytes(*word))
    }

    /// The next value.
    #[inline]
    pub fn take(&mut self) -> Option<u64> {
        self.take_word().map(|word| word & self.mask())
    }

    /// The value at an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        let at = index * self.width_bytes;
        let word = self.bytes.get(at..at + size_of::<u64>())?.first_chunk()?;
        Some(u64::from_le_bytes(*word) & self.mask())
    }

    /// Passes over values; more than there are is all of them.
    pub fn skip(&mut self, values: usize) {
        self.at = self.at.saturating_add(values.saturating_mul(self.width_bytes)).min(self.bytes.len());
    }

    /// Bytes of memory that this holds.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Every value has been used.
    pub fn is_used_up(&self) -> bool {
        self.at == self.bytes.len().saturating_sub(SLACK_BYTES)
    }

    /// Bits that are set in any value.
    pub fn used_bits(&self) -> u64 {
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
