//! Passes. A pass is the time between two successive accepted calls of SetBackgroundProcessingMode.

use taut_schemas::{BackgroundProcessingMode, MeasurementsAction};

/// Numbers of events in a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls of QueueProcessingWork that the runtime accepted.
    pub opportunities: u64,
    /// Tasks that entered the queue: opportunities minus tasks that were cancelled at once.
    pub queued: u64,
    /// Tasks that started.
    pub started: u64,
    /// Tasks that ran to their end, including tasks whose work failed.
    pub finished: u64,
    /// Tasks that were cancelled: in the queue, or before they entered it.
    pub cancelled: u64,
    /// Tasks whose work failed.
    pub failed: u64,
    /// Shader variants that the driver installed.
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
    /// Shader instructions that the draws executed, including those of guards.
    pub executed: u64,
    /// Shader instructions that the same draws execute with the generic shaders.
    pub generic_executed: u64,
    /// Draws whose code contained counters.
    pub counted_draws: u64,
    /// Part of `executed` that counters executed.
    pub counter_executed: u64,
    /// Part of `executed` for reading constants and launching groups.
    pub tuned_executed: u64,
    /// Part of `generic_executed` for reading constants and launching groups without tuning.
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

/// A pass. The pass begins with the start of the accepted SetBackgroundProcessingMode call and includes the tasks that are
/// queued during the call. The first pass is the time before the first call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Stamp of the begin of the pass, in ticks; for the first pass, the trace's first stamp.
    pub began_stamp: u64,
    /// Thread of the SetBackgroundProcessingMode call; `None` for the first pass.
    pub thread: Option<u32>,
    /// Mode that the call sets; ALLOWED for the first pass (rule B-20).
    pub mode: BackgroundProcessingMode,
    /// The call's action on measurements; KEEP_ALL for the first pass.
    pub action: MeasurementsAction,
    /// True if the call queried whether further measurements are desired, and the driver was notified of the call. Without
    /// a notification, the runtime answers for the driver (rule B-09).
    pub queried: bool,
    /// The driver's answer to that query; `None` if there was no query or the driver wrote no answer.
    pub further_desired: Option<bool>,
    /// True if the driver read measurements of draws that were submitted in this pass.
    pub measured: bool,
    /// Part of `counts.opportunities` that the driver found during the SetBackgroundProcessingMode call, from measurements
    /// of earlier passes.
    pub found_at_begin: u64,
    pub counts: Counts,
}

impl Pass {
    /// Returns the first pass, without counts.
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
