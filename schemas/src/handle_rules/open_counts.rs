//! How many handles live in each context, so that nobody has to go through all of them for it.

use crate::id::D3d11ContextId;
use std::collections::BTreeMap;

/// By context; one without any has no entry.
#[derive(Debug, Default)]
pub(super) struct OpenCounts(BTreeMap<D3d11ContextId, usize>);

impl OpenCounts {
    /// One more lives in a context.
    pub fn add(&mut self, context: D3d11ContextId) {
        *self.0.entry(context).or_default() += 1;
    }

    /// One fewer.
    pub fn remove(&mut self, context: D3d11ContextId) {
        if let Some(count) = self.0.get_mut(&context) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(&context);
            }
        }
    }

    /// How many live in it.
    pub fn of(&self, context: D3d11ContextId) -> usize {
        self.0.get(&context).copied().unwrap_or_default()
    }
}
