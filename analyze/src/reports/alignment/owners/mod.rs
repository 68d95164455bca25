//! Memory at the peak by name, phase, heap, heap type, format and scene node.

mod figures;
mod name_tree;
mod tree;

pub use figures::{Owner, Owners};
pub(super) use tree::OwnerNode;
