//! What other numbers of contexts would hold, were the lists dealt to them in turn.

/// Numbers of contexts.
pub(crate) const DEALT_TO: [u32; 5] = [1, 2, 4, 8, 16];

/// Handles and bytes, for each number of contexts.
#[derive(Debug, Clone, Default)]
pub(super) struct Dealing {
    recordings: u64,
    /// Handles and bytes.
    pub sums: [(u64, u64); DEALT_TO.len()],
}

impl Dealing {
    /// The next recording begins.
    pub fn next(&mut self) {
        self.recordings += 1;
    }

    /// The recording that began last opens an object of so many bytes; `dealt` has a bit for each context that has had it open.
    pub fn opens(&mut self, dealt: &mut u32, size_bytes: u64) {
        let mut first = 0;
        for (contexts, sum) in DEALT_TO.into_iter().zip(&mut self.sums) {
            let context = (self.recordings.saturating_sub(1) % u64::from(contexts)) as u32;
            let bit = 1 << (first + context);
            if *dealt & bit == 0 {
                *dealt |= bit;
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
        fn dealt_in_turn_each_context_has_what_its_lists_open_once(
            lists in prop::collection::vec(prop::collection::vec(0_usize..6, 0..6), 0..40),
        ) {
            let mut dealing = Dealing::default();
            let mut dealt = [0_u32; 6];
            for list in &lists {
                dealing.next();
                list.iter().for_each(|object| dealing.opens(&mut dealt[*object], 10 + *object as u64));
            }
            for (contexts, found) in DEALT_TO.into_iter().zip(dealing.sums) {
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
