//! A context's DDI function table, as the driver filled it.

use taut_schemas::FunctionTable;

/// Filled slots, ascending. Functions of other slots cannot be called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Table(Vec<u32>);

impl Table {
    pub fn new(filled: &FunctionTable) -> Table {
        let mut slots = filled.slots.clone();
        slots.sort_unstable();
        Table(slots)
    }

    /// The filled slots.
    pub fn slots(&self) -> &[u32] {
        &self.0
    }

    /// True if the driver filled the slot.
    pub fn has(&self, slot: u32) -> bool {
        self.0.binary_search(&slot).is_ok()
    }
}
