//! What resources hold and queries have found, as far as it is known: the effect of the graphics processor's work as a pure
//! value. Nothing that is recorded depends on it.

mod saved;

use super::work::{Content, DrawEffect, Work};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{D3d11QueryId, D3d11ResourceId, QueryType};

/// What is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contents {
    resources: BTreeMap<D3d11ResourceId, Content>,
    /// What queries that have ended have found.
    found: BTreeMap<D3d11QueryId, u64>,
    /// Queries that count, and what they have counted: every draw goes through these, so that those that have ended are not here.
    counting: BTreeMap<D3d11QueryId, u64>,
    predicate: Option<(D3d11QueryId, bool)>,
    /// Queries that were issued since work was last submitted.
    unsubmitted: BTreeSet<D3d11QueryId>,
}

impl Contents {
    /// What a resource holds.
    pub fn of(&self, resource: D3d11ResourceId) -> Content {
        self.resources.get(&resource).cloned().unwrap_or(Content::Unknown)
    }

    /// It holds this from now on.
    pub fn set(&mut self, resource: D3d11ResourceId, content: Content) {
        match content {
            Content::Unknown => drop(self.resources.remove(&resource)),
            known => drop(self.resources.insert(resource, known)),
        }
    }

    /// What a query has found; nothing if it has not been issued.
    pub fn found(&self, query: D3d11QueryId) -> Option<u64> {
        self.found.get(&query).copied()
    }

    /// It was issued, and the graphics processor has not got it yet.
    pub fn is_unsubmitted(&self, query: D3d11QueryId) -> bool {
        self.unsubmitted.contains(&query)
    }

    /// The graphics processor has got all that there is, and is done with it when it is asked next.
    pub fn submit(&mut self) {
        self.unsubmitted.clear();
    }

    /// The graphics processor does this.
    pub fn apply(&mut self, work: &Work) {
        let Work::List(_, list) = work else { return self.apply_one(work) };
        // Rule H-66: a list begins with the default state; what is set before it is the caller's own.
        let mut open = vec![(list.iter(), self.predicate.take())];
        while let Some((works, outside)) = open.last_mut() {
            match works.next() {
                Some(Work::List(_, nested)) => open.push((nested.iter(), self.predicate.take())),
                Some(work) => self.apply_one(work),
                None => {
                    self.predicate = *outside;
                    open.pop();
                }
            }
        }
    }

    fn apply_one(&mut self, work: &Work) {
        match work {
            Work::Fill { resource, content } if !self.skips() => self.set(*resource, content.clone()),
            Work::Copy { destination, source } if !self.skips() => self.set(*destination, self.of(*source)),
            Work::Draw(effect) if !self.skips() => self.draw(effect),
            Work::Fill { .. } | Work::Copy { .. } | Work::Draw(_) => {}
            Work::QueryBegin(query) => {
                self.found.remove(query);
                self.counting.insert(*query, 0);
            }
            Work::QueryEnd(query, kind) => self.end(*query, *kind),
            Work::Predicate(query, value) => self.predicate = Some((*query, *value)).filter(|_| query.0 != 0),
            Work::List(..) => {}
        }
    }

    /// The predicate says what it must not for anything to be drawn.
    fn skips(&self) -> bool {
        let Some((query, value)) = self.predicate else { return false };
        self.found(query).is_some_and(|found| (found != 0) == value)
    }

