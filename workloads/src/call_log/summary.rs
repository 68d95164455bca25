//! Summary of playing a log.

use super::answers::{Comparison, Difference};
use super::difference::Differences;
use super::line_source::Numbering;
use super::plan::Changes;
use serde::Serialize;
use std::fmt;
use taut_schemas::{DifferenceKind, HResultCode, counted, grouped};

/// Maximum number of failures stored; the others are only counted.
const MAX_FAILURES: usize = 16;

/// Call that succeeded in the log and failed now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Sequence number of the line.
    pub seq: u64,
    pub call: &'static str,
    /// Return value.
    pub hr: HResultCode,
}

/// Summary of playing a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// Lines that were played.
    pub lines: u64,
    /// API calls made for these lines.
    pub calls: u64,
    /// Lines that are a workload phase instead of a call.
    pub phases: u64,
    /// Lines without a call or a phase: they name an object that could not be created, or had a null output pointer.
    pub lines_without_call: u64,
    /// Lines that mark a frame.
    pub frames: u64,
    /// Additional queries of buffer addresses, because the log names a buffer and an offset; not counted in `calls`.
    pub addresses_queried: u64,
    /// Application threads.
    pub threads: u32,
    /// Calls that succeeded in the log and failed now.
    pub failures: u64,
    /// The first of these, at most 16.
    pub first_failures: Vec<Failure>,
    /// Calls that failed in the log and succeeded now; their objects were released at once by an additional call.
    pub unexpected_successes: u64,
    /// Changes for the driver in use.
    pub changes: Changes,
    /// Answers to the log's GetResourceAllocationInfo calls, compared with the logged answers.
    pub answers: Comparison,
    /// Total sizes of the log's GetCopyableFootprints calls, compared with the logged sizes.
    pub footprints: Comparison,
    /// Calls whose success or answer differs from the log, in groups with their reasons.
    pub differences: Differences,
    /// Numbers of the lines in the file.
    #[serde(skip)]
    pub(super) numbering: Numbering,
}

impl RunSummary {
    /// Returns the number of a line in the file.
    pub(super) fn number(&self, seq: u64) -> u64 {
        seq.saturating_add(self.numbering.first)
    }

    /// Writes the differences of one kind.
    fn write_differences(&self, f: &mut fmt::Formatter<'_>, kind: DifferenceKind) -> fmt::Result {
        self.differences.write(f, kind, self.numbering.unit)
    }

    pub(super) fn add_failure(&mut self, seq: u64, call: &'static str, hr: HResultCode) {
        self.failures += 1;
        if self.first_failures.len() < MAX_FAILURES {
            self.first_failures.push(Failure { seq, call, hr });
        }
    }
}

impl RunSummary {
    fn compared(&self, f: &mut fmt::Formatter<'_>, what: &str, comparison: &Comparison) -> fmt::Result {
        counts(f, what, comparison)?;
        for Difference { seq, logged, live } in &comparison.first {
            let line = grouped(self.number(*seq));
            let (logged, live) = ((logged.size_bytes, logged.alignment_bytes), (live.size_bytes, live.alignment_bytes));
            write!(f, "\n  line {line}: size {} alignment {} in the log, ", logged.0, logged.1)?;
            write!(f, "size {} alignment {} here", live.0, live.1)?;
        }
        Ok(())
    }
}

/// Prints one line per count; zero counts are omitted, except in the first line.
impl fmt::Display for RunSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunSummary { lines, calls, phases, threads, changes, answers, .. } = self;
        let (calls, phases) = (counted(*calls, "call"), counted(*phases, "phase mark"));
        let (lines, threads) = (counted(*lines, "line"), counted(u64::from(*threads), "thread"));
        write!(f, "{lines}: {calls} and {phases} on {threads}")?;
        fact(f, self.frames, "line", "marked a frame")?;
        fact(f, self.addresses_queried, "buffer", "queried for its address as well, because a line uses the address")?;
        fact(f, self.lines_without_call, "line", "made no call")?;
        fact(f, self.failures, "call", "failed that succeeded in the log")?;
        self.write_differences(f, DifferenceKind::REFUSED)?;
        fact(
            f,
            self.unexpected_successes,
            "call",
            "succeeded that failed in the log; the created objects were released",
        )?;
        self.write_differences(f, DifferenceKind::ACCEPTED)?;
        fact(
            f,
            changes.flags_dropped,
            "resource",
            "created without the tight flag, which the driver does not support",
        )?;
        fact(f, changes.resources_repacked, "placement", "redone by first fit, because the driver's answers differ")?;
        if changes.heaps_grown > 0 {
            let (heaps, bytes) = (counted(changes.heaps_grown, "heap"), counted(changes.heap_growth_bytes, "byte"));
            write!(f, "\n{heaps} grown by {bytes} in all")?;
        }
        fact(f, changes.heaps_realigned, "heap", "aligned more coarsely")?;
        counts(f, "allocation infos queried by the application", answers)?;
        self.write_differences(f, DifferenceKind::ANSWER)?;
        if self.differences.other_calls > 0 {
            write!(f, "\n  {} for other reasons", counted(self.differences.other_calls, "call"))?;
        }
        if changes.infos.equal + changes.infos.different > 0 {
            self.compared(f, "allocation infos of created resources", &changes.infos)?;
        }
        if self.footprints.equal + self.footprints.different > 0 {
            self.compared(f, "total bytes of copyable footprints", &self.footprints)?;
        }
        Ok(())
    }
}

fn fact(f: &mut fmt::Formatter<'_>, count: u64, thing: &str, what: &str) -> fmt::Result {
    if count == 0 { Ok(()) } else { write!(f, "\n{} {what}", counted(count, thing)) }
}

fn counts(f: &mut fmt::Formatter<'_>, what: &str, comparison: &Comparison) -> fmt::Result {
    let Comparison { equal, different, .. } = comparison;
    write!(f, "\n{what}: {} equal to the log's, {} different", grouped(*equal), grouped(*different))
}
