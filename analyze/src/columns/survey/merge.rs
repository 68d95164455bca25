//! Puts what the threads did into one order, and makes the world of it.

use super::super::lines::LineNumbers;
use super::deed::{Deed, DeedKind};
use super::thread::ThreadSurvey;
use crate::world::{Moment, NewResource, World, WorldBuilder};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use taut_traces::Trace;

/// The world that the threads made together. With `number_lines` every moment has its line of the call log.
pub(super) fn world(trace: &Trace, threads: &[u32], mut states: Vec<ThreadSurvey>, number_lines: bool) -> World {
    let mut numbers = LineNumbers::default();
    if number_lines {
        for (thread, state) in threads.iter().zip(&mut states) {
            numbers.add(*thread, std::mem::take(&mut state.lines), std::mem::take(&mut state.positions));
        }
        numbers.sort();
    }
    let mut builder = WorldBuilder::default();
    let mut descs = Vec::with_capacity(states.len());
    let mut deeds = Vec::with_capacity(states.len());
    for mut state in states {
        // A sound recording is in order already.
        if !state.deeds.is_sorted_by_key(|deed| deed.stamp) {
            state.deeds.sort_by_key(|deed| deed.stamp);
        }
        descs.push(state.descs);
        deeds.push(state.deeds.into_iter());
    }
    let mut next: Vec<Option<Deed>> = deeds.iter_mut().map(Iterator::next).collect();
    // Threads come in the order of their numbers.
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> =
        next.iter().enumerate().filter_map(|(thread, deed)| Some(Reverse((deed.as_ref()?.stamp, thread)))).collect();
    while let Some(Reverse((stamp, thread))) = queue.pop() {
        let Some(deed) = std::mem::replace(&mut next[thread], deeds[thread].next()) else { continue };
        if let Some(following) = &next[thread] {
            queue.push(Reverse((following.stamp, thread)));
        }
        let moment = Moment { stamp, thread: threads[thread], seq: numbers.of(stamp, threads[thread]) };
        match deed.kind {
            DeedKind::HeapCreated(id, desc) => builder.create_heap(moment, id, *desc),
            DeedKind::HeapReleased(id) => builder.release_heap(moment, id),
            DeedKind::ResourceReleased(id) => builder.release_resource(moment, id),
            DeedKind::ResourceCreated(creation) => {
                let (desc, mip_region) = descs[thread].get(creation.desc);
                let (id, backing, allocation) = (creation.id, creation.backing, creation.allocation);
                builder.create_resource(moment, NewResource { id, desc, mip_region, backing, allocation });
            }
            DeedKind::Named(object, name) => builder.name(object, name),
            DeedKind::PhaseBegan(name) => builder.begin_phase(moment, &name),
            DeedKind::PhaseEnded => builder.end_phase(moment),
        }
    }
    let summary = trace.summary();
    let moment = |stamp: Option<u64>, seq| Moment { stamp: stamp.unwrap_or_default(), thread: 0, seq };
    builder.finish(moment(summary.first_stamp, None), moment(summary.last_stamp, numbers.last()))
}
