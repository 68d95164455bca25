//! Every context of a runtime that is under no lock: for replay and tests.

use super::context_state::{ContextState, Contexts};
use std::collections::BTreeMap;
use taut_schemas::ObjectId;

/// Contexts by their handles, the immediate ones by their devices' as well.
#[derive(Debug, Default)]
pub(crate) struct ContextTable {
    places: BTreeMap<ObjectId, usize>,
    contexts: Vec<ContextState>,
    /// What a call on no context is made on.
    absent: ContextState,
}

impl ContextTable {
    /// Every context there has been.
    pub fn iter(&self) -> impl Iterator<Item = &ContextState> {
        self.contexts.iter()
    }

    /// The context of this handle, or an absent one.
    pub fn get_mut(&mut self, id: ObjectId) -> &mut ContextState {
        match self.places.get(&id) {
            Some(place) => &mut self.contexts[*place],
            None => {
                self.absent = ContextState::default();
                &mut self.absent
            }
        }
    }
}

impl Contexts for ContextTable {
    fn insert(&mut self, names: &[ObjectId], context: ContextState) {
        self.places.extend(names.iter().map(|name| (*name, self.contexts.len())));
        self.contexts.push(context);
    }
}
