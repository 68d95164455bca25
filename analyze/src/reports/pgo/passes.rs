//! What happened in each pass.

use super::pipelines::{ratio, saving_ratio};
use crate::analysis::Analysis;
use crate::background::{Background, Counts, Pass};
use crate::columns::Events;
use serde::Serialize;
use taut_schemas::{BackgroundProcessingMode, MeasurementsAction};

/// One pass.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassFigures {
    /// Its number.
    pub pass: u64,
    /// D3D12_BACKGROUND_PROCESSING_MODE without its prefix.
    pub mode: String,
    /// D3D12_MEASUREMENTS_ACTION without its prefix.
    pub action: String,
    /// Stamp of the call.
    pub at_stamp: u64,
    /// How long it lasted.
    pub duration_ns: Option<u64>,
    /// What the driver answered.
    pub further_desired: Option<bool>,
    /// Accepted calls of QueueProcessingWork.
    pub opportunities: u64,
    /// Tasks that came into the queue.
    pub tasks_queued: u64,
    /// Tasks that began.
    pub tasks_started: u64,
    /// Tasks that ended.
    pub tasks_finished: u64,
    /// Tasks that were cancelled.
    pub tasks_cancelled: u64,
    /// Variants installed.
    pub variants: u64,
    /// Presents.
    pub presents: u64,
    /// Draws submitted in it.
    pub draws: u64,
    /// Those that a variant served.
    pub draws_served: u64,
    /// Draws before which a guard did not hold.
    pub guard_misses: u64,
    /// Instructions executed.
    pub executed: u64,
    /// Instructions that the generic shaders execute.
    pub generic_executed: u64,
    /// What was saved of those.
    pub saving_ratio: Option<f64>,
    /// Draws whose code had counters in it.
    pub counted_draws: u64,
    /// What counters executed besides, as a part of all else.
    pub counter_ratio: Option<f64>,
}

/// Instructions of counters as a part of all others; none of nothing.
pub(super) fn counter_ratio(counts: &Counts) -> Option<f64> {
    ratio(counts.counter_executed, counts.executed.saturating_sub(counts.counter_executed))
}

/// All passes, in order.
pub(super) fn passes(analysis: &Analysis, background: &Background) -> Vec<PassFigures> {
    let events = Events::new(&analysis.trace().header().schema);
    let (modes, actions) = (events.names::<BackgroundProcessingMode>(), events.names::<MeasurementsAction>());
    let begins = background.passes.iter().skip(1).map(|next| next.began_stamp);
    let ends = begins.chain([background.span.1]);
    let figures = |(pass, (number, end)): (&Pass, (u64, u64))| PassFigures {
        pass: number,
        mode: modes.of(&pass.mode),
        action: actions.of(&pass.action),
        at_stamp: pass.began_stamp,
        duration_ns: analysis.time_ns(end.saturating_sub(pass.began_stamp)),
        further_desired: pass.further_desired,
        opportunities: pass.counts.opportunities,
        tasks_queued: pass.counts.queued,
        tasks_started: pass.counts.started,
        tasks_finished: pass.counts.finished,
        tasks_cancelled: pass.counts.cancelled,
        variants: pass.counts.variants,
        presents: pass.counts.frames,
        draws: pass.counts.draws,
        draws_served: pass.counts.draws_served,
        guard_misses: pass.counts.guard_misses,
        executed: pass.counts.executed,
        generic_executed: pass.counts.generic_executed,
        saving_ratio: saving_ratio(pass.counts.executed, pass.counts.generic_executed),
        counted_draws: pass.counts.counted_draws,
        counter_ratio: counter_ratio(&pass.counts),
    };
    background.passes.iter().zip((0..).zip(ends)).map(figures).collect()
}
