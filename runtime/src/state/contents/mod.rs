//! Known contents of resources and results of queries: a pure model of GPU work. No recorded event depends on it.

mod saved;

use super::work::{Content, ContextWork, DrawEffect};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{D3d11QueryId, D3d11ResourceId, QueryType};

/// Known contents of a context's resources, and its queries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contents {
    /// Known contents; never [`Content::Unknown`].
    resources: BTreeMap<D3d11ResourceId, Content>,
    /// Results of queries that have ended.
    found: BTreeMap<D3d11QueryId, u64>,
    /// Running queries with their counts. Every draw visits these, so ended queries are not among them.
    counting: BTreeMap<D3d11QueryId, u64>,
    predicate: Option<(D3d11QueryId, bool)>,
    /// Queries that were issued since the last submission.
    unsubmitted: BTreeSet<D3d11QueryId>,
}

impl Contents {
    /// Returns the contents of a resource; [`Content::Unknown`] if no contents are stored.
    pub fn get(&self, resource: D3d11ResourceId) -> Content {
        self.resources.get(&resource).cloned().unwrap_or(Content::Unknown)
    }

    /// Sets the contents of a resource. Unknown contents are not stored.
    pub fn set(&mut self, resource: D3d11ResourceId, content: Content) {
        match content {
            Content::Unknown => drop(self.resources.remove(&resource)),
            known => drop(self.resources.insert(resource, known)),
        }
    }

    /// Result of a query; `None` if it was not issued.
    pub fn found(&self, query: D3d11QueryId) -> Option<u64> {
        self.found.get(&query).copied()
    }

    /// True if the query was issued and not submitted yet.
    pub fn is_unsubmitted(&self, query: D3d11QueryId) -> bool {
        self.unsubmitted.contains(&query)
    }

    /// Submits all work so far; the GPU has completed it at the next query.
    pub fn submit(&mut self) {
        self.unsubmitted.clear();
    }

    /// Applies an operation; a list's operations in order.
    pub fn apply(&mut self, work: &ContextWork) {
        let ContextWork::List(_, list) = work else { return self.apply_one(work) };
        // Rule H-66: a list starts with the default state. The caller's predicate is restored after the list.
        let mut open = vec![(list.iter(), self.predicate.take())];
        while let Some((works, outside)) = open.last_mut() {
            match works.next() {
                Some(ContextWork::List(_, nested)) => open.push((nested.iter(), self.predicate.take())),
                Some(work) => self.apply_one(work),
                None => {
                    self.predicate = *outside;
                    open.pop();
                }
            }
        }
    }

    fn apply_one(&mut self, work: &ContextWork) {
        match work {
            ContextWork::Fill { resource, content } if !self.skips() => self.set(*resource, content.clone()),
            ContextWork::Copy { destination, source } if !self.skips() => self.set(*destination, self.get(*source)),
            ContextWork::Draw(effect) if !self.skips() => self.draw(effect),
            ContextWork::Fill { .. } | ContextWork::Copy { .. } | ContextWork::Draw(_) => {}
            ContextWork::QueryBegin(query) => {
                self.found.remove(query);
                self.counting.insert(*query, 0);
            }
            ContextWork::QueryEnd(query, kind) => self.end(*query, *kind),
            ContextWork::Predicate(query, value) => self.predicate = Some((*query, *value)).filter(|_| query.0 != 0),
            ContextWork::List(..) => {}
        }
    }

    /// True if the predicate's result suppresses drawing.
    fn skips(&self) -> bool {
        let Some((query, value)) = self.predicate else { return false };
        self.found(query).is_some_and(|found| (found != 0) == value)
    }

    fn draw(&mut self, effect: &DrawEffect) {
        let Some(target) = effect.target else { return };
        // Occlusion queries count samples even if the draw writes no channel.
        self.counting.values_mut().for_each(|samples| *samples = samples.saturating_add(effect.samples));
        let before = self.get(target);
        let after = match (&before, effect.colour) {
            _ if effect.samples == 0 || effect.write_mask == 0 => before,
            (Content::Colour(old), Some(new)) if effect.covers => {
                let written = |channel: usize| effect.write_mask >> channel & 1 == 1;
                let channel = |channel: usize| if written(channel) { new[channel] } else { old[channel] };
                Content::Colour(std::array::from_fn(channel))
            }
            // 15 is D3D11_COLOR_WRITE_ENABLE_ALL: old contents do not matter if every channel is written.
            (_, Some(new)) if effect.covers && effect.write_mask == 15 => Content::Colour(new),
            _ => Content::Unknown,
        };
        self.set(target, after);
    }

