//! The records of a trace, one after another.

use crate::Trace;
use crate::block_info::BlockInfo;
use crate::block_rows::BlockRows;
use crate::column_decoder::ColumnDecoder;
use crate::cursor::Cursor;
use crate::error::Damage;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use taut_schemas::EventCode;

/// One record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Its stamp, in ticks of the header's clock.
    pub stamp: u64,
    /// Thread that recorded it.
    pub thread: u32,
    /// Which event it is.
    pub code: EventCode,
    /// Its fields in row form, byte for byte what the encoder wrote.
    pub payload: &'a [u8],
}

/// The records of all threads, in order of (stamp, thread); those of one thread in the order they were recorded.
///
/// Blocks are read as they are needed, one per thread at a time: those of the same time. Damaged ones are skipped: see
/// [`damage`](Self::damage).
pub struct Rows<'a> {
    trace: &'a Trace,
    decoder: ColumnDecoder,
    threads: Vec<(u32, Cursor)>,
    /// Next record of every thread but the current one: stamp, or one that is not above it, and index into `threads`, whose
    /// order is that of their numbers.
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    /// The thread whose turn it is, and the record of another before which it must end.
    turn: Option<(usize, (u64, usize))>,
    /// Memory of blocks that are at their end.
    free: Vec<BlockRows>,
    begun: bool,
    damage: Vec<Damage>,
}

impl Trace {
    /// The records of all threads, in order of (stamp, thread).
    pub fn rows(&self) -> Rows<'_> {
        self.rows_of(|_| true)
    }

    /// The records of the blocks that are wanted, in order of (stamp, thread). The others are not read.
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
        }
    }

    /// The damage met so far, that of opening the trace included.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// The next record, which lasts until the one after it is asked for; `None` at the end.
    #[inline]
    pub fn next_row(&mut self) -> Option<Row<'_>> {
        while let Some(index) = self.choose() {
            // A row that is returned stays borrowed; so whether there is one has to be known before it is fetched.
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

    /// Index of the thread with the next record. A thread keeps its turn as long as its stamps are the least.
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
                // Not before it is needed: of very many threads, few have blocks of the same time.
                None => {
                    let read = cursor.read(self.trace, &mut self.decoder, &mut self.free);
                    self.damage.extend(read.err());
                }
            }
            self.wait(index);
        }
    }

    /// Has a thread wait for its turn, if it has more records.
    fn wait(&mut self, index: usize) {
        let cursor = &mut self.threads[index].1;
        cursor.give_back(&mut self.free);
        self.heap.extend(cursor.floor().map(|stamp| Reverse((stamp, index))));
    }
}
