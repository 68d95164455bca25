//! Calls and marks of all threads in one order, a few blocks at a time.
//!
//! A call is emitted when it has returned and all calls and marks that began before have been emitted. The blocks since
//! its start stay in memory until then.

use super::batches::{Batch, Batches, floor, in_order};
use super::join::{ColumnSelection, Joined, Place, ThreadJoin};
use super::lines::LineNumbers;
use super::{Column, Events, Selecting};
use crate::error::AnalyzeError;
use crate::events::Source;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use taut_schemas::{EventCode, Opcode, info, mark};
use taut_traces::{ThreadExtract, Trace};

/// A call or mark, in the order of all threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallRow {
    /// The call or mark.
    pub joined: Joined,
    /// Index of its thread in [`CallRows::threads`].
    pub thread_index: usize,
    /// Number of the API call that it is or was made in, counted over all threads from 0; none if that call's start was
    /// lost.
    pub call: Option<u64>,
    /// Line of the call log; none if there is none, or its number is unknown.
    pub seq: Option<u64>,
}

/// A batch of calls and marks, and their fields.
pub struct CallRows<'a> {
    /// Calls and marks in order.
    pub rows: Vec<CallRow>,
    /// Numbers of all threads.
    pub threads: &'a [u32],
    parts: &'a RetainedBlocks,
}

impl<'a> CallRows<'a> {
    /// The records of the block that a place is in.
    pub fn extract(&self, place: Place) -> &'a ThreadExtract {
        self.parts.get(place)
    }
}

/// Selects the calls and marks to read; API calls are always included.
pub struct CallStream<'a> {
    source: &'a Source,
    selecting: Selecting<'a>,
    selected: ColumnSelection,
}

impl<'a> CallStream<'a> {
    /// Selects all API calls, and these other calls and marks; `selecting` holds their fields.
    pub fn new(source: &'a Source, selecting: Selecting<'a>, others: impl Iterator<Item = EventCode>) -> Self {
        let events = Events::new(&source.trace().header().schema);
        let (outermost, api) = (events.outermost(), events.api_calls());
        let mut wanted = api.clone();
        others.for_each(|code| wanted[usize::from(code.0)] = true);
        CallStream { source, selecting, selected: ColumnSelection { outermost, api, wanted } }
    }

    /// Calls `visit` with batches until it breaks; at least once, maybe with an empty batch.
    ///
    /// # Errors
    /// The trace's table lacks a needed field, or `visit` failed.
    pub fn each<E: From<AnalyzeError> + Send>(
        self,
        mut visit: impl FnMut(CallRows<'_>) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<(), E> {
        let CallStream { source, mut selecting, selected } = self;
        let trace = source.trace();
        let lines = Lines::select(trace, &mut selecting)?;
        let batches = Batches::new(trace);
        let mut joining = Joining::new(batches.threads(), &selected, lines);
        let mut shown = false;
        let damage = batches.each(&selecting.finish(), |batch| -> Result<_, E> {
            let rows = joining.batch(batch)?;
            shown = true;
            let flow = visit(CallRows { rows, threads: batches.threads(), parts: &joining.parts })?;
            joining.forget();
            Ok(flow)
        })?;
        source.met(&damage);
        if !shown {
            // A trace without blocks is visited once, too.
            let _ = visit(CallRows { rows: Vec::new(), threads: &[], parts: &joining.parts })?;
        }
        Ok(())
    }
}

/// The blocks in memory.
#[derive(Debug, Default)]
struct RetainedBlocks {
    first: u64,
    parts: VecDeque<ThreadExtract>,
}

impl RetainedBlocks {
    /// Number of the next block.
    fn next(&self) -> u64 {
        self.first + self.parts.len() as u64
    }

    fn push(&mut self, part: ThreadExtract) {
        self.parts.push_back(part);
    }

    fn get(&self, place: Place) -> &ThreadExtract {
        &self.parts[(place.part - self.first) as usize]
    }

    fn forget_before(&mut self, part: u64) {
        while self.first < part && self.parts.pop_front().is_some() {
            self.first += 1;
        }
    }
}

/// Line numbers of a call log, and the marks that they depend on.
struct Lines {
    numbers: LineNumbers,
    /// Code of the marks that are lines themselves.
    phase: Option<EventCode>,
    position: Column<u64>,
}

impl Lines {
    /// Finds the marks; `None` if lines are not numbered.
    fn select(trace: &Trace, selecting: &mut Selecting<'_>) -> Result<Option<Lines>, AnalyzeError> {
        let position = selecting.needed(info::<mark::LogPosition>().seq())?;
        let position = position.filter(|position| LineNumbers::any(trace, position.code()));
        let phase = selecting.schema().find(info::<mark::WorkloadPhase>().event_ref()).map(|event| event.code);
        Ok(position.map(|position| Lines { numbers: LineNumbers::default(), phase, position }))
    }
}

/// Joins the threads' calls and sorts them.
struct Joining<'a> {
    selected: &'a ColumnSelection,
    numbers: &'a [u32],
    threads: Vec<ThreadJoin>,
    /// Per thread, the API call that began last.
    last_calls: Vec<Option<u64>>,
    calls: u64,
    parts: RetainedBlocks,
    /// Records of each code in the current block.
    rows: Vec<u32>,
    /// Line numbers, if lines are numbered.
    lines: Option<Lines>,
}

