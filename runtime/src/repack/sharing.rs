//! Groups of placements that share memory in the recording: placements that overlap a live placement when they are
//! created, transitively.

use super::heap_lifetime::{HeapEvent, HeapLifetime};
use std::collections::BTreeMap;

/// Placements of a heap in groups that share memory; most groups have one member.
pub(super) struct Groups {
    /// Group by placement.
    pub group_of: Vec<usize>,
    /// Placements by group, in order of creation, and so sorted.
    pub members: Vec<Vec<usize>>,
}

impl Groups {
    /// Returns the groups of a heap.
    pub(super) fn new(life: &HeapLifetime) -> Groups {
        let mut sharing = Sharing::new(life.placements.len());
        for event in &life.events {
            match *event {
                HeapEvent::Create(placement) => sharing.create(placement, life),
                HeapEvent::Release(placement) => sharing.release(placement),
            }
        }
        let mut number = BTreeMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let group_of = (0..life.placements.len()).map(|placement| {
            let group = *number.entry(sharing.root(placement)).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[group].push(placement);
            group
        });
        let group_of = group_of.collect();
        Groups { group_of, members }
    }
}

/// State during the heap's lifetime: disjoint sets of placements, and the byte range of each live set from its first to
/// its last byte.
struct Sharing {
    parent: Vec<usize>,
    /// By root of a set: its number of live placements, and the begin of its range.
    live: Vec<(usize, u64)>,
    /// From begin of a range to its end and a placement of the set; sets do not overlap.
    covered: BTreeMap<u64, (u64, usize)>,
}

impl Sharing {
    fn new(placements: usize) -> Sharing {
        let (parent, live) = ((0..placements).collect(), vec![(0, 0); placements]);
        Sharing { parent, live, covered: BTreeMap::new() }
    }

    fn root(&mut self, placement: usize) -> usize {
        let mut root = placement;
        while self.parent[root] != root {
            self.parent[root] = self.parent[self.parent[root]];
            root = self.parent[root];
        }
        root
    }

    fn create(&mut self, placement: usize, life: &HeapLifetime) {
        let mut bytes = life.placements[placement].recorded.clone();
        let mut live = 1;
        let overlapping = self.covered.range(..bytes.end).rev().take_while(|(_, (end, _))| *end > bytes.start);
        let overlapping: Vec<_> = overlapping.map(|(begin, (end, member))| (*begin, *end, *member)).collect();
        for (begin, end, member) in overlapping {
            self.covered.remove(&begin);
            bytes = bytes.start.min(begin)..bytes.end.max(end);
            let root = self.root(member);
            live += self.live[root].0;
            self.parent[root] = placement;
        }
        self.live[placement] = (live, bytes.start);
        self.covered.insert(bytes.start, (bytes.end, placement));
    }

    fn release(&mut self, placement: usize) {
        let root = self.root(placement);
        let (live, begin) = &mut self.live[root];
        *live -= 1;
        if *live == 0 {
            self.covered.remove(begin);
        }
    }
}
