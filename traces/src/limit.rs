//! What a file may hold at most. Readers check these before they allocate; FORMAT.md lists them.

/// Size of the header's text, inflated, in bytes.
pub(crate) const HEADER_BYTES: usize = 4 << 20;

/// Size of the head of a block of an unknown kind, in bytes.
pub(crate) const OTHER_HEAD_BYTES: usize = 1024;

/// Largest number of a slot in a schema table.
pub(crate) const LAST_SLOT: u16 = 0x0fff;

/// Records in a block.
pub(crate) const BLOCK_RECORDS: usize = 1 << 16;

/// Different event codes in a block: a record names its kind in one byte.
pub(crate) const BLOCK_KINDS: usize = 256;

/// Open calls that a block lists; of a deeper stack, the innermost.
pub(crate) const BLOCK_OPEN_CALLS: usize = 1024;

/// Columns of a block: one for each slot, the kinds and the stamps.
pub(crate) const BLOCK_COLUMNS: usize = LAST_SLOT as usize + 3;

/// Size of one record's row, in bytes. A larger one is counted as lost.
pub(crate) const ROW_BYTES: usize = 8 << 20;

/// Size of a block's rows before a writer closes it, in bytes.
pub(crate) const CLOSE_BLOCK_BYTES: usize = 8 << 20;

/// Size of a block's rows, in bytes: it was not yet to be closed, and took one more row.
pub(crate) const BLOCK_ROW_BYTES: usize = CLOSE_BLOCK_BYTES + ROW_BYTES;
