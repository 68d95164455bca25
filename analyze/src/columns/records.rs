//! The records of a trace that a table or report asked for, joined and in order.

use super::{Events, JoinedThread, LineKind, Lines, Selecting, ThreadFields, join};
use crate::error::AnalyzeError;
use rayon::prelude::*;
use taut_traces::{Damage, Extract, Trace};

/// Joined records of all threads, and the fields that were selected.
#[derive(Debug)]
pub(crate) struct Records {
    extract: Extract,
    /// Per thread, in thread order.
    pub threads: Vec<JoinedThread>,
    /// API calls and workload phases of all threads, in order.
    pub lines: Lines,
}

impl Records {
    /// Reads and joins.
    ///
    /// # Errors
    /// The trace's table lacks a selected field.
    pub fn read(trace: &Trace, mut selecting: Selecting) -> Result<Records, AnalyzeError> {
        let events = Events::new(&trace.header().schema);
        if let Some(position) = events.mark("LogPosition") {
            selecting.required(position, &["seq"])?;
        }
        let extract = trace.extract(&selecting.finish())?;
        let outermost = events.outermost();
        let threads = extract.threads.par_iter();
        let threads: Vec<_> =
            threads.map(|thread| join(thread.thread, &thread.codes, &thread.stamps, &outermost)).collect();
        let fields: Vec<_> = extract.threads.iter().map(ThreadFields::new).collect();
        let mut lines = Lines::new(events, &threads);
        // A lost call is not counted: the numbers of those after it would be wrong.
        let summary = trace.summary();
        if extract.damage.is_empty() && summary.complete && summary.lost_events == 0 {
            lines.number(events, &threads, &fields);
        }
        Ok(Records { extract, threads, lines })
    }

    /// The selected fields, per thread.
    pub fn fields(&self) -> Vec<ThreadFields<'_>> {
        self.extract.threads.iter().map(ThreadFields::new).collect()
    }

    /// The damage in the blocks, whose records are missing, and that of opening the trace.
    pub fn damage(&self) -> &[Damage] {
        &self.extract.damage
    }

    /// For each thread and each of its calls, which API call it is or was made in, counted over all threads from 0 in
    /// the order of the lines; `None` where that call's start was lost.
    pub fn api_calls(&self) -> Vec<Vec<Option<u64>>> {
        let mut numbers: Vec<_> = self.threads.iter().map(|thread| vec![None; thread.calls.len()]).collect();
        let calls = self.lines.lines.iter().filter_map(|line| match line.kind {
            LineKind::Call(index) => Some((line.thread_index as usize, index as usize)),
            LineKind::Phase => None,
        });
        for (number, (thread, index)) in (0..).zip(calls) {
            numbers[thread][index] = Some(number);
        }
        for (thread, numbers) in self.threads.iter().zip(&mut numbers) {
            for (index, call) in thread.calls.iter().enumerate() {
                // A call's parent stands before it.
                numbers[index] = numbers[index].or(call.parent.and_then(|parent| numbers[parent as usize]));
            }
        }
        numbers
    }
}
