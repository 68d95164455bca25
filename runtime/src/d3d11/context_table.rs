//! Contexts of a single-threaded runtime, without locks: for replay and tests.

use super::context_state::{ContextState, Contexts};
use std::collections::BTreeMap;
use taut_schemas::ObjectId;

/// Contexts by their ids; immediate contexts also by their devices' ids.
#[derive(Debug, Default)]
pub(crate) struct ContextTable {
    indices: BTreeMap<ObjectId, usize>,
    contexts: Vec<ContextState>,
    /// Stand-in for calls on a context that does not exist.
    absent: ContextState,
}

impl ContextTable {
    /// All contexts so far, including destroyed contexts.
    pub fn iter(&self) -> impl Iterator<Item = &ContextState> {
        self.contexts.iter()
    }

    /// The context of this id, or an absent one.
    pub fn get_mut(&mut self, id: ObjectId) -> &mut ContextState {
        match self.indices.get(&id) {
            Some(index) => &mut self.contexts[*index],
            None => {
                self.absent = ContextState::default();
                &mut self.absent
            }
        }
    }
}

impl Contexts for ContextTable {
    fn insert(&mut self, names: &[ObjectId], context: ContextState) {
        self.indices.extend(names.iter().map(|name| (*name, self.contexts.len())));
        self.contexts.push(context);
    }
}
