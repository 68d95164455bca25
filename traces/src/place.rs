//! Where a decoded value lies: in a word, or in as many bytes as its field has.

/// Room for a value.
pub(crate) trait Place: Copy {
    /// Bytes of it.
    const BYTES: usize;
    /// A value, of which what is beyond the room is cut off.
    fn of(number: u64) -> Self;
    /// The value.
    fn number(self) -> u64;
    /// Bits that there is room for.
    const MASK: u64 = u64::MAX >> (64 - 8 * Self::BYTES);
}

impl Place for u64 {
    const BYTES: usize = 8;

    #[inline]
    fn of(number: u64) -> u64 {
        number
    }

    #[inline]
    fn number(self) -> u64 {
        self
    }
}

macro_rules! bytes_are_places {
    ($($number:ty)*) => {
        $(impl Place for [u8; size_of::<$number>()] {
            const BYTES: usize = size_of::<$number>();

            #[inline]
            fn of(number: u64) -> Self {
                (number as $number).to_le_bytes()
            }

            #[inline]
            fn number(self) -> u64 {
                <$number>::from_le_bytes(self).into()
            }
        })*
    };
}

bytes_are_places!(u8 u16 u32 u64);
