//! Text of the pgo report: sums over the trace, and distributions.

use super::{Distribution, FrameCost, PgoFigures};
use crate::background::Pass;
use crate::render::{TextTable, counted, grouped, percent, span};

/// Rows of the table of sums.
struct Sums {
    table: TextTable,
}

impl Sums {
    fn row(&mut self, name: &str, value: impl Into<String>) {
        self.table.row(name, [value.into()]);
    }

    /// Adds a count that is left out if it is 0.
    fn row_if_any(&mut self, name: &str, count: u64) {
        if count > 0 {
            self.row(name, grouped(count));
        }
    }
}

/// Table of the sums over the trace.
pub(super) fn sums(figures: &PgoFigures, recorded: &[Pass]) -> TextTable {
    let mut sums = Sums { table: TextTable::new("Sums over the trace", ["", "Value"]) };
    let unwritten = recorded.iter().filter(|pass| pass.queried && pass.further_desired.is_none()).count() as u64;
    sums.row("frames", grouped(figures.presents));
    sums.row("passes (calls of SetBackgroundProcessingMode)", grouped(figures.mode_calls));
    sums.row("  answers of the driver", grouped(figures.driver_answers));
    sums.row_if_any("  answers that the driver left unwritten", unwritten);
    tasks(figures, &mut sums);
    if figures.draws > 0 {
        draws(figures, &mut sums);
    }
    machine_time(figures, &mut sums);
    if figures.tasks_started > 0 {
        concurrency(figures, &mut sums);
    }
    sums.table
}

fn tasks(figures: &PgoFigures, sums: &mut Sums) {
    sums.row("tasks requested by the driver", grouped(figures.opportunities));
    sums.row_if_any("  queued before the recording", figures.preexisting_tasks);
    sums.row("  queued", grouped(figures.tasks_queued));
    sums.row("  started", grouped(figures.tasks_started));
    sums.row("  finished", grouped(figures.tasks_finished));
    sums.row("  cancelled", grouped(figures.tasks_cancelled));
    sums.row_if_any("  failed, which removes the device", figures.tasks_failed);
    sums.row_if_any("  unfinished at the end of the recording", figures.tasks_left);
    sums.row_if_any("  tuning tasks, which build no variant", figures.tuning_tasks);
    sums.row_if_any("  with a priority that the system refused", figures.priorities_refused);
    sums.row("variants installed", grouped(figures.variants));
    sums.row("results discarded", grouped(figures.discarded));
    sums.row_if_any("specialisations not compiled (estimate too low)", figures.refused_by_estimate);
}

fn draws(figures: &PgoFigures, sums: &mut Sums) {
    sums.row("draws", grouped(figures.draws));
    sums.row("  with a variant", with_ratio(figures.variant_draws, figures.variant_draw_ratio));
    sums.row("  with a guard miss", grouped(figures.guard_misses));
    sums.row_if_any("  with counters in their code", figures.counted_draws);
    sums.row("instructions of the generic shaders", grouped(figures.generic_executed));
    sums.row("  executed", grouped(figures.executed));
    sums.row("  saved, all frames", optional(figures.saving_ratio, percent));
    if figures.counted_draws > 0 {
        sums.row("  counter cost, relative to all others", optional(figures.counter_ratio, percent));
    }
    if figures.tuned_saving_ratio.is_some() {
        sums.row("instructions for constant reads and group launches, untuned", grouped(figures.untuned_executed));
        sums.row("  tuned", grouped(figures.tuned_executed));
        sums.row("  saved", optional(figures.tuned_saving_ratio, percent));
    }
}

fn machine_time(figures: &PgoFigures, sums: &mut Sums) {
    let Some(time) = figures.time.as_ref().filter(|time| time.timed_draws > 0) else { return };
    let name = format!("machine time of the generic shaders (min of the runs, {})", counted(time.timed_draws, "draw"));
    sums.row(&name, span(time.time_before_ns));
    sums.row("  with variants", span(time.time_after_ns));
    sums.row("  saved", optional(time.time_saving_ratio, percent));
    sums.row("  instructions saved in the same draws", optional(time.counted_saving_ratio, percent));
    sums.row("  variants with contradicting time and instructions", grouped(time.disagreeing_variants));
    if let Some(ratio) = time.counting_time_ratio {
        sums.row("  counter cost, relative to code without counters", percent(ratio));
    }
    if let Some(pinned) = time.pinned_ratio.filter(|pinned| *pinned < 1.0) {
        sums.row("  runs pinned to one processor", percent(pinned));
    }
}

fn concurrency(figures: &PgoFigures, sums: &mut Sums) {
    let (concurrency, overlap) = (&figures.concurrency, &figures.overlap);
    sums.row("max concurrent tasks at idle priority", grouped(concurrency.max_idle_tasks));
    sums.row("max concurrent tasks above idle priority", grouped(concurrency.max_boosted_tasks));
    sums.row("mean concurrent tasks while any task ran", optional(concurrency.mean_tasks, |mean| format!("{mean:.2}")));
    sums.row(
        "frame times with a concurrent task",
        format!("{} of {}", grouped(overlap.frames_with_tasks), grouped(overlap.frames)),
    );
    if let (Some(mean), Some(worst), Some(frame)) = (overlap.mean_ratio, overlap.worst_ratio, overlap.worst_frame) {
        sums.row("  mean share of the frame time", percent(mean));
        let queue = overlap.worst_command_queue.map_or_else(String::new, |queue| format!(", command queue {queue}"));
        sums.row("  max share of the frame time", format!("{} (frame {frame}{queue})", percent(worst)));
    }
}

/// Table of p50, p95 and max of frames and tasks; `None` if nothing was measured.
pub(super) fn distributions(figures: &PgoFigures) -> Option<TextTable> {
    let titles = ["", "Count", "p50", "p95", "Max"];
    let mut table = TextTable::new("Distributions", titles);
    if let FrameCost { p50_instructions: Some(p50), p95_instructions: Some(p95), max_instructions: Some(max), .. } =
        figures.frame_cost
    {
        let cells = [figures.frame_cost.drawn_frames, p50, p95, max].map(grouped);
        table.row("instructions per frame", cells);
    }
    let mut times = vec![("frame time".to_owned(), figures.frame_time)];
    if figures.tasks_started > 0 && figures.interference.len() > 1 {
        let by_work = figures.interference.iter();
        times.extend(by_work.map(|one| (format!("  with {}", one.concurrent_work.words()), one.frame_time)));
    }
    if figures.tasks_started > 0 && figures.by_processor.len() > 1 {
        let by_processor = figures.by_processor.iter();
        times.extend(by_processor.map(|one| (format!("  with {}", one.tasks_on.words()), one.frame_time)));
    }
    times.extend([
        ("queue wait of a task".to_owned(), figures.queue_wait),
        ("run time of a task".to_owned(), figures.run_time),
    ]);
    for (name, distribution) in times {
        let Distribution { count, p50_ns: Some(p50), p95_ns: Some(p95), max_ns: Some(max) } = distribution else {
            continue;
        };
        table.row(name, [grouped(count), span(p50), span(p95), span(max)]);
    }
    (!table.rows.is_empty()).then_some(table)
}

fn with_ratio(count: u64, ratio: Option<f64>) -> String {
    ratio.map_or_else(|| grouped(count), |ratio| format!("{} ({})", grouped(count), percent(ratio)))
}

fn optional<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "\u{2013}".to_owned(), text)
}
