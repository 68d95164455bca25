//! A trace a few blocks at a time, all threads in step, so that memory does not grow with the file.
//!
//! Blocks come in the order of their first stamps, whatever their order in the file: what is still to come of any
//! thread is later than what every thread has given. While one batch is looked at the next is decoded.

use crate::error::AnalyzeError;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use taut_traces::{BlockInfo, Damage, Heads, Selection, ThreadExtract, Trace};

/// Records that are decoded at a time, all threads together.
const BATCH_RECORDS: u64 = 1 << 20;

/// Fewer, if their rows have more bytes than this together: a record may hold much.
const BATCH_ROW_BYTES: u64 = 64 << 20;

/// Blocks of a batch: there may be very many that have next to no records.
const BATCH_BLOCKS: usize = 1 << 12;

/// One block of a batch.
#[derive(Debug)]
pub struct BatchBlock {
    /// Which block.
    pub block: BlockInfo,
    /// Place of its thread among [`Batches::threads`].
    pub thread_index: usize,
    /// What was selected of its records; none of a damaged block.
    pub records: Option<ThreadExtract>,
}

/// Some blocks of all threads.
#[derive(Debug)]
pub struct Batch {
    /// The blocks, those of each thread in their order.
    pub parts: Vec<BatchBlock>,
    /// By thread: the first stamp of what is still to come; none if that was all.
    pub next_stamps: Vec<Option<u64>>,
}

/// A trace's blocks in order of time.
#[derive(Debug)]
pub struct Batches<'t> {
    trace: &'t Trace,
    threads: Vec<u32>,
    blocks: Vec<BlockInfo>,
    /// Records of a batch, all threads together.
    records: u64,
}

