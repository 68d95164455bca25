//! Merges the threads' events into one order, and builds the world from it, batch by batch.

use super::super::batches::{floor, in_order};
use super::super::lines::LineNumbers;
use super::thread::ThreadSurvey;
use super::world_event::{Creation, WorldEvent, WorldEventKind};
use crate::error::AnalyzeError;
use crate::memory::{Description, Moment, NameIndex, World, WorldBuilder};
use std::collections::VecDeque;
use taut_traces::Summary;

/// A world under construction.
pub(super) struct Merge {
    threads: Vec<Known>,
    builder: WorldBuilder,
    /// Line numbers, if moments have lines of a call log.
    numbers: Option<LineNumbers>,
}

/// A thread, and the world's indices of its descriptions and names, by the thread's own numbers.
struct Known {
    thread: u32,
    descs: Vec<Description>,
    names: Vec<NameIndex>,
}

impl Known {
    /// Maps a thread's description to the world's.
    fn description(&mut self, number: u32, builder: &mut WorldBuilder, state: &ThreadSurvey) -> Description {
        while self.descs.len() <= number as usize {
            let (desc, mip_region) = state.descs.get(self.descs.len() as u32);
            self.descs.push(builder.describe(desc, mip_region));
        }
        self.descs[number as usize]
    }

    /// Maps a thread's name to the world's.
    fn name(&mut self, name: NameIndex, builder: &mut WorldBuilder, state: &ThreadSurvey) -> NameIndex {
        while self.names.len() <= name.0 as usize {
            self.names.push(builder.name_index(state.names.get(NameIndex(self.names.len() as u32))));
        }
        self.names[name.0 as usize]
    }
}

impl Merge {
    /// Creates an empty world. With `number_lines` every moment gets its line of the call log.
    pub fn new(threads: &[u32], number_lines: bool) -> Merge {
        let known = |thread: &u32| Known { thread: *thread, descs: Vec::new(), names: Vec::new() };
        Merge {
            threads: threads.iter().map(known).collect(),
            builder: WorldBuilder::default(),
            numbers: number_lines.then(LineNumbers::default),
        }
    }

    /// Marks records from this stamp on as missing.
    pub fn missing_from(&mut self, stamp: u64) {
        if let Some(numbers) = &mut self.numbers {
            numbers.missing_from(stamp);
        }
    }

    /// Processes the threads' events before all remaining ones; `next_stamps` are those of the threads' next records.
    pub fn take(&mut self, states: &mut [ThreadSurvey], next_stamps: &[Option<u64>]) -> Result<(), AnalyzeError> {
        let floor = floor(states.iter().zip(next_stamps).map(|(state, next)| next.and_then(|_| state.floor(*next))));
        if let Some(numbers) = &mut self.numbers {
            for (known, state) in self.threads.iter().zip(&mut *states) {
                numbers.add(known.thread, state.lines.drain(..), state.positions.drain(..));
            }
            numbers.sort();
        }
        let mut queues: Vec<VecDeque<WorldEvent>> =
            states.iter_mut().map(|state| std::mem::take(&mut state.events)).collect();
        in_order(
            &mut queues,
            |event| event.stamp,
            floor,
            |thread, event| {
                self.event(thread, event, &states[thread]);
                Ok(())
            },
        )?;
        states.iter_mut().zip(queues).for_each(|(state, queue)| state.events = queue);
        Ok(())
    }

    fn event(&mut self, thread: usize, event: WorldEvent, state: &ThreadSurvey) {
        let (known, builder) = (&mut self.threads[thread], &mut self.builder);
        let (stamp, thread) = (event.stamp, known.thread);
        let seq = self.numbers.as_mut().and_then(|numbers| numbers.of(stamp, thread));
        let moment = Moment { stamp, thread, seq };
        match event.kind {
            WorldEventKind::HeapCreated(id, desc) => builder.create_heap(moment, id, *desc),
            WorldEventKind::HeapReleased(id) => builder.release_heap(moment, id),
            WorldEventKind::ResourceReleased(id) => builder.release_resource(moment, id),
            WorldEventKind::ResourceCreated(Creation { id, desc, backing, allocation }) => {
                let desc = known.description(desc, builder, state);
                builder.create_described(moment, id, desc, backing, allocation);
            }
            WorldEventKind::RundownBegan => builder.begin_rundown(),
            WorldEventKind::RundownHeap(id, desc) => builder.add_rundown_heap(moment, id, *desc),
            WorldEventKind::RundownResource(Creation { id, desc, backing, allocation }) => {
                let desc = known.description(desc, builder, state);
                builder.add_rundown_resource(moment, id, desc, backing, allocation);
            }
            WorldEventKind::RundownEnded => builder.end_rundown(moment),
            WorldEventKind::Nothing => {}
            WorldEventKind::SnapshotTaken(Creation { id, desc, backing, allocation }) => {
                let desc = known.description(desc, builder, state);
                builder.create_from_snapshot(moment, id, desc, backing, allocation);
            }
            WorldEventKind::Named(object, name) => {
                let name = known.name(name, builder, state);
                builder.name(object, name);
            }
            WorldEventKind::ScenePath(resource, path) => {
                let path = known.name(path, builder, state);
                builder.scene_path(resource, path);
            }
            WorldEventKind::PhaseBegan(name) => builder.begin_phase(moment, &name),
            WorldEventKind::PhaseEnded => builder.end_phase(moment),
        }
    }

    /// Returns the world after all events.
    pub fn finish(mut self, summary: &Summary) -> World {
        let moment = |stamp: Option<u64>, seq| Moment { stamp: stamp.unwrap_or_default(), thread: 0, seq };
        let last = self.numbers.as_mut().and_then(LineNumbers::last);
        self.builder.finish(moment(summary.first_stamp, None), moment(summary.last_stamp, last))
    }
}
