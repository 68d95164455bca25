//! Figures of each pass.

use super::pipelines::{ratio, saving_ratio};
use crate::analysis::Analysis;
use crate::background::{Background, Counts, Pass};
use crate::events::Events;
use crate::reports::figures::figures;
use taut_schemas::{BackgroundProcessingMode, MeasurementsAction};

figures! {
    /// Figures of a pass: the time from one SetBackgroundProcessingMode call to the next.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PassFigures {
        opportunities: u64, Count, same;
        tasks_queued: u64, Count, same;
        tasks_started: u64, Count, same;
        tasks_finished: u64, Count, same;
        tasks_cancelled: u64, Count, same;
        variants: u64, Count, same;
        presents: u64, Count, same;
        draws: u64, Count, same;
        variant_draws: u64, Count, same;
        guard_misses: u64, Count, same;
        executed: u64, Count, same;
        generic_executed: u64, Count, same;
        saving_ratio: Option<f64>, Ratio, same;
        counted_draws: u64, Count, same;
        counter_ratio: Option<f64>, Ratio, same;
        pass: u64, Id, "Number of the pass; 0 is the time before the first call.";
        mode: String, Text, "D3D12_BACKGROUND_PROCESSING_MODE without its prefix; before the first call ALLOWED.";
        action: String, Text, "D3D12_MEASUREMENTS_ACTION without its prefix.";
        at_stamp: u64, Stamp, "Stamp of the call, or of the record that shows a finding.";
        duration_ns: Option<u64>, Nanoseconds, "Duration of the pass.";
        further_desired: Option<bool>, Flag, "Answer of the driver: true if it desires further measurements; null if it was not queried, does not support the query or left its answer unwritten.";
    }
}

/// Instructions of counters, divided by all other instructions.
pub(super) fn counter_ratio(counts: &Counts) -> Option<f64> {
    ratio(counts.counter_executed, counts.executed.saturating_sub(counts.counter_executed))
}

/// Figures of all passes, in order.
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
        variant_draws: pass.counts.variant_draws,
        guard_misses: pass.counts.guard_misses,
        executed: pass.counts.executed,
        generic_executed: pass.counts.generic_executed,
        saving_ratio: saving_ratio(pass.counts.executed, pass.counts.generic_executed),
        counted_draws: pass.counts.counted_draws,
        counter_ratio: counter_ratio(&pass.counts),
    };
    background.passes.iter().zip((0..).zip(ends)).map(figures).collect()
}
