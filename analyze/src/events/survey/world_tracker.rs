//! The tracker of heaps and resources, which builds a [`World`] from the changes of all threads.

use super::super::lines::LineNumbers;
use super::super::{At, Tracker};
use super::thread::ThreadSurvey;
use super::world_event::{Creation, WorldEventKind};
use crate::memory::{Moment, World, WorldBuilder};
use taut_traces::Summary;

/// A change of the world, and the thread that it is of, whose descriptions and names it refers to.
pub(super) struct WorldChange<'e> {
    pub thread: &'e mut ThreadSurvey,
    pub kind: WorldEventKind,
}

/// A world under construction.
pub(super) struct WorldTracker {
    builder: WorldBuilder,
    /// Line numbers, if moments have lines of a call log.
    numbers: Option<LineNumbers>,
    /// Stamps of the first and the last record of the trace.
    span: (u64, u64),
}

impl WorldTracker {
    /// Creates an empty world. With `number_lines` every moment gets its line of the call log.
    pub fn new(summary: &Summary, number_lines: bool) -> WorldTracker {
        WorldTracker {
            builder: WorldBuilder::default(),
            numbers: number_lines.then(LineNumbers::default),
            span: (summary.first_stamp.unwrap_or_default(), summary.last_stamp.unwrap_or_default()),
        }
    }

    /// Marks records from this stamp on as missing.
    pub fn missing_from(&mut self, stamp: u64) {
        if let Some(numbers) = &mut self.numbers {
            numbers.missing_from(stamp);
        }
    }

    /// Takes the lines that the threads have read. All lines before an event have to be known when it comes.
    pub fn add_lines<'t>(&mut self, threads: impl Iterator<Item = (u32, &'t mut ThreadSurvey)>) {
        if let Some(numbers) = &mut self.numbers {
            threads
                .for_each(|(number, thread)| numbers.add(number, thread.lines.drain(..), thread.positions.drain(..)));
            numbers.sort();
        }
    }
}

impl Tracker for WorldTracker {
    type Event<'e> = WorldChange<'e>;
    type Output = World;

    fn on_event(&mut self, at: At, WorldChange { thread, kind }: WorldChange<'_>) {
        let seq = self.numbers.as_mut().and_then(|numbers| numbers.of(at.stamp, at.thread));
        let moment = Moment { stamp: at.stamp, thread: at.thread, seq };
        let builder = &mut self.builder;
        let ThreadSurvey { world_indices, descs, names, .. } = thread;
        match kind {
            WorldEventKind::HeapCreated(id, desc) => builder.create_heap(moment, id, *desc),
            WorldEventKind::HeapReleased(id) => builder.release_heap(moment, id),
            WorldEventKind::ResourceReleased(id) => builder.release_resource(moment, id),
            WorldEventKind::ResourceCreated(Creation { id, desc, backing, allocation }) => {
                let desc = world_indices.description(desc, builder, descs);
                builder.create_described(moment, id, desc, backing, allocation);
            }
            WorldEventKind::RundownBegan => builder.begin_rundown(),
            WorldEventKind::RundownHeap(id, desc) => builder.add_rundown_heap(moment, id, *desc),
            WorldEventKind::RundownResource(Creation { id, desc, backing, allocation }) => {
                let desc = world_indices.description(desc, builder, descs);
                builder.add_rundown_resource(moment, id, desc, backing, allocation);
            }
            WorldEventKind::RundownEnded => builder.end_rundown(moment),
            WorldEventKind::Nothing => {}
            WorldEventKind::SnapshotTaken(Creation { id, desc, backing, allocation }) => {
                let desc = world_indices.description(desc, builder, descs);
                builder.create_from_snapshot(moment, id, desc, backing, allocation);
            }
            WorldEventKind::Named(object, name) => {
                let name = world_indices.name(name, builder, names);
                builder.name(object, name);
            }
            WorldEventKind::ScenePath(resource, path) => {
                let path = world_indices.name(path, builder, names);
                builder.scene_path(resource, path);
            }
            WorldEventKind::PhaseBegan(name) => builder.begin_phase(moment, &name),
            WorldEventKind::PhaseEnded => builder.end_phase(moment),
        }
    }

    fn finish(mut self) -> World {
        let last = self.numbers.as_mut().and_then(LineNumbers::last);
        let moment = |stamp, seq| Moment { stamp, thread: 0, seq };
        self.builder.finish(moment(self.span.0, None), moment(self.span.1, last))
    }
}
