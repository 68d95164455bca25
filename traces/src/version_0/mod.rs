//! How files of format version 0 say what those of version 1 say: read, and no longer written. FORMAT-0.md has it.

pub(crate) mod block_head;
pub(crate) mod footer;
