//! `taut dump --follow`: prints the events of a recording in progress.

use super::line::Printer;
use crate::args::Common;
use crate::failure::failure;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};
use taut_app::dump::DumpOptions;
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::is_stdio;
use taut_console::traces::{open, report_damage};
use taut_traces::{BlockInfo, Damage, Trace};

/// Interval between two reads of the recording.
const POLL: Duration = Duration::from_millis(100);

/// Age at which events are printed even if a thread has not reached their stamp: the thread may be idle.
const SETTLED: Duration = Duration::from_secs(1);

/// Prints events as they are recorded, until the recording ends.
pub fn run(file: &Path, options: &DumpOptions, common: Common) -> Outcome {
    if is_stdio(file) {
        return Err(Failure::usage(
            "--follow looks at a recording again and again: expected a file, found standard input",
        ));
    }
    let mut out = Printer::new(common.json);
    let mut follower = Follower::default();
    let mut is_first = true;
    loop {
        let trace = open(file)?;
        if is_first {
            options.check_event(&trace).map_err(failure)?;
        }
        is_first = false;
        let is_over = !trace.recovery().is_some_and(|recovery| recovery.is_alive);
        let settled = if is_over { u64::MAX } else { follower.settled(&trace) };
        let (goes_on, damage) = follower.show(&trace, settled, options, &mut out)?;
        out.print()?;
        if is_over || !goes_on {
            return Ok(report_damage(file, &trace, &damage));
        }
        std::thread::sleep(POLL);
    }
}

/// Progress of the output.
#[derive(Default)]
struct Follower {
    /// Number of records processed, by thread.
    passed: BTreeMap<u32, u64>,
    /// Max stamp of the last reads, with the time of each read.
    max_stamp: VecDeque<(Instant, u64)>,
    shown: usize,
}

impl Follower {
    /// Stamp up to which no new events are expected: every thread has reached it, or it was the max stamp [`SETTLED`]
    /// ago.
    fn settled(&mut self, trace: &Trace) -> u64 {
        let mut reached = BTreeMap::new();
        for block in trace.blocks() {
            let stamp = reached.entry(block.thread).or_insert(0);
            *stamp = block.max_stamp.max(*stamp);
        }
        let max_stamp = reached.values().max().copied().unwrap_or(0);
        let now = Instant::now();
        self.max_stamp.push_back((now, max_stamp));
        let is_old = |at: &Instant| now.duration_since(*at) >= SETTLED;
        while self.max_stamp.get(1).is_some_and(|(at, _)| is_old(at)) {
            self.max_stamp.pop_front();
        }
        let old = self.max_stamp.front().filter(|(at, _)| is_old(at)).map_or(0, |(_, stamp)| *stamp);
        reached.values().min().copied().unwrap_or(0).max(old)
    }

    /// Prints the new events up to stamp `settled`. Returns false if no further event is to be printed, and the damage
    /// found.
    fn show(
        &mut self,
        trace: &Trace,
        settled: u64,
        options: &DumpOptions,
        out: &mut Printer,
    ) -> Result<(bool, Vec<Damage>), Failure> {
        let passed = self.passed.clone();
        let is_new = |block: &BlockInfo| {
            let records = block.records_before + u64::from(block.records);
            records > passed.get(&block.thread).copied().unwrap_or(0)
        };
        let mut at = BTreeMap::new();
        for block in trace.blocks().iter().filter(|block| is_new(block)) {
            at.entry(block.thread).or_insert(block.records_before);
        }
        let mut rows = trace.rows_of(is_new);
        while let Some(row) = rows.next_row() {
            if row.stamp > settled {
                break;
            }
            let at = at.entry(row.thread).or_insert(0);
            *at += 1;
            if *at <= passed.get(&row.thread).copied().unwrap_or(0) {
                continue;
            }
            self.passed.insert(row.thread, *at);
            // Every row is formatted, even if it is not printed: the indentation depends on all calls before it.
            let line = out.line(trace, &row)?;
            if options.is_after(&row) || options.limit.is_some_and(|limit| self.shown >= limit) {
                return Ok((false, Vec::new()));
            }
            if options.selects(trace, &row) {
                out.add(trace, &line)?;
                self.shown += 1;
            }
        }
        let goes_on = options.limit.is_none_or(|limit| self.shown < limit);
        Ok((goes_on, rows.damage().to_vec()))
    }
}
