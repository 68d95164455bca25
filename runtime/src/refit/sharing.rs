//! Which placements share memory in the recording: those that overlap one that lives when they are created, and those that
//! overlap these in turn.

use super::heap_life::{HeapEvent, HeapLife};
use std::collections::BTreeMap;

/// The placements of a heap in groups that share memory; most groups have one member.
pub(super) struct Groups {
    /// By placement, its group.
    pub group_of: Vec<usize>,
    /// By group, its placements in order of creation, so sorted.
    pub members: Vec<Vec<usize>>,
}

impl Groups {
    /// The groups of a heap.
    pub(super) fn of(life: &HeapLife) -> Groups {
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

/// What is known while the heap's life goes by: disjoint sets of placements, and the bytes each living set covers from
/// its first to its last.
struct Sharing {
    parent: Vec<usize>,
    /// By a set's root: its living placements, and where its bytes begin.
    live: Vec<(usize, u64)>,
    /// Begin of a set's bytes to their end and a placement of the set; sets do not overlap.
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

    fn create(&mut self, placement: usize, life: &HeapLife) {
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