    fn draw(&mut self, effect: &DrawEffect) {
        let Some(target) = effect.target else { return };
        self.counting.values_mut().for_each(|samples| *samples = samples.saturating_add(effect.samples));
        let before = self.of(target);
        let after = match (&before, effect.colour) {
            _ if effect.samples == 0 || effect.write_mask == 0 => before,
            (Content::Colour(old), Some(new)) if effect.covers => {
                let written = |channel: usize| effect.write_mask >> channel & 1 == 1;
                let channel = |channel: usize| if written(channel) { new[channel] } else { old[channel] };
                Content::Colour(std::array::from_fn(channel))
            }
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

    fn drawn(colour: [u32; 4], write_mask: u32) -> Work {
        Work::Draw(DrawEffect { target: Some(TARGET), colour: Some(colour), write_mask, covers: true, samples: 12 })
    }

    proptest! {
        #[test]
        fn a_draw_over_everything_leaves_its_colour_where_it_may_write(
            old: [u32; 4], new: [u32; 4], write_mask in 0..16_u32,
        ) {
            let mut contents = Contents::default();
            contents.set(TARGET, Content::Colour(old));
            contents.apply(&drawn(new, write_mask));
            let expected = std::array::from_fn(|at| if write_mask & (1 << at) != 0 { new[at] } else { old[at] });
            prop_assert_eq!(contents.of(TARGET), Content::Colour(expected));
        }

        #[test]
        fn a_list_does_what_its_calls_do(colours: Vec<[u32; 4]>) {
            let works: Vec<_> = colours.iter().map(|colour| drawn(*colour, 15)).collect();
            let (mut one_by_one, mut at_once) = (Contents::default(), Contents::default());
            works.iter().for_each(|work| one_by_one.apply(work));
            at_once.apply(&Work::List(LIST, works.into()));
            prop_assert_eq!(one_by_one.of(TARGET), at_once.of(TARGET));
        }

        /// By a plain reading of what was done before.
        #[test]
        fn a_query_has_found_what_was_drawn_since_it_began(
            steps in prop::collection::vec((0_u64..2, 0_u32..3), 0..30),
        ) {
            let mut contents = Contents::default();
            for (query, step) in &steps {
                contents.apply(&match step {
                    0 => Work::QueryBegin(D3d11QueryId(*query)),
                    1 => Work::QueryEnd(D3d11QueryId(*query), QueryType::OCCLUSION),
                    _ => drawn([0; 4], 15),
                });
            }
            for query in 0..2 {
                let last = steps.iter().rposition(|one| one.0 == query && one.1 < 2);
                let ended = last.filter(|last| steps[*last].1 == 1);
                let expected = ended.map(|ended| {
                    // Only what begins is counted, and an end without one finds nothing.
                    let begun = steps[..ended].iter().rposition(|one| one.0 == query && one.1 < 2);
                    let begun = begun.filter(|begun| steps[*begun] == (query, 0));
                    begun.map_or(0, |begun| 12 * steps[begun..ended].iter().filter(|one| one.1 == 2).count() as u64)
                });
                prop_assert_eq!(contents.found(D3d11QueryId(query)), expected);
            }
        }
    }

    #[test]
    fn a_query_counts_from_its_beginning_to_its_end() {
        let mut contents = Contents::default();
        contents.apply(&drawn([0; 4], 15));
        assert_eq!(contents.found(QUERY), None);
        contents.apply(&Work::QueryBegin(QUERY));
        contents.apply(&drawn([0; 4], 15));
        assert_eq!(contents.found(QUERY), None);
        contents.apply(&Work::QueryEnd(QUERY, QueryType::OCCLUSION));
        contents.apply(&drawn([0; 4], 15));
        assert_eq!(contents.found(QUERY), Some(12));
    }

    #[test]
    fn what_depends_on_a_predicate_is_not_done_where_that_says_so() {
        let mut contents = Contents::default();
        contents.apply(&Work::QueryEnd(QUERY, QueryType::OCCLUSION_PREDICATE));
        contents.apply(&drawn([1; 4], 15));
        contents.apply(&Work::Predicate(QUERY, false));
        contents.apply(&drawn([2; 4], 15));
        assert_eq!(contents.of(TARGET), Content::Colour([1; 4]));
        contents.apply(&Work::Predicate(QUERY, true));
        contents.apply(&drawn([3; 4], 15));
        assert_eq!(contents.of(TARGET), Content::Colour([3; 4]));
    }
}
