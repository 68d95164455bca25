//! Projected handles for other numbers of deferred contexts, with command lists distributed round-robin.

/// Numbers of contexts.
pub(crate) const CONTEXT_COUNTS: [u32; 5] = [1, 2, 4, 8, 16];

/// Handles and bytes for each number of contexts.
#[derive(Debug, Clone, Default)]
pub(super) struct ContextScaling {
    recordings: u64,
    /// Handles and bytes.
    pub sums: [(u64, u64); CONTEXT_COUNTS.len()],
}

impl ContextScaling {
    /// Begins the next recording.
    pub fn next(&mut self) {
        self.recordings += 1;
    }

    /// Counts an object of `size_bytes` bytes that the current recording opens. `distributed` has a bit for each context
    /// that has opened the object, over all of [`CONTEXT_COUNTS`].
    pub fn on_open(&mut self, distributed: &mut u32, size_bytes: u64) {
        let mut first = 0;
        for (contexts, sum) in CONTEXT_COUNTS.into_iter().zip(&mut self.sums) {
            let context = (self.recordings.saturating_sub(1) % u64::from(contexts)) as u32;
            let bit = 1 << (first + context);
            if *distributed & bit == 0 {
                *distributed |= bit;
                *sum = (sum.0 + 1, sum.1.saturating_add(size_bytes));
            }
            first += contexts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn round_robin_contexts_open_each_object_of_their_lists_once(
            lists in prop::collection::vec(prop::collection::vec(0_usize..6, 0..6), 0..40),
        ) {
            let mut context_scaling = ContextScaling::default();
            let mut distributed = [0_u32; 6];
            for list in &lists {
                context_scaling.next();
                list.iter().for_each(|object| context_scaling.on_open(&mut distributed[*object], 10 + *object as u64));
            }
            for (contexts, found) in CONTEXT_COUNTS.into_iter().zip(context_scaling.sums) {
                let numbered = lists.iter().enumerate();
                let open: BTreeSet<(usize, usize)> = numbered
                    .flat_map(|(number, list)| list.iter().map(move |object| (number % contexts as usize, *object)))
                    .collect();
                let bytes: u64 = open.iter().map(|(_, object)| 10 + *object as u64).sum();
                prop_assert_eq!(found, (open.len() as u64, bytes));
            }
        }
    }
}
