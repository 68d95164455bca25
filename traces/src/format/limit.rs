//! Size limits of a file. Readers check them before they allocate; FORMAT.md lists them.

/// Max size of the header's text, inflated, in bytes.
pub(crate) const HEADER_BYTES: usize = 4 << 20;

/// Max size of the head of a block of an unknown kind, in bytes.
pub(crate) const OTHER_HEAD_BYTES: usize = 1024;

/// Max slot number in a schema table.
pub(crate) const LAST_SLOT: u16 = 0x0fff;

/// Max number of records in a block.
pub(crate) const BLOCK_RECORDS: usize = 1 << 16;

/// Max number of event codes in a block: a record names its kind in one byte.
pub(crate) const BLOCK_KINDS: usize = 256;

/// Max number of open calls that a block lists; of a deeper stack, the innermost.
pub(crate) const BLOCK_OPEN_CALLS: usize = 1024;

/// Max number of columns of a block: one for each slot, the kinds and the stamps.
pub(crate) const BLOCK_COLUMNS: usize = LAST_SLOT as usize + 3;

/// Max size of one record's row, in bytes. A larger one is counted as lost.
pub(crate) const ROW_BYTES: usize = 8 << 20;

/// Size of a block's rows at which a writer closes it, in bytes.
pub(crate) const CLOSE_BLOCK_BYTES: usize = 8 << 20;

/// Max size of a block's rows, in bytes: a block just below the closing size takes one more row.
pub(crate) const BLOCK_ROW_BYTES: usize = CLOSE_BLOCK_BYTES + ROW_BYTES;
