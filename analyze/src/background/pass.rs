//! Passes: from one SetBackgroundProcessingMode to the next.

use taut_schemas::{BackgroundProcessingMode, MeasurementsAction};

/// Counts of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls of QueueProcessingWork that the runtime accepted.
    pub opportunities: u64,
    /// Tasks that entered the queue: the opportunities without those cancelled at once.
    pub queued: u64,
    /// Tasks that began.
    pub started: u64,
    /// Tasks that ran to their end, failed ones too.
    pub finished: u64,
    /// Tasks that were cancelled, in the queue or at once.
    pub cancelled: u64,
    /// Tasks whose work failed.
    pub failed: u64,
    /// Variants that the driver installed.
    pub variants: u64,
    /// Results that the driver discarded.
    pub discarded: u64,
    /// Frames that ended.
    pub frames: u64,
    /// Draws submitted and completed.
    pub draws: u64,
    /// Draws for which a variant ran.
    pub variant_draws: u64,
    /// Draws before which a guard did not hold.
    pub guard_misses: u64,
    /// Instructions of the shader form that the draws executed, guards included.
    pub executed: u64,
    /// Instructions that the generic shaders execute for them.
    pub generic_executed: u64,
    /// Draws whose code had counters in it.
    pub counted_draws: u64,
    /// Instructions of counters, of `executed`.
    pub counter_executed: u64,
    /// Instructions for reading constants and launching groups, of `executed`.
    pub tuned_executed: u64,
    /// Instructions for the same without tuning, of `generic_executed`.
    pub untuned_executed: u64,
}

impl Counts {
    /// Adds two sets of counts.
    pub fn plus(self, other: &Counts) -> Counts {
        Counts {
            opportunities: self.opportunities + other.opportunities,
            queued: self.queued + other.queued,
            started: self.started + other.started,
            finished: self.finished + other.finished,
            cancelled: self.cancelled + other.cancelled,
            failed: self.failed + other.failed,
            variants: self.variants + other.variants,
            discarded: self.discarded + other.discarded,
            frames: self.frames + other.frames,
            draws: self.draws + other.draws,
            variant_draws: self.variant_draws + other.variant_draws,
            guard_misses: self.guard_misses + other.guard_misses,
            executed: self.executed.saturating_add(other.executed),
            generic_executed: self.generic_executed.saturating_add(other.generic_executed),
            counted_draws: self.counted_draws + other.counted_draws,
            counter_executed: self.counter_executed.saturating_add(other.counter_executed),
            tuned_executed: self.tuned_executed.saturating_add(other.tuned_executed),
            untuned_executed: self.untuned_executed.saturating_add(other.untuned_executed),
        }
    }
}

/// A pass. It begins with the start of an accepted SetBackgroundProcessingMode, so it includes tasks queued during the
/// call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Stamp of its begin, in ticks; for the first pass, the trace's first stamp.
    pub began_stamp: u64,
    /// The thread of the call; none for the first pass.
    pub thread: Option<u32>,
    /// The mode in force; for the first pass ALLOWED (rule B-20).
    pub mode: BackgroundProcessingMode,
    /// The action on measurements; for the first pass KEEP_ALL.
    pub action: MeasurementsAction,
    /// True if the driver was queried for further measurements, by a call that has a result.
    pub queried: bool,
    /// The driver's answer; none if it was not queried, or did not write its answer.
    pub further_desired: Option<bool>,
    /// True if the driver read measurements of draws that were submitted in the pass.
    pub measured: bool,
    /// Opportunities found during the SetBackgroundProcessingMode call, from earlier measurements.
    pub found_at_begin: u64,
    pub counts: Counts,
}

impl Pass {
    /// The time before the first call.
    pub(super) fn first() -> Pass {
        Pass {
            began_stamp: 0,
            thread: None,
            mode: BackgroundProcessingMode::ALLOWED,
            action: MeasurementsAction::KEEP_ALL,
            queried: false,
            further_desired: None,
            measured: false,
            found_at_begin: 0,
            counts: Counts::default(),
        }
    }
}
