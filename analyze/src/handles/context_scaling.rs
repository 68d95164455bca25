//! Projected handles for other numbers of deferred contexts.
//!
//! Recordings remain together as far as possible: with fewer contexts, recorded contexts are merged; with more, the
//! recordings of a context are distributed round-robin over its share. The projection for the recorded number is
//! therefore the recording.

/// Numbers of contexts.
pub(crate) const CONTEXT_COUNTS: [u32; 5] = [1, 2, 4, 8, 16];
/// Number of columns: one for each recorded number of contexts. More contexts than the max are only merged, for which
/// their number does not matter.
const COLUMNS: usize = 16;

/// Projected handles and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ProjectedHandles {
    pub handles: u64,
    pub bytes: u64,
    /// Handles and bytes if each recording goes to another context.
    pub max_handles: u64,
    pub max_bytes: u64,
}

/// Contexts that would open an object, as bits: for each recorded number of contexts, over all of [`CONTEXT_COUNTS`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ProjectedContexts {
    bits: [u32; COLUMNS],
    openings: u32,
}

/// Place of a recording: index of its context among those of the device, and its index among the context's recordings.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordingPlace {
    pub context: u32,
    pub recording: u64,
}

impl RecordingPlace {
    /// Index of the projected context, of `contexts`, if `recorded` ones were recorded. `None` if this one contradicts
    /// that number.
    fn projected(self, recorded: u32, contexts: u32) -> Option<u32> {
        let RecordingPlace { context, recording } = self;
        if recorded as usize == COLUMNS || contexts <= recorded {
            let is_possible = recorded as usize == COLUMNS || context < recorded;
            return is_possible.then_some(context % contexts);
        }
        let share = (contexts - 1).checked_sub(context).filter(|_| context < recorded)? / recorded + 1;
        Some(context + recorded * (recording % u64::from(share)) as u32)
    }
}

/// Projection of one device's handles.
#[derive(Debug, Clone, Default)]
pub(super) struct ContextScaling {
    /// Number of deferred contexts that have opened an object.
    pub recorded: u32,
    /// Handles and bytes for each recorded number of contexts.
    sums: [[(u64, u64); CONTEXT_COUNTS.len()]; COLUMNS],
    max: [(u64, u64); CONTEXT_COUNTS.len()],
}

impl ContextScaling {
    /// Adds a deferred context. Returns its index.
    pub fn add_context(&mut self) -> u32 {
        self.recorded += 1;
        self.recorded - 1
    }

    /// Counts the opening of an object of `size_bytes` bytes.
    pub fn on_open(&mut self, place: RecordingPlace, object: &mut ProjectedContexts, size_bytes: u64) {
        let add = |sum: &mut (u64, u64)| *sum = (sum.0 + 1, sum.1.saturating_add(size_bytes));
        object.openings = object.openings.saturating_add(1);
        for (contexts, max) in CONTEXT_COUNTS.into_iter().zip(&mut self.max) {
            if object.openings <= contexts {
                add(max);
            }
        }
        for (recorded, (bits, sums)) in (1..).zip(object.bits.iter_mut().zip(&mut self.sums)) {
            let mut first = 0;
            for (contexts, sum) in CONTEXT_COUNTS.into_iter().zip(sums) {
                if let Some(context) = place.projected(recorded, contexts) {
                    let bit = 1 << (first + context);
                    if *bits & bit == 0 {
                        *bits |= bit;
                        add(sum);
                    }
                }
                first += contexts;
            }
        }
    }

    /// Handles and bytes for each of [`CONTEXT_COUNTS`].
    pub fn projected(&self) -> [ProjectedHandles; CONTEXT_COUNTS.len()] {
        let column = (self.recorded.max(1) as usize).min(COLUMNS) - 1;
        std::array::from_fn(|row| {
            let ((handles, bytes), (max_handles, max_bytes)) = (self.sums[column][row], self.max[row]);
            ProjectedHandles { handles, bytes, max_handles, max_bytes }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Distinct pairs of context and object, and their bytes.
    fn open(lists: impl Iterator<Item = (u32, Vec<usize>)>) -> (u64, u64) {
        let open: BTreeSet<(u32, usize)> =
            lists.flat_map(|(context, list)| list.into_iter().map(move |object| (context, object))).collect();
        (open.len() as u64, open.iter().map(|(_, object)| 10 + *object as u64).sum())
    }

    proptest! {
        /// The projection for the recorded number of contexts is the recording; fewer contexts are merged, more ones
        /// split the recordings of each, and no number exceeds the bound.
        #[test]
        fn projected_contexts_keep_the_recordings_of_each_together(
            recorded in 1_u32..20,
            lists in prop::collection::vec((0_u32..20, prop::collection::vec(0_usize..6, 0..6)), 0..40),
        ) {
            let mut scaling = ContextScaling::default();
            let mut objects = [ProjectedContexts::default(); 6];
            let mut recordings = vec![0_u64; recorded as usize];
            (0..recorded).for_each(|_| { scaling.add_context(); });
            let mut placed = Vec::new();
            for (context, list) in &lists {
                let (context, distinct) = (context % recorded, list.iter().copied().collect::<BTreeSet<_>>());
                let recording = recordings[context as usize];
                recordings[context as usize] += 1;
                for object in &distinct {
                    scaling.on_open(RecordingPlace { context, recording }, &mut objects[*object], 10 + *object as u64);
                }
                placed.push((context, recording, distinct.into_iter().collect::<Vec<_>>()));
            }
            for (contexts, found) in CONTEXT_COUNTS.into_iter().zip(scaling.projected()) {
                let place = |(context, recording, list): &(u32, u64, Vec<usize>)| {
                    // Contexts that share a residue divide the recordings of each.
                    let share: Vec<u32> = (0..contexts).filter(|one| one % recorded == *context).collect();
                    let of = if share.is_empty() || contexts <= recorded { context % contexts } else { share[(*recording % share.len() as u64) as usize] };
                    (of, list.clone())
                };
                let expected = open(placed.iter().map(place));
                prop_assert_eq!((found.handles, found.bytes), expected, "{} of {}", contexts, recorded);
                prop_assert!(found.handles <= found.max_handles && found.bytes <= found.max_bytes);
                if contexts == recorded {
                    let as_recorded = open(placed.iter().map(|(context, _, list)| (*context, list.clone())));
                    prop_assert_eq!((found.handles, found.bytes), as_recorded);
                }
            }
        }
    }
}