impl<'t> Batches<'t> {
    pub fn new(trace: &'t Trace) -> Batches<'t> {
        Batches::of_records(trace, BATCH_RECORDS)
    }

    /// The same with so many records at a time: fewer, where each brings much.
    pub fn of_records(trace: &'t Trace, records: u64) -> Batches<'t> {
        let threads: BTreeSet<u32> = trace.blocks().iter().map(|block| block.thread).collect();
        let mut latest: BTreeMap<u32, u64> = BTreeMap::new();
        let keyed = trace.blocks().iter().map(|block| {
            // Of a broken recording, too, the blocks of a thread stay in their order.
            let latest = latest.entry(block.thread).or_default();
            *latest = block.least_stamp.max(*latest);
            (*latest, block.clone())
        });
        let mut keyed: Vec<(u64, BlockInfo)> = keyed.collect();
        keyed.sort_by_key(|(stamp, _)| *stamp);
        let blocks = keyed.into_iter().map(|(_, block)| block).collect();
        Batches { trace, threads: threads.into_iter().collect(), blocks, records }
    }

    /// The threads that the trace has blocks of, by their numbers.
    pub fn threads(&self) -> &[u32] {
        &self.threads
    }

    /// Shows the batches one after another until `visit` has had enough. Gives the damage that was met, that of
    /// opening the trace included, in the order of the file.
    ///
    /// # Errors
    /// The selection names what the trace's table does not have, or `visit` failed.
    pub fn each<E: From<AnalyzeError> + Send>(
        &self,
        selection: &Selection,
        mut visit: impl FnMut(Batch) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<Vec<Damage>, E> {
        let mut damage = self.trace.damage().to_vec();
        let mut rest = self.blocks.as_slice();
        let mut next = self.read(selection, &mut rest, &mut damage)?;
        while let Some(batch) = next {
            let (read, visited) = rayon::join(|| self.read(selection, &mut rest, &mut damage), || visit(batch));
            if visited?.is_break() {
                break;
            }
            next = read?;
        }
        damage.sort_by_key(|damage| damage.offset);
        Ok(damage)
    }

    /// Decodes the first of the blocks that are left; none at the end.
    fn read(
        &self,
        selection: &Selection,
        rest: &mut &[BlockInfo],
        damage: &mut Vec<Damage>,
    ) -> Result<Option<Batch>, AnalyzeError> {
        let blocks;
        (blocks, *rest) = rest.split_at(few_of(self.trace, rest, self.records));
        if blocks.is_empty() {
            return Ok(None);
        }
        let place = |thread: u32| self.threads.partition_point(|known| *known < thread);
        let part = |(block, records): (&BlockInfo, Option<ThreadExtract>)| {
            let thread_index = place(block.thread);
            BatchBlock { block: block.clone(), thread_index, records }
        };
        let (read, found) = self.trace.scan_blocks(selection, blocks, Heads::CodesAndStamps, |part| part)?;
        let parts = if found.is_empty() {
            blocks.iter().zip(read.into_iter().map(Some)).map(part).collect()
        } else {
            damage.extend(found);
            self.one_by_one(selection, blocks)?.into_iter().map(part).collect()
        };
        let mut next_stamps = vec![None; self.threads.len()];
        rest.iter().for_each(|block| {
            next_stamps[place(block.thread)].get_or_insert(block.least_stamp);
        });
        Ok(Some(Batch { parts, next_stamps }))
    }

    /// Finds out which of the blocks are damaged: this is rare.
    fn one_by_one<'b>(
        &self,
        selection: &Selection,
        blocks: &'b [BlockInfo],
    ) -> Result<Vec<(&'b BlockInfo, Option<ThreadExtract>)>, AnalyzeError> {
        let one = |block: &'b BlockInfo| {
            let alone = std::slice::from_ref(block);
            let (mut parts, _) = self.trace.scan_blocks(selection, alone, Heads::CodesAndStamps, |part| part)?;
            Ok((block, parts.pop()))
        };
        blocks.iter().map(one).collect()
    }
}

/// The first blocks that have so many records together, or very large ones, or are very many: one at least.
fn few_of(trace: &Trace, blocks: &[BlockInfo], most: u64) -> usize {
    let (mut records, mut row_bytes) = (0, 0);
    let within = blocks.iter().take(BATCH_BLOCKS).take_while(|block| {
        let fits = records < most && row_bytes < BATCH_ROW_BYTES;
        records += u64::from(block.records);
        row_bytes += trace.row_bytes(block);
        fits
    });
    within.count()
}

/// The moment before which everything has come: stamp and place of a thread. `floors` has for each thread the stamp of
/// the next thing that it may still bring.
pub(crate) fn floor(floors: impl Iterator<Item = Option<u64>>) -> Option<(u64, usize)> {
    floors.enumerate().filter_map(|(thread, stamp)| Some((stamp?, thread))).min()
}

/// Gives out what waits in the threads' queues, in the order of (stamp, thread); what one thread did stays in its
/// order. Ends at `floor`, or with none, when all is given out.
pub(crate) fn in_order<T>(
    queues: &mut [VecDeque<T>],
    stamp: impl Fn(&T) -> u64,
    floor: Option<(u64, usize)>,
    mut give: impl FnMut(usize, T) -> Result<(), AnalyzeError>,
) -> Result<(), AnalyzeError> {
    let next = |queues: &[VecDeque<T>], thread: usize| queues[thread].front().map(|first| (stamp(first), thread));
    loop {
        // Threads are few.
        let (mut least, mut limit) = (None, floor);
        for key in (0..queues.len()).filter_map(|thread| next(queues, thread)) {
            match least {
                Some(known) if known < key => limit = Some(limit.map_or(key, |limit| key.min(limit))),
                known => {
                    limit = known.into_iter().chain(limit).min();
                    least = Some(key);
                }
            }
        }
        let Some((_, thread)) = least else { return Ok(()) };
        let mut given = false;
        while let Some(key) = next(queues, thread)
            && limit.is_none_or(|limit| key < limit)
        {
            let Some(first) = queues[thread].pop_front() else { break };
            give(thread, first)?;
            given = true;
        }
        if !given {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_waits_comes_in_the_order_of_stamps_and_threads_up_to_the_floor(
            mut stamps in prop::collection::vec(prop::collection::vec(0_u64..40, 0..12), 0..5),
            cut in prop::option::of((0_u64..40, 0_usize..5)),
        ) {
            stamps.iter_mut().for_each(|stamps| stamps.sort_unstable());
            let mut queues: Vec<VecDeque<u64>> = stamps.iter().cloned().map(VecDeque::from).collect();
            let mut given = Vec::new();
            in_order(&mut queues, |stamp| *stamp, cut, |thread, stamp| { given.push((stamp, thread)); Ok(()) }).unwrap();
            let all = stamps.iter().enumerate().flat_map(|(thread, stamps)| stamps.iter().map(move |stamp| (*stamp, thread)));
            let mut expected: Vec<_> = all.filter(|key| cut.is_none_or(|cut| *key < cut)).collect();
            expected.sort_unstable();
            prop_assert_eq!(&given, &expected);
            let left: usize = queues.iter().map(VecDeque::len).sum();
            prop_assert_eq!(left + given.len(), stamps.iter().map(Vec::len).sum::<usize>());
        }
    }
}
