//! Layout of several resources one after another, like the members of a C struct (rules A-30 and A-31).

/// A layout in the making.
///
/// ```
/// use taut_runtime::placement::Aggregate;
///
/// let mut layout = Aggregate::default();
/// assert_eq!(layout.push(256, 256), Some(0));
/// assert_eq!(layout.push(2 << 20, 2 << 20), Some(2 << 20));
/// assert_eq!(layout.push(256, 256), Some(4 << 20));
/// assert_eq!((layout.size_bytes(), layout.alignment_bytes()), (Some(6 << 20), 2 << 20));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aggregate {
    end: u64,
    alignment: u64,
}

impl Default for Aggregate {
    fn default() -> Self {
        Aggregate { end: 0, alignment: 1 }
    }
}

impl Aggregate {
    /// Adds a resource of `size_bytes` at the next multiple of `alignment_bytes`, a power of two. Returns its offset in
    /// bytes; `None` if the end overflows 64 bits.
    pub fn push(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<u64> {
        let offset = self.end.checked_next_multiple_of(alignment_bytes.max(1))?;
        self.end = offset.checked_add(size_bytes)?;
        self.alignment = self.alignment.max(alignment_bytes);
        Some(offset)
    }

    /// Returns the total size in bytes: the end, rounded up to the alignment. `None` if it overflows 64 bits.
    pub fn size_bytes(&self) -> Option<u64> {
        self.end.checked_next_multiple_of(self.alignment)
    }

    /// Returns the total alignment in bytes: the maximum of all.
    pub fn alignment_bytes(&self) -> u64 {
        self.alignment
    }
}
