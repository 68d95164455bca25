//! Plain LZ77 of XPRESS (MS-XCA 2.4), the only compression seen in trace files.

use crate::bytes::{u16_at, u32_at};

/// Bytes of a copy that is a load and a store.
const SHORT: usize = 16;

/// Reason why a block cannot be decompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum XpressError {
    #[error("{written} bytes of output where the input ends, of {expected}")]
    InputEnds { written: usize, expected: usize },
    #[error("a match {distance} bytes back at output byte {written}")]
    MatchBeforeStart { distance: usize, written: usize },
    #[error("a match of {length} bytes at output byte {written} of {expected}")]
    OutputEnds { length: usize, written: usize, expected: usize },
}

/// Decompresses `input` into the whole of `output`, whose length is that of the content. Input after the last byte of
/// the output is ignored.
pub fn decompress(input: &[u8], output: &mut [u8]) -> Result<(), XpressError> {
    let mut state = State { input, at: 0, nibble: None };
    let (mut written, mut flags, mut flag_count) = (0, 0_u32, 0);
    while written < output.len() {
        let ends = XpressError::InputEnds { written, expected: output.len() };
        if flag_count == 0 {
            flags = state.u32().ok_or(ends)?;
            flag_count = 32;
        }
        // Literals up to the next match: clear bits from the highest one down.
        let clear = (flags << (32 - flag_count)).leading_zeros().min(flag_count);
        if clear > 0 {
            let copied = state.literals(&mut output[written..], clear as usize).ok_or(ends)?;
            written += copied;
            flag_count -= copied as u32;
            continue;
        }
        flag_count -= 1;
        let found = state.u16().ok_or(ends)?;
        let distance = usize::from(found >> 3) + 1;
        let length = state.length(found & 7).ok_or(ends)?;
        if distance > written {
            return Err(XpressError::MatchBeforeStart { distance, written });
        }
        if length > output.len() - written {
            return Err(XpressError::OutputEnds { length, written, expected: output.len() });
        }
        copy_match(output, written, distance, length);
        written += length;
    }
    Ok(())
}

/// Copies `length` bytes from `distance` before `written`. May also change the bytes after them, which are not written
/// yet.
#[inline]
fn copy_match(output: &mut [u8], written: usize, distance: usize, length: usize) {
    let (before, rest) = output.split_at_mut(written);
    if distance >= length {
        let source = &before[written - distance..];
        // Most matches are short: a copy of constant size is a load and a store.
        match (source.first_chunk::<SHORT>(), rest.first_chunk_mut::<SHORT>()) {
            (Some(from), Some(to)) if length <= SHORT => *to = *from,
            _ => rest[..length].copy_from_slice(&source[..length]),
        }
        return;
    }
    // Source and target overlap: the bytes before repeat.
    if length <= SHORT {
        (written..written + length).for_each(|at| output[at] = output[at - distance]);
        return;
    }
    // Each copy is as long as all before it.
    output.copy_within(written - distance..written, written);
    let (from, mut copied) = (written, distance);
    while copied < length {
        let part = copied.min(length - copied);
        output.copy_within(from..from + part, from + copied);
        copied += part;
    }
}

struct State<'a> {
    input: &'a [u8],
    at: usize,
    /// Position of a byte whose high half is the next extra length.
    nibble: Option<usize>,
}

impl State<'_> {
    /// Copies up to `count` bytes to the start of `output`, as many as both have, and returns their number. `None` if the
    /// input has none. May also change the bytes after them.
    #[inline]
    fn literals(&mut self, output: &mut [u8], count: usize) -> Option<usize> {
        let input = self.input.get(self.at..)?;
        let count = count.min(output.len()).min(input.len());
        match (input.first_chunk::<SHORT>(), output.first_chunk_mut::<SHORT>()) {
            (Some(from), Some(to)) if count <= SHORT => *to = *from,
            _ => output[..count].copy_from_slice(&input[..count]),
        }
        self.at += count;
        (count > 0).then_some(count)
    }

    fn u8(&mut self) -> Option<u8> {
        let byte = *self.input.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn u16(&mut self) -> Option<u16> {
        let value = u16_at(self.input, self.at)?;
        self.at += 2;
        Some(value)
    }

    fn u32(&mut self) -> Option<u32> {
        let value = u32_at(self.input, self.at)?;
        self.at += 4;
        Some(value)
    }

    /// Length of a match whose low bits are `low`, with the extra bytes that follow.
    fn length(&mut self, low: u16) -> Option<usize> {
        if low < 7 {
            return Some(usize::from(low) + 3);
        }
        let half = match self.nibble.take() {
            Some(at) => self.input[at] >> 4,
            None => {
                self.nibble = Some(self.at);
                self.u8()? & 15
            }
        };
        if half < 15 {
            return Some(usize::from(half) + 7 + 3);
        }
        let byte = self.u8()?;
        if byte < 255 {
            return Some(usize::from(byte) + 15 + 7 + 3);
        }
        let long = match self.u16()? {
            0 => usize::try_from(self.u32()?).ok()?,
            short => usize::from(short),
        };
        // A long length replaces the sum: it includes the 15 + 7 of the short forms.
        long.checked_sub(22)?.checked_add(15 + 7 + 3)
    }
}
