//! Reads a trace a few blocks at a time, all threads in step, so that memory does not grow with the file.
//!
//! Blocks come in the order of their first stamps, whatever their order in the file: the rest of any thread is later
//! than the part that every thread has delivered. The next batch is decoded while one is processed.

use crate::error::AnalyzeError;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use taut_traces::{BlockInfo, Damage, Heads, Selection, ThreadExtract, Trace};

/// Max records per batch, all threads together.
const BATCH_RECORDS: u64 = 1 << 20;

/// Max decoded bytes per batch, all threads together: a record may be large.
const BATCH_DECODED_BYTES: u64 = 64 << 20;

/// Max decoded bytes of two consecutive batches that may be in memory at the same time; beyond it they are decoded one
/// after another. One block may have 128 MiB.
const SHARED_DECODED_BYTES: u64 = 128 << 20;

/// Max blocks per batch: a trace may have very many blocks with almost no records.
const BATCH_BLOCKS: usize = 1 << 12;

/// One block of a batch.
#[derive(Debug)]
pub struct BatchBlock {
    pub block: BlockInfo,
    /// Index of its thread in [`Batches::threads`].
    pub thread_index: usize,
    /// Selected fields of the block's records; `None` for a damaged block.
    pub records: Option<ThreadExtract>,
}

/// Some blocks of all threads.
#[derive(Debug)]
pub struct Batch {
    /// Blocks; the blocks of each thread are in order.
    pub parts: Vec<BatchBlock>,
    /// First stamp of the remaining records, by thread; `None` at the end of a thread.
    pub next_stamps: Vec<Option<u64>>,
}

/// The blocks of a trace in order of time.
#[derive(Debug)]
pub struct Batches<'t> {
    trace: &'t Trace,
    threads: Vec<u32>,
    blocks: Vec<BlockInfo>,
    /// Max records per batch, all threads together.
    records: u64,
}

