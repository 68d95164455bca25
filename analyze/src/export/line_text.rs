//! A buffer for the text of lines, either in memory or flushed when it is long.

use std::io::{self, Write};

/// Size from which on the buffer is flushed, in bytes.
const LONG_BYTES: usize = 1 << 20;

/// A buffer for the text of lines.
pub(super) struct LineText<'o> {
    pub bytes: Vec<u8>,
    out: Option<&'o mut dyn Write>,
    error: Option<io::Error>,
}

impl<'o> LineText<'o> {
    /// Creates a buffer that stays in memory.
    pub fn in_memory() -> LineText<'o> {
        LineText { bytes: Vec::new(), out: None, error: None }
    }

    /// Creates a buffer that is flushed to `out`.
    pub fn written_to(out: &'o mut dyn Write) -> LineText<'o> {
        LineText { bytes: Vec::new(), out: Some(out), error: None }
    }

    /// To be called after each value: flushes a long text.
    #[inline]
    pub fn spill(&mut self) {
        if self.bytes.len() >= LONG_BYTES {
            self.write_out();
        }
    }

    #[cold]
    fn write_out(&mut self) {
        let Some(out) = &mut self.out else { return };
        if self.error.is_none() {
            self.error = out.write_all(&self.bytes).err();
        }
        self.bytes.clear();
        self.bytes.shrink_to(LONG_BYTES);
    }

    /// Returns the text in memory.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Flushes the rest.
    ///
    /// # Errors
    /// Writing failed, now or before.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_out();
        self.error.map_or(Ok(()), Err)
    }
}
