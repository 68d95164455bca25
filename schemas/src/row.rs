//! A record's payload in row form: the record's fields one after another, little endian, no padding.
//!
//! Scalars lie at their own width; a list is a `u32` count and its elements; text and bytes are a `u32` length
//! and their bytes; an optional is a list of at most one element. The same walk, driven by the schema table,
//! turns rows into columns and back (crate `taut-traces`).

use thiserror::Error;

/// Reason why a row could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CodecError {
    /// The row ends inside a field.
    #[error("row byte {at}: expected {wanted_bytes} more bytes of {what}, found {left_bytes}")]
    Short {
        /// Byte position in the row.
        at: usize,
        /// Description of the value being read.
        what: &'static str,
        /// Bytes the field needs.
        wanted_bytes: usize,
        /// Bytes left in the row.
        left_bytes: usize,
    },
    /// The row is longer than its fields.
    #[error("row byte {at}: expected the end of the row, found {left_bytes} more bytes")]
    Long {
        /// Byte position in the row.
        at: usize,
        /// Bytes left over.
        left_bytes: usize,
    },
    /// A value that its type does not have.
    #[error("row byte {at}: expected {what}, found {found}")]
    Value {
        /// Byte position in the row.
        at: usize,
        /// Description of the expected value.
        what: &'static str,
        /// The value found.
        found: u64,
    },
    /// Text that is not UTF-8.
    #[error("row byte {at}: expected UTF-8 text")]
    Text {
        /// Byte position in the row.
        at: usize,
    },
}

/// Appends a record's fields to a row.
#[derive(Debug)]
pub struct Encoder<'a> {
    /// Free space of a bounded row; empty for a growing row.
    room: &'a mut [u8],
    /// Bytes that `room` had at first.
    room_bytes: usize,
    /// Bytes that did not fit into `room`.
    missing_bytes: usize,
    growing: Option<&'a mut Vec<u8>>,
}

impl<'a> Encoder<'a> {
    /// Creates an encoder that appends to `row`.
    #[inline]
    pub fn new(row: &'a mut Vec<u8>) -> Self {
        Self { room: &mut [], room_bytes: 0, missing_bytes: 0, growing: Some(row) }
    }

    /// Creates an encoder that fills `room` from its beginning. Bytes that do not fit are counted, not stored.
    #[inline]
    pub fn bounded(room: &'a mut [u8]) -> Self {
        Self { room_bytes: room.len(), room, missing_bytes: 0, growing: None }
    }

    /// Returns the size of the row in bytes, including the bytes before the first value of this encoder. For a bounded
    /// row, includes the bytes that did not fit.
    #[inline]
    pub fn end(&self) -> usize {
        match &self.growing {
            Some(row) => row.len(),
            None => (self.room_bytes - self.room.len()).saturating_add(self.missing_bytes),
        }
    }

    /// Size of a bounded row in bytes, or `None` if some bytes did not fit.
    #[inline]
    pub fn whole(&self) -> Option<usize> {
        (self.missing_bytes == 0).then(|| self.room_bytes - self.room.len())
    }

    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.room.len() >= N {
            let (place, rest) = std::mem::take(&mut self.room).split_at_mut(N);
            place.copy_from_slice(&bytes);
            self.room = rest;
        } else {
            let word = u64::from_le_bytes(std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0)));
            let (room, growing) = (std::mem::take(&mut self.room), self.growing.as_deref_mut());
            self.missing_bytes = self.missing_bytes.saturating_add(put_beyond_room(room, growing, word, N));
        }
    }

    #[inline]
    fn put_bytes(&mut self, bytes: &[u8]) {
        if self.room.len() >= bytes.len() {
            let (place, rest) = std::mem::take(&mut self.room).split_at_mut(bytes.len());
            place.copy_from_slice(bytes);
            self.room = rest;
        } else if let Some(row) = &mut self.growing {
            row.extend_from_slice(bytes);
        } else {
            // The room is used up: a later value that would fit must not be stored after a gap.
            let left_bytes = std::mem::take(&mut self.room).len();
            self.missing_bytes = self.missing_bytes.saturating_add(bytes.len() - left_bytes);
        }
    }

    /// Appends fields that are in row form already.
    pub fn raw(&mut self, row: &[u8]) {
        self.put_bytes(row);
    }

    /// Appends 8-byte numbers, little endian, with a single bounds check.
    #[inline]
    pub fn u64s<const N: usize>(&mut self, values: [u64; N]) {
        self.put_bytes(values.map(u64::to_le_bytes).as_flattened());
    }

    /// Appends one byte.
    #[inline]
    pub fn u8(&mut self, value: u8) {
        self.put([value]);
    }

    /// Appends two bytes, little endian.
    #[inline]
    pub fn u16(&mut self, value: u16) {
        self.put(value.to_le_bytes());
    }

    /// Appends four bytes, little endian.
    #[inline]
    pub fn u32(&mut self, value: u32) {
        self.put(value.to_le_bytes());
    }

    /// Appends eight bytes, little endian.
    #[inline]
    pub fn u64(&mut self, value: u64) {
        self.put(value.to_le_bytes());
    }

    /// Appends a count of list elements. A list longer than `u32::MAX` cannot be described to Direct3D; its count
    /// saturates, and the decoder reports the surplus.
    pub fn count(&mut self, value: usize) {
        self.u32(u32::try_from(value).unwrap_or(u32::MAX));
    }

    /// Appends a length and that many bytes.
    pub fn bytes(&mut self, value: &[u8]) {
        self.count(value.len());
        self.put_bytes(value);
    }
}