impl<'t> Batches<'t> {
    pub fn new(trace: &'t Trace) -> Batches<'t> {
        Batches::with_records(trace, BATCH_RECORDS)
    }

    /// Creates batches with another max number of records.
    pub fn with_records(trace: &'t Trace, records: u64) -> Batches<'t> {
        let threads: BTreeSet<u32> = trace.blocks().iter().map(|block| block.thread).collect();
        let mut latest: BTreeMap<u32, u64> = BTreeMap::new();
        let keyed = trace.blocks().iter().map(|block| {
            // Blocks of a thread stay in order, even where a damaged recording's stamps decrease.
            let latest = latest.entry(block.thread).or_default();
            *latest = block.min_stamp.max(*latest);
            (*latest, block.clone())
        });
        let mut keyed: Vec<(u64, BlockInfo)> = keyed.collect();
        keyed.sort_by_key(|(stamp, _)| *stamp);
        let blocks = keyed.into_iter().map(|(_, block)| block).collect();
        Batches { trace, threads: threads.into_iter().collect(), blocks, records }
    }

    /// Numbers of the threads with blocks in the trace.
    pub fn threads(&self) -> &[u32] {
        &self.threads
    }

    /// Calls `visit` with the batches in order until it breaks. Returns all damage found, that of opening the trace
    /// included, in file order.
    ///
    /// # Errors
    /// The selection names fields that the trace's table lacks, or `visit` failed.
    pub fn each<E: From<AnalyzeError> + Send>(
        &self,
        selection: &Selection,
        mut visit: impl FnMut(Batch) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<Vec<Damage>, E> {
        let mut damage = self.trace.damage().to_vec();
        let mut rest = self.blocks.as_slice();
        let mut next = self.read(selection, &mut rest, &mut damage)?;
        while let Some(batch) = next {
            let batch_bytes = batch.parts.iter().map(|part| self.trace.decoded_bytes(&part.block)).sum::<u64>();
            let ahead = few_of(self.trace, rest, self.records);
            let ahead_bytes = rest[..ahead].iter().map(|block| self.trace.decoded_bytes(block)).sum::<u64>();
            if batch_bytes + ahead_bytes > SHARED_DECODED_BYTES {
                if visit(batch)?.is_break() {
                    break;
                }
                next = self.read(selection, &mut rest, &mut damage)?;
                continue;
            }
            let (read, visited) = rayon::join(|| self.read(selection, &mut rest, &mut damage), || visit(batch));
            if visited?.is_break() {
                break;
            }
            next = read?;
        }
        damage.sort_by_key(|damage| damage.offset);
        Ok(damage)
    }

    /// Decodes the first of the remaining blocks; `None` at the end.
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
        // The results of damaged blocks are missing, so that the others can no longer be assigned to their blocks.
        let parts = if found.is_empty() {
            blocks.iter().zip(read.into_iter().map(Some)).map(part).collect()
        } else {
            damage.extend(found);
            self.one_by_one(selection, blocks)?.into_iter().map(part).collect()
        };
        let mut next_stamps = vec![None; self.threads.len()];
        rest.iter().for_each(|block| {
            next_stamps[place(block.thread)].get_or_insert(block.min_stamp);
        });
        Ok(Some(Batch { parts, next_stamps }))
    }

    /// Decodes the blocks one at a time to find the damaged blocks. Only called after a batch could not be decoded.
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

/// Number of first blocks that form a batch: within the limits, but at least one.
fn few_of(trace: &Trace, blocks: &[BlockInfo], max_records: u64) -> usize {
    let (mut records, mut decoded_bytes) = (0, 0);
    let within = blocks.iter().take(BATCH_BLOCKS).take_while(|block| {
        let bytes = trace.decoded_bytes(block);
        let fits = records < max_records && (records == 0 || decoded_bytes + bytes <= BATCH_DECODED_BYTES);
        records += u64::from(block.records);
        decoded_bytes += bytes;
        fits
    });
    within.count()
}

/// The position before which all items have come: a stamp and a thread's index. `floors` has the stamp of each thread's
/// next item.
pub(crate) fn floor(floors: impl Iterator<Item = Option<u64>>) -> Option<(u64, usize)> {
    floors.enumerate().filter_map(|(thread, stamp)| Some((stamp?, thread))).min()
}

/// Calls `give` with the items of the threads' queues in the order of (stamp, thread); the items of one thread stay in
/// order. Ends at `floor`, or without one when the queues are empty.
pub(crate) fn in_order<T>(
    queues: &mut [VecDeque<T>],
    stamp: impl Fn(&T) -> u64,
    floor: Option<(u64, usize)>,
    mut give: impl FnMut(usize, T) -> Result<(), AnalyzeError>,
) -> Result<(), AnalyzeError> {
    let next = |queues: &[VecDeque<T>], thread: usize| queues[thread].front().map(|first| (stamp(first), thread));
    loop {
        // A linear search, because threads are few.
        let (mut min, mut limit) = (None, floor);
        for key in (0..queues.len()).filter_map(|thread| next(queues, thread)) {
            match min {
                Some(known) if known < key => limit = Some(limit.map_or(key, |limit| key.min(limit))),
                known => {
                    limit = known.into_iter().chain(limit).min();
                    min = Some(key);
                }
            }
        }
        let Some((_, thread)) = min else { return Ok(()) };
        // Items of one thread are emitted until another thread is next, so that a run of them costs one search.
        let mut has_emitted = false;
        while let Some(key) = next(queues, thread)
            && limit.is_none_or(|limit| key < limit)
        {
            let Some(first) = queues[thread].pop_front() else { break };
            give(thread, first)?;
            has_emitted = true;
        }
        if !has_emitted {
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
        fn queued_items_come_in_order_of_stamp_and_thread_up_to_the_floor(
            mut stamps in prop::collection::vec(prop::collection::vec(0_u64..40, 0..12), 0..5),
            cut in prop::option::of((0_u64..40, 0_usize..5)),
        ) {
            stamps.iter_mut().for_each(|stamps| stamps.sort_unstable());
            let mut queues: Vec<VecDeque<u64>> = stamps.iter().cloned().map(VecDeque::from).collect();
            let mut emitted = Vec::new();
            in_order(&mut queues, |stamp| *stamp, cut, |thread, stamp| { emitted.push((stamp, thread)); Ok(()) }).unwrap();
            let all = stamps.iter().enumerate().flat_map(|(thread, stamps)| stamps.iter().map(move |stamp| (*stamp, thread)));
            let mut expected: Vec<_> = all.filter(|key| cut.is_none_or(|cut| *key < cut)).collect();
            expected.sort_unstable();
            prop_assert_eq!(&emitted, &expected);
            let left: usize = queues.iter().map(VecDeque::len).sum();
            prop_assert_eq!(left + emitted.len(), stamps.iter().map(Vec::len).sum::<usize>());
        }
    }
}
