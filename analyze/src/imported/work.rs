//! Background work and pipeline creations of Direct3D 12, by thread.

use crate::events::At;
use std::collections::BTreeMap;
use taut_schemas::windows::PipelineLookups;

/// Background work of a thread. Windows reports no identity of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThreadWork {
    pub stream: u32,
    /// Pairs of start and stop.
    pub runs: u64,
    pub total_ticks: u64,
    pub max_ticks: u64,
    /// Starts without a stop, and stops without a start.
    pub unpaired: u64,
    /// Events of background work that begin and end nothing.
    pub infos: u64,
}

/// A run of background work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkRun {
    pub start_stamp: u64,
    pub stop_stamp: u64,
    pub stream: u32,
}

/// Pipeline and state object creations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PipelineSums {
    /// Pairs of start and stop.
    pub created: u64,
    pub total_ticks: u64,
    pub max_ticks: u64,
    /// Look-ups in caches that a creation needs, and hits. `None` without an event of look-ups.
    pub lookups: Option<(u64, u64)>,
}

/// Kind of a creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Creation {
    PipelineState,
    StateObject,
}

/// State of the threads.
#[derive(Debug, Default)]
pub struct Work {
    threads: BTreeMap<u32, (ThreadWork, Option<u64>)>,
    runs: Vec<WorkRun>,
    /// Begin of the creations in progress, by thread and kind.
    pipelines: BTreeMap<(u32, Creation), u64>,
    sums: PipelineSums,
}

impl Work {
    pub fn start(&mut self, at: At) {
        let (work, open) = self.threads.entry(at.thread).or_default();
        work.unpaired += u64::from(open.replace(at.stamp).is_some());
    }

    pub fn stop(&mut self, at: At) {
        let (work, open) = self.threads.entry(at.thread).or_default();
        let Some(start) = open.take() else {
            work.unpaired += 1;
            return;
        };
        let ticks = at.stamp.saturating_sub(start);
        work.runs += 1;
        self.runs.push(WorkRun { start_stamp: start, stop_stamp: at.stamp, stream: at.thread });
        work.total_ticks = work.total_ticks.saturating_add(ticks);
        work.max_ticks = work.max_ticks.max(ticks);
    }

    pub fn info(&mut self, at: At) {
        self.threads.entry(at.thread).or_default().0.infos += 1;
    }

    pub fn pipeline_start(&mut self, at: At, kind: Creation) {
        self.pipelines.insert((at.thread, kind), at.stamp);
    }

    pub fn pipeline_stop(&mut self, at: At, kind: Creation) {
        let Some(start) = self.pipelines.remove(&(at.thread, kind)) else { return };
        let ticks = at.stamp.saturating_sub(start);
        self.sums.created += 1;
        self.sums.total_ticks = self.sums.total_ticks.saturating_add(ticks);
        self.sums.max_ticks = self.sums.max_ticks.max(ticks);
    }

    pub fn lookups(&mut self, event: &PipelineLookups) {
        let Some(required) = event.required else { return };
        let (lookups, hits) = self.sums.lookups.get_or_insert_default();
        *lookups = lookups.saturating_add(required);
        let found =
            event.required_hits.unwrap_or_default().saturating_add(event.required_dynamic_hits.unwrap_or_default());
        *hits = hits.saturating_add(found);
    }

    pub fn finish(self) -> (Vec<ThreadWork>, Vec<WorkRun>, PipelineSums) {
        let work = |(stream, (work, open)): (u32, (ThreadWork, Option<u64>))| ThreadWork {
            stream,
            unpaired: work.unpaired + u64::from(open.is_some()),
            ..work
        };
        (self.threads.into_iter().map(work).collect(), self.runs, self.sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_pair_on_their_thread_and_other_events_are_counted() {
        let mut work = Work::default();
        let at = |stamp, thread| At { stamp, thread };
        work.start(at(1, 1));
        work.start(at(2, 2));
        work.stop(at(4, 1));
        work.stop(at(9, 2));
        work.stop(at(10, 2));
        work.start(at(11, 2));
        work.info(at(11, 2));
        let (threads, runs, pipelines) = work.finish();
        let run = |start_stamp, stop_stamp, stream| WorkRun { start_stamp, stop_stamp, stream };
        assert_eq!(runs, [run(1, 4, 1), run(2, 9, 2)]);
        let first = ThreadWork { stream: 1, runs: 1, total_ticks: 3, max_ticks: 3, unpaired: 0, infos: 0 };
        let second = ThreadWork { stream: 2, runs: 1, total_ticks: 7, max_ticks: 7, unpaired: 2, infos: 1 };
        assert_eq!((threads, pipelines), (vec![first, second], PipelineSums::default()));
    }

    #[test]
    fn look_ups_are_unknown_without_an_event() {
        let mut work = Work::default();
        let at = |stamp| At { stamp, thread: 1 };
        work.pipeline_start(at(1), Creation::PipelineState);
        work.pipeline_stop(at(5), Creation::PipelineState);
        work.pipeline_stop(at(6), Creation::PipelineState);
        work.pipeline_start(at(7), Creation::StateObject);
        work.pipeline_stop(at(8), Creation::PipelineState);
        let (_, _, sums) = work.finish();
        assert_eq!(sums, PipelineSums { created: 1, total_ticks: 4, max_ticks: 4, lookups: None });
    }
}
