//! What playing a log gave.

use super::answers::{Comparison, Difference};
use super::plan::Changes;
use serde::Serialize;
use std::fmt;
use taut_schemas::{HResultCode, counted, grouped};

/// Failures that are kept; the others are only counted.
const KEPT: usize = 16;

/// A call that succeeded in the log, and failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The log's line.
    pub seq: u64,
    /// The call.
    pub call: &'static str,
    /// What it returned.
    pub hr: HResultCode,
}

/// What playing a log gave.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// Lines of the log that were played.
    pub lines: u64,
    /// API calls made for them.
    pub calls: u64,
    /// Lines that are a workload phase instead.
    pub phases: u64,
    /// Lines without either: they name what could not be created, or had a null output pointer.
    pub lines_without_call: u64,
    /// Lines that mark a frame.
    pub frames: u64,
    /// Addresses of buffers asked for, which the log names by buffer and offset; not among the calls.
    pub addresses_asked: u64,
    /// Application threads.
    pub threads: u32,
    /// Calls that succeeded in the log, and failed.
    pub failures: u64,
    /// The first of them.
    pub first_failures: Vec<Failure>,
    /// Calls that failed in the log, and succeeded; what they created was released at once, by a call of its own.
    pub unexpected_successes: u64,
    /// What was changed for the driver at hand.
    pub changes: Changes,
    /// The answers to the log's GetResourceAllocationInfo calls, compared with the log's.
    pub answers: Comparison,
    /// The total sizes of the log's GetCopyableFootprints calls, compared with the log's.
    pub footprints: Comparison,
}

impl RunSummary {
    pub(super) fn add_failure(&mut self, seq: u64, call: &'static str, hr: HResultCode) {
        self.failures += 1;
        if self.first_failures.len() < KEPT {
            self.first_failures.push(Failure { seq, call, hr });
        }
    }
}

/// One line per fact; what is 0 is left out, but for the first.
impl fmt::Display for RunSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunSummary { lines, calls, phases, threads, changes, answers, .. } = self;
        let (calls, phases) = (counted(*calls, "call"), counted(*phases, "phase mark"));
        let (lines, threads) = (counted(*lines, "line"), counted(u64::from(*threads), "thread"));
        write!(f, "{lines}: {calls} and {phases} on {threads}")?;
        fact(f, self.frames, "line", "marked a frame")?;
        fact(f, self.addresses_asked, "buffer", "asked for the address besides, because a line uses it")?;
        fact(f, self.lines_without_call, "line", "made no call")?;
        fact(f, self.failures, "call", "failed that succeeded in the log")?;
        for Failure { seq, call, hr } in &self.first_failures {
            write!(f, "\n  line {}: {call} returned {hr:?}", grouped(line_of(*seq)))?;
        }
        fact(f, self.unexpected_successes, "call", "succeeded that failed in the log; what they created was released")?;
        fact(
            f,
            changes.flags_dropped,
            "resource",
            "created without the tight flag, which the driver does not support",
        )?;
        fact(f, changes.placements_redone, "placement", "redone by first fit, because the driver's answers differ")?;
        if changes.heaps_grown > 0 {
            let (heaps, bytes) = (counted(changes.heaps_grown, "heap"), counted(changes.heap_growth_bytes, "byte"));
            write!(f, "\n{heaps} grown by {bytes} in all")?;
        }
        fact(f, changes.heaps_realigned, "heap", "aligned more coarsely")?;
        compared(f, "allocation infos asked for by the application", answers)?;
        compared(f, "allocation infos of created resources", &changes.infos)?;
        if self.footprints.equal + self.footprints.different > 0 {
            compared(f, "total bytes of copyable footprints", &self.footprints)?;
        }
        Ok(())
    }
}

/// The line of the file, as an editor counts: from 1, and the first is the header.
fn line_of(seq: u64) -> u64 {
    seq.saturating_add(2)
}

fn fact(f: &mut fmt::Formatter<'_>, count: u64, thing: &str, what: &str) -> fmt::Result {
    if count == 0 { Ok(()) } else { write!(f, "\n{} {what}", counted(count, thing)) }
}

fn compared(f: &mut fmt::Formatter<'_>, what: &str, comparison: &Comparison) -> fmt::Result {
    let Comparison { equal, different, first } = comparison;
    write!(f, "\n{what}: {} equal to the log's, {} different", grouped(*equal), grouped(*different))?;
    for Difference { seq, logged, live } in first {
        let (logged, live) = ((logged.size_bytes, logged.alignment_bytes), (live.size_bytes, live.alignment_bytes));
        write!(f, "\n  line {}: size {} alignment {} in the log, ", grouped(line_of(*seq)), logged.0, logged.1)?;
        write!(f, "size {} alignment {} here", live.0, live.1)?;
    }
    Ok(())
}
