//! Simulated address space, and tables by dense id.

pub(crate) mod buffer_map;
pub(crate) mod context_memory;
pub mod effect;
pub(crate) mod free_ranges;
pub(crate) mod slots;
pub(crate) mod space;