impl<'a> Joining<'a> {
    fn new(numbers: &'a [u32], selected: &'a ColumnSelection, lines: Option<Lines>) -> Self {
        Joining {
            selected,
            numbers,
            threads: numbers.iter().map(|_| ThreadJoin::default()).collect(),
            last_calls: vec![None; numbers.len()],
            calls: 0,
            parts: RetainedBlocks::default(),
            rows: Vec::new(),
            lines,
        }
    }

    /// Adds the blocks of a batch; returns the calls and marks that are complete by then.
    fn batch(&mut self, batch: Batch) -> Result<Vec<CallRow>, AnalyzeError> {
        for part in batch.parts {
            if part.block.lost_before > 0 || part.records.is_none() {
                self.threads[part.thread_index].gap();
            }
            match (part.records, &mut self.lines) {
                (Some(records), _) => self.part(part.thread_index, records),
                (None, Some(lines)) => lines.numbers.missing_from(part.block.min_stamp),
                (None, None) => {}
            }
        }
        if let Some(lines) = &mut self.lines {
            lines.numbers.sort();
        }
        let floor = floor(self.threads.iter().zip(&batch.next_stamps).map(|(thread, next)| thread.floor(*next)));
        let mut queues: Vec<VecDeque<Joined>> =
            self.threads.iter_mut().map(|thread| std::mem::take(&mut thread.waiting)).collect();
        let mut rows = Vec::new();
        in_order(
            &mut queues,
            |joined| joined.stamp,
            floor,
            |thread, joined| {
                rows.push(self.row(thread, joined));
                Ok(())
            },
        )?;
        self.threads.iter_mut().zip(queues).for_each(|(thread, queue)| thread.waiting = queue);
        Ok(rows)
    }

    fn row(&mut self, thread_index: usize, joined: Joined) -> CallRow {
        self.threads[thread_index].taken += 1;
        let is_call = self.selected.api[usize::from(joined.code.0)];
        if is_call {
            self.last_calls[thread_index] = Some(self.calls);
            self.calls += 1;
        }
        let number = self.numbers[thread_index];
        let seq = self.lines.as_mut().filter(|_| is_call).and_then(|lines| lines.numbers.of(joined.stamp, number));
        let call = self.last_calls[thread_index].filter(|_| is_call || joined.in_api);
        CallRow { joined, thread_index, call, seq }
    }

    /// Processes a thread's next block.
    fn part(&mut self, thread_index: usize, records: ThreadExtract) {
        let (thread, part) = (&mut self.threads[thread_index], self.parts.next());
        self.rows.clear();
        // Codes are 16 bits wide.
        self.rows.resize(1 << 16, 0);
        for (code, stamp) in records.codes.iter().zip(&records.stamps) {
            let next_row = &mut self.rows[usize::from(code.0)];
            thread.record(self.selected, *code, *stamp, Place { part, row: *next_row });
            *next_row += 1;
        }
        if let Some(Lines { numbers, phase, position }) = &mut self.lines {
            let is_line = |code: EventCode| {
                Some(code) == *phase || code.opcode() == Some(Opcode::Start) && self.selected.api[usize::from(code.0)]
            };
            let heads = || records.codes.iter().zip(&records.stamps);
            let lines = heads().filter(|(code, _)| is_line(**code)).map(|(_, stamp)| *stamp);
            let seqs = position.values(&records);
            let marks = heads().filter(|(code, _)| **code == position.code()).map(|(_, stamp)| *stamp);
            numbers.add(self.numbers[thread_index], lines, marks.zip((0..).map(|row| seqs.or_default(row))));
        }
        self.parts.push(records);
    }

    /// Drops the blocks that no waiting call refers to.
    fn forget(&mut self) {
        let needed = self.threads.iter().filter_map(|thread| thread.waiting.front()).map(|joined| joined.place.part);
        let needed = needed.min().unwrap_or_else(|| self.parts.next());
        self.parts.forget_before(needed);
    }
}
