//! The values of one slot of a block being filled, each as wide as the widest field on it.

/// The values of one slot of a block being filled, each as wide as the widest field on it: what many threads have in their
/// blocks at once is a recording's memory.
#[derive(Debug)]
pub(crate) enum SlotColumn {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

/// Does the same with the vector of any width.
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
    /// Without values, for fields of at most this width.
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

    /// Adds a value, of which the field's width is kept.
    #[inline]
    pub fn push(&mut self, value: u64) {
        each!(self, values => values.push(Narrow::of(value)));
    }

    /// Adds values.
    #[inline]
    pub fn extend(&mut self, added: impl ExactSizeIterator<Item = u64>) {
        each!(self, values => extend(values, added));
    }

    /// Adds values to every `turns`th place, of which `turn` is the first: for the first turn places are made for all.
    pub fn take_turn(&mut self, (turn, turns): (usize, usize), added: impl ExactSizeIterator<Item = u64>) {
        each!(self, values => {
            let places = added.len() * turns;
            if turn == 0 {
                values.resize(values.len() + places, Narrow::of(0));
            }
            let start = values.len() - places + turn;
            values[start..].iter_mut().step_by(turns).zip(added).for_each(|(place, value)| *place = Narrow::of(value));
        });
    }

    /// All values as words, which stand in `words` unless they are words already.
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

    /// Removes every value.
    pub fn clear(&mut self) {
        each!(self, values => values.clear());
    }
}

/// A number of a field's width.
trait Narrow: Copy {
    /// The lowest bits of a word, which has no others.
    fn of(word: u64) -> Self;
}

macro_rules! narrow {
    ($($number:ty),*) => {
        $(impl Narrow for $number {
            #[inline]
            fn of(word: u64) -> Self {
                word as Self
            }
        })*
    };
}

narrow!(u8, u16, u32, u64);

fn extend<T: Narrow>(values: &mut Vec<T>, added: impl ExactSizeIterator<Item = u64>) {
    values.extend(added.map(T::of));
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
                    _ => (0..turns).for_each(|turn| column.take_turn((turn, turns), run.iter().copied())),
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
