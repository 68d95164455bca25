//! Extraction of columns for analysis: decodes only the wanted slots, all blocks in parallel.

use crate::Trace;
use crate::format::block_info::BlockInfo;
use crate::format::error::{Damage, ReadError};
use crate::read::block::Block;
use crate::read::extracted::{Column, EventColumns, Extract, ThreadExtract};
use crate::read::gather::Gatherer;
use crate::read::selection::{Heads, Selection};
use crate::read::wanted::Wanted;
use rayon::prelude::*;
use std::collections::BTreeMap;

impl Trace {
    /// Extracts columns from every block that can be read, in parallel.
    ///
    /// # Errors
    /// The selection names an event or a field that the schema table does not have. Damage is not an error: see
    /// [`Extract::damage`].
    pub fn extract(&self, selection: &Selection) -> Result<Extract, ReadError> {
        let (parts, mut damage) = self.blocks_of(selection, self.blocks(), Heads::CodesAndStamps, |part| part)?;
        damage.splice(..0, self.damage().iter().cloned());
        let mut threads = BTreeMap::<u32, Vec<ThreadExtract>>::new();
        for part in parts {
            threads.entry(part.thread).or_default().push(part);
        }
        // Threads are joined in parallel; the columns of one thread are joined by one worker.
        let parts: Vec<Vec<ThreadExtract>> = threads.into_values().collect();
        let threads = parts.into_par_iter().map(join).collect();
        Ok(Extract { threads, damage })
    }

    /// Calls `visit` with the selected columns of each block, in parallel, and returns the results in file order.
    /// Queries whose partial results can be combined, such as sums and counts, avoid concatenating columns this way.
    /// The chunks have no `codes` and no `stamps`.
    ///
    /// # Errors
    /// As [`extract`](Self::extract).
    pub fn scan<T: Send>(
        &self,
        selection: &Selection,
        visit: impl Fn(ThreadExtract) -> T + Sync,
    ) -> Result<(Vec<T>, Vec<Damage>), ReadError> {
        let (parts, mut damage) = self.blocks_of(selection, self.blocks(), Heads::None, visit)?;
        damage.splice(..0, self.damage().iter().cloned());
        Ok((parts, damage))
    }

    /// Same as [`scan`](Self::scan) for some of [`blocks`](Self::blocks) only, with the per-record data that `heads`
    /// selects: lets callers process a trace of any size a few blocks at a time. The damage is that of these blocks; a
    /// damaged block has no chunk.
    ///
    /// # Errors
    /// As [`extract`](Self::extract).
    pub fn scan_blocks<T: Send>(
        &self,
        selection: &Selection,
        blocks: &[BlockInfo],
        heads: Heads,
        visit: impl Fn(ThreadExtract) -> T + Sync,
    ) -> Result<(Vec<T>, Vec<Damage>), ReadError> {
        self.blocks_of(selection, blocks, heads, visit)
    }

    /// Extracts the selection from each of `blocks`.
    fn blocks_of<T: Send>(
        &self,
        selection: &Selection,
        blocks: &[BlockInfo],
        heads: Heads,
        visit: impl Fn(ThreadExtract) -> T + Sync,
    ) -> Result<(Vec<T>, Vec<Damage>), ReadError> {
        let wanted = Wanted::new(&self.header().schema, &self.walks, selection)?;
        let blocks: Vec<Result<T, Damage>> = self.each_block(blocks, Gatherer::new, |gatherer, info| {
            self.count_read(info);
            let block = Block::read(self.source(), info)?;
            let part = gatherer.gather(&block, self, &wanted, heads).map(&visit);
            self.release_pages(info);
            part
        });
        let mut damage = Vec::new();
        let mut parts = Vec::with_capacity(blocks.len());
        for block in blocks {
            match block {
                Ok(part) => parts.push(part),
                Err(found) => damage.push(found),
            }
        }
        Ok((parts, damage))
    }
}

/// Concatenates a thread's chunks, column by column, so that source memory is freed as it is copied.
fn join(mut parts: Vec<ThreadExtract>) -> ThreadExtract {
    if parts.len() == 1 {
        return parts.pop().unwrap_or_default();
    }
    let Some(first) = parts.first() else { return ThreadExtract::default() };
    let (thread, events) = (first.thread, first.columns.len());
    let codes = concat(&mut parts, |part| std::mem::take(&mut part.codes));
    let stamps = concat(&mut parts, |part| std::mem::take(&mut part.stamps));
    let columns = (0..events).map(|event| {
        let (code, fields) = (parts[0].columns[event].code, parts[0].columns[event].fields.len());
        let fields = (0..fields).map(|field| {
            let taken = parts.iter_mut().map(|part| {
                let (name, column) = &mut part.columns[event].fields[field];
                (std::mem::take(name), std::mem::replace(column, Column::Numbers(Vec::new())))
            });
            join_field(taken.collect())
        });
        EventColumns { code, fields: fields.collect() }
    });
    let columns = columns.collect();
    ThreadExtract { thread, codes, stamps, columns }
}

fn concat<P, T: Copy>(parts: &mut [P], mut take: impl FnMut(&mut P) -> Vec<T>) -> Vec<T> {
    let taken: Vec<Vec<T>> = parts.iter_mut().map(&mut take).collect();
    let mut whole = Vec::with_capacity(taken.iter().map(Vec::len).sum());
    taken.into_iter().for_each(|part| whole.extend_from_slice(&part));
    whole
}

fn join_field(parts: Vec<(String, Column)>) -> (String, Column) {
    let mut parts = parts.into_iter();
    let Some((name, mut whole)) = parts.next() else { return (String::new(), Column::Numbers(Vec::new())) };
    let parts: Vec<Column> = parts.map(|(_, part)| part).collect();
    match &mut whole {
        Column::Numbers(numbers) => {
            numbers.reserve_exact(parts.iter().map(Column::len).sum());
            parts.iter().for_each(|part| numbers.extend_from_slice(part.numbers()));
        }
        _ => parts.into_iter().for_each(|part| whole.append(part)),
    }
    (name, whole)
}
