//! Reports on a recording that starts in mid-stream: what was there before, they have from its rundown.

use super::recordings::Source;
use super::{cut, stamps};
use std::collections::BTreeMap;
use taut_analyze::Analysis;
use taut_analyze::world::{HeapIndex, Layout, Live, Turn, World};
use taut_schemas::HeapId;

/// What lives right after a stamp: the sums, how heaps' resources lie, and what they are called.
fn at(world: &World, stamp: u64) -> (Live, BTreeMap<HeapId, Layout>, Vec<(u64, String)>) {
    let last = world.changes.iter().rposition(|change| change.moment.stamp <= stamp);
    let turn = last.map(|at| Turn(at as u32));
    let Some(turn) = turn else { return Default::default() };
    let heaps = (0..).map(HeapIndex).zip(&world.heaps).filter(|(_, heap)| heap.lives_after(turn));
    let layouts = heaps.map(|(index, heap)| (heap.id, world.layout_after(index, turn))).collect();
    let living = world.resources.iter().filter(|resource| resource.lives_after(turn));
    let mut names: Vec<_> = living.map(|resource| (resource.id.0, world.names.get(resource.name).to_owned())).collect();
    names.sort();
    (world.live_after(Some(turn)), layouts, names)
}

#[test]
fn the_world_of_a_cut_recording_is_that_of_the_whole_one_from_there_on() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["streaming-world", "small-level"] {
        let trace = Source::named(name).recorded(folder.path());
        let stamps = stamps(&trace);
        let (cut, later) = cut(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
        let (whole, rest) = (Analysis::new(trace).expect("an analysis"), Analysis::new(later).expect("an analysis"));
        let (whole, rest) = (whole.world().expect("a world"), rest.world().expect("a world"));
        let (live, ..) = at(whole, cut.stamp);
        assert!(live.resources().allocated().count > 10, "{name}: {live:?}");
        assert!(rest.gaps.objects_of_rundown > 10, "{name}: {:?}", rest.gaps);
        assert_eq!(rest.gaps.releases_of_unknown_objects, 0, "{name}");
        for part in 0..8 {
            let after = stamps.iter().filter(|stamp| **stamp >= cut.stamp).count();
            let stamp = stamps[stamps.len() - after + part * after / 8].max(cut.stamp);
            assert_eq!(at(rest, stamp), at(whole, stamp), "{name} after {stamp}, cut at {}", cut.stamp);
        }
    }
}
