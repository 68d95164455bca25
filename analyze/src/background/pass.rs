//! Passes: from one SetBackgroundProcessingMode to the next.

use taut_schemas::{BackgroundProcessingMode, MeasurementsAction};

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls of QueueProcessingWork that the runtime accepted.
    pub opportunities: u64,
    /// Tasks that came into the queue: the opportunities but for those cancelled at once.
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
    /// Results that it abandoned.
    pub abandoned: u64,
    /// Frames that ended.
    pub frames: u64,
    /// Draws submitted and done.
    pub draws: u64,
    /// Those that a variant served.
    pub draws_served: u64,
    /// Those before which a guard did not hold.
    pub guard_misses: u64,
    /// Instructions of the shader form that the draws executed, guards included.
    pub executed: u64,
    /// Instructions that the generic shaders execute for them.
    pub generic_executed: u64,
    /// Those whose code had counters in it.
    pub counted_draws: u64,
    /// Instructions of counters, of those executed.
    pub counter_executed: u64,
    /// Instructions that reading constants and launching groups took, of those executed.
    pub tuned_executed: u64,
    /// What they would take untuned, of those of the generic shaders.
    pub untuned_executed: u64,
}

impl Counts {
    /// Both together.
    pub fn plus(self, other: &Counts) -> Counts {
        Counts {
            opportunities: self.opportunities + other.opportunities,
            queued: self.queued + other.queued,
            started: self.started + other.started,
            finished: self.finished + other.finished,
            cancelled: self.cancelled + other.cancelled,
            failed: self.failed + other.failed,
            variants: self.variants + other.variants,
            abandoned: self.abandoned + other.abandoned,
            frames: self.frames + other.frames,
            draws: self.draws + other.draws,
            draws_served: self.draws_served + other.draws_served,
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

/// A pass. It begins where SetBackgroundProcessingMode, accepted, begins, so what the driver queues inside belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// When it began, in ticks; of the first pass, the trace's first stamp.
    pub began_stamp: u64,
    /// The thread that made the call; none for the first pass.
    pub thread: Option<u32>,
    /// The mode in force; of the first pass ALLOWED (rule B-20).
    pub mode: BackgroundProcessingMode,
    /// What was to become of the measurements; of the first pass KEEP_ALL.
    pub action: MeasurementsAction,
    /// The driver was asked whether it desires further measurements, in a call that can say so.
    pub asked: bool,
    /// Whether it does; none if it was not asked, or left its answer unwritten.
    pub further_desired: Option<bool>,
    /// The driver read measurements of draws that were submitted in it.
    pub measured: bool,
    /// Opportunities that were found while SetBackgroundProcessingMode was called: by what was measured before.
    pub found_at_begin: u64,
    /// What happened in it.
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
            asked: false,
            further_desired: None,
            measured: false,
            found_at_begin: 0,
            counts: Counts::default(),
        }
    }
}
