//! Reader of format version 0, which is no longer written; described in FORMAT-0.md.

pub(crate) mod block_head;
pub(crate) mod footer;
