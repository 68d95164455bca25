//! Iteration over the records of a trace.

use crate::Trace;
use crate::format::block_info::BlockInfo;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::error::Damage;
use crate::read::block_rows::BlockRows;
use crate::read::cursor::Cursor;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use taut_schemas::EventCode;

/// One record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Stamp, in ticks of the header's clock.
    pub stamp: u64,
    /// Number of the thread that recorded it.
    pub thread: u32,
    /// Code of the event.
    pub code: EventCode,
    /// Fields in row form, byte for byte as encoded.
    pub payload: &'a [u8],
}

/// Records of all threads, ordered by (stamp, thread). Records of one thread are in recording order.
///
/// Blocks are read on demand, one per thread at a time. Damaged blocks are skipped: see [`damage`](Self::damage).
pub struct Rows<'a> {
    trace: &'a Trace,
    decoder: ColumnDecoder,
    threads: Vec<(u32, Cursor)>,
    /// Next record of every thread but the current one: a lower bound of its stamp, and its index into `threads`, which
    /// are sorted by number.
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    /// Index of the current thread, and the next record of another thread, which bounds its turn.
    turn: Option<(usize, (u64, usize))>,
    /// Buffers of consumed blocks.
    free: Vec<BlockRows>,
    begun: bool,
    damage: Vec<Damage>,
    /// Size of the decoded blocks, and the size above which some are parked, in bytes.
    decoded_bytes: usize,
    max_decoded_bytes: usize,
}

/// Size of decoded blocks that is always permitted, in bytes. Concurrent blocks may be as many as there are threads,
/// and each may state 16 MiB of rows in a few bytes.
const DECODED_BYTES: usize = 64 << 20;

impl Trace {
    /// Records of all threads, ordered by (stamp, thread).
    pub fn rows(&self) -> Rows<'_> {
        self.rows_of(|_| true)
    }

    /// Records of the blocks that match `wanted`, ordered by (stamp, thread). The other blocks are not read.
    pub fn rows_of(&self, wanted: impl Fn(&BlockInfo) -> bool) -> Rows<'_> {
        Rows::new(self, wanted)
    }
}

impl<'a> Rows<'a> {
    fn new(trace: &'a Trace, wanted: impl Fn(&BlockInfo) -> bool) -> Rows<'a> {
        let mut blocks = BTreeMap::<u32, Vec<_>>::new();
        for block in trace.blocks().iter().filter(|block| wanted(block)) {
            blocks.entry(block.thread).or_default().push(block.clone());
        }
        let threads = blocks.into_iter().map(|(thread, blocks)| (thread, Cursor::new(blocks))).collect();
        Rows {
            trace,
            decoder: ColumnDecoder::new(),
            threads,
            heap: BinaryHeap::new(),
            turn: None,
            free: Vec::new(),
            begun: false,
            damage: trace.damage().to_vec(),
            decoded_bytes: 0,
            max_decoded_bytes: DECODED_BYTES.max(trace.source().file.len().saturating_mul(2)),
        }
    }

    /// Damage found so far, including damage found by opening the trace.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Next record, valid until the following call; `None` at the end.
    #[inline]
    pub fn next_row(&mut self) -> Option<Row<'_>> {
        while let Some(index) = self.choose() {
            // A returned row borrows `self`, so its existence has to be established before it is fetched.
            if let Err(damage) = self.threads[index].1.rows.ready(self.trace) {
                self.damage.push(damage);
                continue;
            }
            let (thread, cursor) = &mut self.threads[index];
            let (code, stamp, payload) = cursor.rows.next();
            return Some(Row { stamp, thread: *thread, code, payload });
        }
        None
    }

    /// Index of the thread with the next record. A thread keeps its turn as long as its stamps are the lowest.
    #[inline]
    fn choose(&mut self) -> Option<usize> {
        if let Some((index, limit)) = self.turn
            && let Some(stamp) = self.threads[index].1.rows.peek()
            && (stamp, index) < limit
        {
            return Some(index);
        }
        self.next_turn()
    }

    #[cold]
    fn next_turn(&mut self) -> Option<usize> {
        let waiting = match self.turn.take() {
            Some((index, _)) => index..index + 1,
            None if !self.begun => 0..self.threads.len(),
            None => 0..0,
        };
        self.begun = true;
        for index in waiting {
            self.wait(index);
            self.count(index);
        }
        loop {
            let Reverse((_, index)) = self.heap.pop()?;
            let cursor = &mut self.threads[index].1;
            let limit = self.heap.peek().map_or((u64::MAX, usize::MAX), |Reverse(next)| *next);
            match cursor.rows.peek() {
                Some(stamp) if (stamp, index) < limit => {
                    self.turn = Some((index, limit));
                    return Some(index);
                }
                Some(_) => {}
                // Blocks are read as late as possible: of very many threads, few have concurrent blocks.
                None => {
                    let read = cursor.read(self.trace, &mut self.decoder, &mut self.free);
                    self.damage.extend(read.err());
                    self.count(index);
                }
            }
            self.wait(index);
        }
    }

    /// Queues a thread for its turn, if it has more records.
    fn wait(&mut self, index: usize) {
        let cursor = &mut self.threads[index].1;
        cursor.recycle(&mut self.free);
        self.heap.extend(cursor.floor().map(|stamp| Reverse((stamp, index))));
    }

    /// Updates the total size of decoded blocks. Above the limit, the blocks with the latest next records are parked.
    fn count(&mut self, index: usize) {
        let cursor = &mut self.threads[index].1;
        let now = cursor.rows.decoded_bytes();
        let before = std::mem::replace(&mut cursor.counted_bytes, now);
        self.decoded_bytes = self.decoded_bytes + now - before;
        if now > before && self.decoded_bytes > self.max_decoded_bytes {
            self.park_others(index);
        }
    }

    /// Parks blocks of other threads until half of the limit is reached. Each pass over all threads frees that much, so
    /// that the time is not quadratic in the number of threads.
    fn park_others(&mut self, index: usize) {
        let decoded = |(other, (_, cursor)): (usize, &(u32, Cursor))| {
            (other != index && cursor.counted_bytes > 0).then(|| (cursor.rows.peek(), other))
        };
        let mut others: Vec<_> = self.threads.iter().enumerate().filter_map(decoded).collect();
        others.sort_unstable();
        while self.decoded_bytes > self.max_decoded_bytes / 2 {
            let Some((_, last)) = others.pop() else { return };
            let cursor = &mut self.threads[last].1;
            cursor.rows.park();
            self.decoded_bytes -= std::mem::take(&mut cursor.counted_bytes);
        }
    }
}
