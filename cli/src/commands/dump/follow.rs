//! `taut dump --follow`: the events of a recording while it goes on.

use super::line::Printer;
use super::{known_event, wanted};
use crate::args::{Common, Dump};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::is_stdio;
use taut_console::traces::{open, tell_damage};
use taut_traces::{BlockInfo, Damage, Trace};

/// How often the recording is looked at.
const POLL: Duration = Duration::from_millis(100);

/// Events that were there so long ago are shown, even if some thread has not come so far: it may have nothing to say.
const SETTLED: Duration = Duration::from_secs(1);

/// Prints events as they come, until the recording ends.
pub fn run(dump: &Dump, common: Common) -> Outcome {
    if is_stdio(&dump.file) {
        return Err(Failure::usage(
            "--follow looks at a recording again and again: expected a file, found standard input",
        ));
    }
    let mut out = Printer::new(common.json);
    let mut follower = Follower::default();
    let mut is_first = true;
    loop {
        let trace = open(&dump.file)?;
        if let Some(event) = dump.event.as_ref().filter(|_| is_first) {
            known_event(&trace, event)?;
        }
        is_first = false;
        let is_over = !trace.recovery().is_some_and(|recovery| recovery.is_alive);
        let settled = if is_over { u64::MAX } else { follower.settled(&trace) };
        let (goes_on, damage) = follower.show(&trace, settled, dump, &mut out)?;
        out.print()?;
        if is_over || !goes_on {
            return Ok(tell_damage(&dump.file, &trace, &damage));
        }
        std::thread::sleep(POLL);
    }
}

/// What has been shown.
#[derive(Default)]
struct Follower {
    /// By thread, its records that have been.
    passed: BTreeMap<u32, u64>,
    /// When which stamp was the greatest, of late.
    greatest: VecDeque<(Instant, u64)>,
    /// Lines printed.
    shown: usize,
}

impl Follower {
    /// The stamp up to which nothing more is expected: every thread has come so far, or it was there some time ago.
    fn settled(&mut self, trace: &Trace) -> u64 {
        let mut reached = BTreeMap::new();
        for block in trace.blocks() {
            let stamp = reached.entry(block.thread).or_insert(0);
            *stamp = block.greatest_stamp.max(*stamp);
        }
        let greatest = reached.values().max().copied().unwrap_or(0);
        let now = Instant::now();
        self.greatest.push_back((now, greatest));
        let is_old = |at: &Instant| now.duration_since(*at) >= SETTLED;
        while self.greatest.get(1).is_some_and(|(at, _)| is_old(at)) {
            self.greatest.pop_front();
        }
        let old = self.greatest.front().filter(|(at, _)| is_old(at)).map_or(0, |(_, stamp)| *stamp);
        reached.values().min().copied().unwrap_or(0).max(old)
    }

    /// Shows what is new up to this stamp. Gives whether there may be more to show, and the damage met.
    fn show(
        &mut self,
        trace: &Trace,
        settled: u64,
        dump: &Dump,
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
            let line = out.line(trace, &row)?;
            if dump.to.is_some_and(|to| row.stamp > to) || dump.limit.is_some_and(|limit| self.shown >= limit) {
                return Ok((false, Vec::new()));
            }
            if wanted(dump, trace, &row) {
                out.add(trace, &line)?;
                self.shown += 1;
            }
        }
        let goes_on = dump.limit.is_none_or(|limit| self.shown < limit);
        Ok((goes_on, rows.damage().to_vec()))
    }
}
