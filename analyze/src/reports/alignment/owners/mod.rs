//! Whose memory it is at the peak: by name, part of the workload, heap, heap type and format.

mod figures;
mod name_tree;
mod tree;

pub use figures::{Owner, Owners};
pub(super) use tree::OwnerNode;
