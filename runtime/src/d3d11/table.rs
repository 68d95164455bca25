//! A context's table of functions, as its driver filled it.

use taut_schemas::FunctionTable;

/// The slots that are filled, ascending. What is not there cannot be called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Table(Vec<u32>);

impl Table {
    pub fn new(filled: &FunctionTable) -> Table {
        let mut slots = filled.slots.clone();
        slots.sort_unstable();
        Table(slots)
    }

    /// The slots that are filled.
    pub fn slots(&self) -> &[u32] {
        &self.0
    }

    /// Whether a slot is filled.
    pub fn has(&self, slot: u32) -> bool {
        self.0.binary_search(&slot).is_ok()
    }
}
