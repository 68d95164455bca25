//! Number of live handles per context, counted so that they need not be searched.

use crate::id::D3d11ContextId;
use std::collections::BTreeMap;

/// Counts by context; a context without handles has no entry.
#[derive(Debug, Default)]
pub(super) struct OpenCounts(BTreeMap<D3d11ContextId, usize>);

impl OpenCounts {
    /// Counts a new handle.
    pub fn add(&mut self, context: D3d11ContextId) {
        *self.0.entry(context).or_default() += 1;
    }

    /// Counts a destroyed handle.
    pub fn remove(&mut self, context: D3d11ContextId) {
        if let Some(count) = self.0.get_mut(&context) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(&context);
            }
        }
    }

    /// Number of live handles of a context.
    pub fn of(&self, context: D3d11ContextId) -> usize {
        self.0.get(&context).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn open_counts_equal_creations_minus_destructions(
            steps in prop::collection::vec((0_u64..3, any::<bool>()), 0..60),
        ) {
            let (mut counts, mut live) = (OpenCounts::default(), Vec::new());
            for (context, is_more) in steps {
                let context = D3d11ContextId(context);
                if is_more {
                    live.push(context);
                    counts.add(context);
                } else if let Some(place) = live.iter().position(|one| *one == context) {
                    live.swap_remove(place);
                    counts.remove(context);
                }
                let expected = live.iter().filter(|one| **one == context).count();
                prop_assert_eq!(counts.of(context), expected);
                prop_assert_eq!(counts.0.contains_key(&context), expected > 0);
            }
        }
    }
}