    fn end(&mut self, query: D3d11QueryId, kind: QueryType) {
        self.unsubmitted.insert(query);
        let samples = self.counting.remove(&query).unwrap_or_default();
        let found = match kind {
            QueryType::EVENT => 1,
            QueryType::OCCLUSION => samples,
            kind if kind.is_predicate() => u64::from(samples > 0),
            _ => 0,
        };
        self.found.insert(query, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use taut_schemas::D3d11CommandListId;

    const TARGET: D3d11ResourceId = D3d11ResourceId(1);
    const QUERY: D3d11QueryId = D3d11QueryId(2);
    const LIST: D3d11CommandListId = D3d11CommandListId(3);

    fn drawn(colour: [u32; 4], write_mask: u32) -> ContextWork {
        ContextWork::Draw(DrawEffect {
            target: Some(TARGET),
            colour: Some(colour),
            write_mask,
            covers: true,
            samples: 12,
        })
    }

    proptest! {
        #[test]
        fn a_covering_draw_writes_the_masked_channels(
            old: [u32; 4], new: [u32; 4], write_mask in 0..16_u32,
        ) {
            let mut contents = Contents::default();
            contents.set(TARGET, Content::Colour(old));
            contents.apply(&drawn(new, write_mask));
            let expected = std::array::from_fn(|at| if write_mask & (1 << at) != 0 { new[at] } else { old[at] });
            prop_assert_eq!(contents.get(TARGET), Content::Colour(expected));
        }

        #[test]
        fn a_list_does_what_its_calls_do(colours: Vec<[u32; 4]>) {
            let works: Vec<_> = colours.iter().map(|colour| drawn(*colour, 15)).collect();
            let (mut one_by_one, mut at_once) = (Contents::default(), Contents::default());
            works.iter().for_each(|work| one_by_one.apply(work));
            at_once.apply(&ContextWork::List(LIST, works.into()));
            prop_assert_eq!(one_by_one.get(TARGET), at_once.get(TARGET));
        }

        /// Compares with a direct evaluation of the steps.
        #[test]
        fn a_query_counts_draws_since_its_begin(
            steps in prop::collection::vec((0_u64..2, 0_u32..3), 0..30),
        ) {
            let mut contents = Contents::default();
            for (query, step) in &steps {
                contents.apply(&match step {
                    0 => ContextWork::QueryBegin(D3d11QueryId(*query)),
                    1 => ContextWork::QueryEnd(D3d11QueryId(*query), QueryType::OCCLUSION),
                    _ => drawn([0; 4], 15),
                });
            }
            for query in 0..2 {
                let last = steps.iter().rposition(|one| one.0 == query && one.1 < 2);
                let ended = last.filter(|last| steps[*last].1 == 1);
                let expected = ended.map(|ended| {
                    // Draws count from Begin on only; an End without a Begin gives 0.
                    let begun = steps[..ended].iter().rposition(|one| one.0 == query && one.1 < 2);
                    let begun = begun.filter(|begun| steps[*begun] == (query, 0));
                    begun.map_or(0, |begun| 12 * steps[begun..ended].iter().filter(|one| one.1 == 2).count() as u64)
                });
                prop_assert_eq!(contents.found(D3d11QueryId(query)), expected);
            }
        }
    }

    /// A record of unknown contents would be restored as no bytes.
    #[test]
    fn unknown_contents_are_not_stored() {
        let mut contents = Contents::default();
        contents.set(TARGET, Content::bytes(&[1, 2]));
        contents.set(TARGET, Content::Unknown);
        assert!(contents.resources.is_empty());
        contents.apply(&ContextWork::Fill { resource: TARGET, content: Content::Unknown });
        assert!(contents.resources.is_empty());
        let empty = Content::bytes(&[]);
        let (colour, bytes) = empty.save();
        assert_eq!(Content::restore(colour, bytes), Some(empty));
    }

    #[test]
    fn a_query_counts_from_begin_to_end() {
        let mut contents = Contents::default();
        contents.apply(&drawn([0; 4], 15));
        assert_eq!(contents.found(QUERY), None);
        contents.apply(&ContextWork::QueryBegin(QUERY));
        contents.apply(&drawn([0; 4], 15));
        assert_eq!(contents.found(QUERY), None);
        contents.apply(&ContextWork::QueryEnd(QUERY, QueryType::OCCLUSION));
        contents.apply(&drawn([0; 4], 15));
        assert_eq!(contents.found(QUERY), Some(12));
    }

    #[test]
    fn draws_are_skipped_if_the_predicate_matches() {
        let mut contents = Contents::default();
        contents.apply(&ContextWork::QueryEnd(QUERY, QueryType::OCCLUSION_PREDICATE));
        contents.apply(&drawn([1; 4], 15));
        contents.apply(&ContextWork::Predicate(QUERY, false));
        contents.apply(&drawn([2; 4], 15));
        assert_eq!(contents.get(TARGET), Content::Colour([1; 4]));
        contents.apply(&ContextWork::Predicate(QUERY, true));
        contents.apply(&drawn([3; 4], 15));
        assert_eq!(contents.get(TARGET), Content::Colour([3; 4]));
    }
}
