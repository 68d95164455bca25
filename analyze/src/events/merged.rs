//! Merges the events of all threads into one order, a few blocks of the trace at a time.

use super::at::At;
use super::batches::{BatchBlock, Batches, floor, in_order};
use crate::error::AnalyzeError;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// The events of one thread that wait for earlier events of other threads, and the state that its next block needs.
pub(crate) trait ThreadEvents: Default + Send {
    /// A waiting event.
    type Waiting: Send;

    /// Stamp of a waiting event.
    fn stamp(waiting: &Self::Waiting) -> u64;

    /// The waiting events, in order.
    fn waiting(&mut self) -> &mut VecDeque<Self::Waiting>;

    /// The stamp before which the thread adds no more events; `next_record` is that of its next record.
    fn floor(&self, next_record: u64) -> u64 {
        next_record
    }
}

/// The threads of a trace, in the order of their numbers.
#[derive(Debug)]
pub(crate) struct MergedThreads<'n, S> {
    numbers: &'n [u32],
    threads: Vec<S>,
}

impl<'n, S: ThreadEvents> MergedThreads<'n, S> {
    /// Creates the threads of a trace, without events.
    pub fn new(batches: &'n Batches<'_>) -> MergedThreads<'n, S> {
        let numbers = batches.threads();
        MergedThreads { numbers, threads: numbers.iter().map(|_| S::default()).collect() }
    }

    /// Passes the blocks of a batch to `decode`: those of a thread in order, threads in parallel.
    pub fn decode(&mut self, parts: Vec<BatchBlock>, decode: impl Fn(&mut S, BatchBlock) + Sync) {
        let mut by_thread: Vec<Vec<BatchBlock>> = self.threads.iter().map(|_| Vec::new()).collect();
        parts.into_iter().for_each(|part| by_thread[part.thread_index].push(part));
        self.threads.par_iter_mut().zip(by_thread).for_each(|(thread, parts)| {
            parts.into_iter().for_each(|part| decode(thread, part));
        });
    }

    /// Calls `visit` with the events that precede all remaining records, in the order of (stamp, thread), until it
    /// breaks or fails. `next_stamps` are those of the batch.
    pub fn emit<E: From<AnalyzeError>>(
        &mut self,
        next_stamps: &[Option<u64>],
        mut visit: impl FnMut(At, &mut S, S::Waiting) -> Result<ControlFlow<()>, E>,
    ) -> Result<ControlFlow<()>, E> {
        let MergedThreads { numbers, threads } = self;
        let floor = floor(threads.iter().zip(next_stamps).map(|(thread, next)| next.map(|next| thread.floor(next))));
        // The queues are taken out of the threads, because `visit` may change a thread.
        let mut queues: Vec<VecDeque<S::Waiting>> =
            threads.iter_mut().map(|thread| std::mem::take(thread.waiting())).collect();
        let mut flow = Ok(ControlFlow::Continue(()));
        in_order(&mut queues, S::stamp, floor, |index, waiting| {
            if matches!(flow, Ok(ControlFlow::Continue(()))) {
                let at = At { stamp: S::stamp(&waiting), thread: numbers[index] };
                flow = visit(at, &mut threads[index], waiting);
            }
            Ok(())
        })?;
        threads.iter_mut().zip(queues).for_each(|(thread, queue)| *thread.waiting() = queue);
        flow
    }

    /// The threads with their numbers.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut S)> {
        self.numbers.iter().copied().zip(&mut self.threads)
    }
}
