//! Values of one slot of a block being filled, stored at the width of the widest field on the slot.

/// Values of one slot of a block being filled, stored at the width of the widest field on the slot. The open blocks of
/// all threads dominate a recording's memory, hence the narrow storage.
#[derive(Debug)]
pub(crate) enum SlotColumn {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

/// Runs the same code for the vector of each width.
macro_rules! each {
    ($column:expr, $values:ident => $run:expr) => {
        match $column {
            SlotColumn::U8($values) => $run,
            SlotColumn::U16($values) => $run,
            SlotColumn::U32($values) => $run,
            SlotColumn::U64($values) => $run,
        }
    };
}

impl SlotColumn {
    /// Creates an empty column for fields of up to `width_bytes` bytes.
    pub fn new(width_bytes: u8) -> SlotColumn {
        match width_bytes {
            0 | 1 => SlotColumn::U8(Vec::new()),
            2 => SlotColumn::U16(Vec::new()),
            3 | 4 => SlotColumn::U32(Vec::new()),
            _ => SlotColumn::U64(Vec::new()),
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        each!(self, values => values.len())
    }

    /// Appends a value, truncated to the column's width.
    #[inline]
    pub fn push(&mut self, value: u64) {
        each!(self, values => values.push(NarrowInteger::from_word(value)));
    }

    /// Appends values.
    #[inline]
    pub fn extend(&mut self, added: impl ExactSizeIterator<Item = u64>) {
        each!(self, values => extend(values, added));
    }

    /// Writes values to every `turns`th position from `turn` on. The first turn appends the positions of all turns.
    pub fn take_turn(&mut self, turn: usize, turns: usize, added: impl ExactSizeIterator<Item = u64>) {
        each!(self, values => {
            let places = added.len() * turns;
            if turn == 0 {
                values.resize(values.len() + places, NarrowInteger::from_word(0));
            }
            let start = values.len() - places + turn;
            values[start..].iter_mut().step_by(turns).zip(added).for_each(|(place, value)| *place = NarrowInteger::from_word(value));
        });
    }

    /// All values as words; `words` is the buffer for narrower columns.
    pub fn widened<'w>(&'w self, words: &'w mut Vec<u64>) -> &'w [u64] {
        words.clear();
        match self {
            SlotColumn::U8(values) => words.extend(values.iter().map(|value| u64::from(*value))),
            SlotColumn::U16(values) => words.extend(values.iter().map(|value| u64::from(*value))),
            SlotColumn::U32(values) => words.extend(values.iter().map(|value| u64::from(*value))),
            SlotColumn::U64(values) => return values,
        }
        words
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        each!(self, values => values.clear());
    }
}

/// Unsigned integer of a column's width, to which 64-bit values are narrowed.
trait NarrowInteger: Copy {
    /// Lowest bits of a word, whose other bits are 0.
    fn from_word(word: u64) -> Self;
}

macro_rules! narrow {
    ($($number:ty),*) => {
        $(impl NarrowInteger for $number {
            #[inline]
            fn from_word(word: u64) -> Self {
                word as Self
            }
        })*
    };
}

narrow!(u8, u16, u32, u64);

fn extend<T: NarrowInteger>(values: &mut Vec<T>, added: impl ExactSizeIterator<Item = u64>) {
    values.extend(added.map(T::from_word));
}

#[cfg(test)]
mod tests {
    use super::SlotColumn;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_come_back_at_every_width(width in 1u8..=8, values in prop::collection::vec(any::<u64>(), 0..200), turns in 1usize..4) {
            let bits = match width { 1 => 8, 2 => 16, 3 | 4 => 32, _ => 64 };
            let values: Vec<u64> = values.iter().map(|value| value & (u64::MAX >> (64 - bits))).collect();
            let (mut column, mut expected) = (SlotColumn::new(width), Vec::new());
            for (index, run) in values.chunks(17).enumerate() {
                match index % 3 {
                    0 => run.iter().for_each(|value| column.push(*value)),
                    1 => column.extend(run.iter().copied()),
                    _ => (0..turns).for_each(|turn| column.take_turn(turn, turns, run.iter().copied())),
                }
                let times = if index % 3 == 2 { turns } else { 1 };
                expected.extend(run.iter().flat_map(|value| std::iter::repeat_n(*value, times)));
            }
            prop_assert_eq!(column.len(), expected.len());
            let mut words = vec![7];
            prop_assert_eq!(column.widened(&mut words), expected.as_slice());
            column.clear();
            prop_assert!(column.widened(&mut words).is_empty());
        }
    }
}
