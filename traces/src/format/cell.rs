//! Storage of decoded values: a word, or as many bytes as the field has.

/// Storage of one value.
pub(crate) trait ValueCell: Copy {
    /// Size of the storage, in bytes.
    const BYTES: usize;
    /// Stores a number; bits beyond the size are truncated.
    fn from_number(number: u64) -> Self;
    /// The stored number.
    fn number(self) -> u64;
    /// Bits that can be stored.
    const MASK: u64 = u64::MAX >> (64 - 8 * Self::BYTES);
}

impl ValueCell for u64 {
    const BYTES: usize = 8;

    #[inline]
    fn from_number(number: u64) -> u64 {
        number
    }

    #[inline]
    fn number(self) -> u64 {
        self
    }
}

macro_rules! bytes_are_cells {
    ($($number:ty)*) => {
        $(impl ValueCell for [u8; size_of::<$number>()] {
            const BYTES: usize = size_of::<$number>();

            #[inline]
            fn from_number(number: u64) -> Self {
                (number as $number).to_le_bytes()
            }

            #[inline]
            fn number(self) -> u64 {
                <$number>::from_le_bytes(self).into()
            }
        })*
    };
}

bytes_are_cells!(u8 u16 u32 u64);