/// Appends the lowest `bytes` bytes of a word to a growing row, and returns 0. For a bounded row, returns the number of
/// bytes that exceed the remaining space. The arguments are passed by value, so that an encoder can stay in registers if
/// all values fit.
fn put_beyond_room(room: &mut [u8], growing: Option<&mut Vec<u8>>, word: u64, bytes: usize) -> usize {
    match growing {
        Some(row) => {
            row.extend_from_slice(&word.to_le_bytes()[..bytes.min(8)]);
            0
        }
        None => bytes.saturating_sub(room.len()),
    }
}

/// Reads a record's fields from a row.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    row: &'a [u8],
    at: usize,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder at the row's first byte.
    #[inline]
    pub fn new(row: &'a [u8]) -> Self {
        Self { row, at: 0 }
    }

    /// Byte position in the row.
    #[inline]
    pub fn position(&self) -> usize {
        self.at
    }

    #[inline]
    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], CodecError> {
        match self.row[self.at..].first_chunk::<N>() {
            Some(bytes) => {
                self.at += N;
                Ok(*bytes)
            }
            None => Err(self.short(what, N)),
        }
    }

    #[cold]
    fn short(&self, what: &'static str, wanted_bytes: usize) -> CodecError {
        CodecError::Short { at: self.at, what, wanted_bytes, left_bytes: self.row.len() - self.at }
    }

    /// Reads one byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, CodecError> {
        Ok(u8::from_le_bytes(self.take("an 8-bit value")?))
    }

    /// Reads two bytes, little endian.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, CodecError> {
        Ok(u16::from_le_bytes(self.take("a 16-bit value")?))
    }

    /// Reads four bytes, little endian.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, CodecError> {
        Ok(u32::from_le_bytes(self.take("a 32-bit value")?))
    }

    /// Reads eight bytes, little endian.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, CodecError> {
        Ok(u64::from_le_bytes(self.take("a 64-bit value")?))
    }

    /// Reads a count of elements of at least `min_element_bytes` each and checks that the row can hold them, so
    /// that nothing is allocated on a count that cannot be true.
    #[inline]
    pub fn count(&mut self, min_element_bytes: usize) -> Result<usize, CodecError> {
        let count = self.u32()? as usize;
        let wanted_bytes = count.saturating_mul(min_element_bytes.max(1));
        if wanted_bytes > self.row.len() - self.at {
            return Err(self.short("list elements", wanted_bytes));
        }
        Ok(count)
    }

    /// Reads a length and that many bytes.
    #[inline]
    pub fn bytes(&mut self) -> Result<&'a [u8], CodecError> {
        let length = self.count(1)?;
        self.raw(length)
    }

    /// Reads `length` bytes that are in row form.
    #[inline]
    pub fn raw(&mut self, length: usize) -> Result<&'a [u8], CodecError> {
        let Some(bytes) = self.row[self.at..].get(..length) else { return Err(self.short("a field", length)) };
        self.at += length;
        Ok(bytes)
    }

    /// Checks that the row has been read to its end.
    #[inline]
    pub fn finish(&self) -> Result<(), CodecError> {
        match self.row.len() - self.at {
            0 => Ok(()),
            left_bytes => Err(CodecError::Long { at: self.at, left_bytes }),
        }
    }
}
