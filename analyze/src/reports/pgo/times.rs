//! Machine time of shader code, measured by the recording's machine, compared to instruction counts.

use crate::background::{Background, Draw};
use crate::reports::figures::figures;
use std::collections::HashMap;
use taut_schemas::{CodeTime, PipelineStateId, RunCode, VariantId};

/// Minimum difference between the relative savings in time and in instructions for a disagreement.
const DISAGREES: f64 = 0.1;

/// Two steps of a coarse clock: the resolution of measurements of short runs.
const COARSE_NS: u64 = 20;

figures! {
    /// Machine time of all draws whose code was timed.
    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct TimeFigures {
        timed_draws: u64, Count, "Draws whose code was timed, in the same or in another draw.";
        time_before_ns: u64, Nanoseconds, "Time of the generic shaders for the timed draws.";
        time_after_ns: u64, Nanoseconds, "Time of the code that the timed draws used, without guards.";
        time_saving_ratio: Option<f64>, Ratio, "Saved share of the time; negative if the draws took longer. In `measured` for draws after the driver's last answer; of a variant from its shortest run and the shortest run of the generic shader.";
        counted_saving_ratio: Option<f64>, Ratio, "Saved share of the instructions of the timed draws, without guards.";
        counting_time_ratio: Option<f64>, Ratio, "Additional machine time of counters, relative to the same code without counters; null without code that was timed with counters.";
        disagreeing_variants: u64, Count, "Variants with `time_disagrees`.";
        pinned_ratio: Option<f64>, Ratio, "Share of the runs in which the thread was kept on one processor.";
    }
}

figures! {
    /// Timing of a variant and of the generic shader, run alternately.
    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct VariantTime {
        time_saving_ratio: Option<f64>, Ratio, same;
        rounds: u64, Count, "Timed runs of the variant's code.", after pinned_ratio;
        generic_min_ns: u64, Nanoseconds, "Shortest run of the generic shader.", after rounds;
        generic_spread_ns: u64, Nanoseconds, "p50 of the runs of the generic shader minus the shortest."  , after generic_min_ns;
        variant_min_ns: u64, Nanoseconds, "Shortest run of the variant.", after generic_spread_ns;
        variant_spread_ns: u64, Nanoseconds, "p50 of the runs of the variant minus the shortest.", after variant_min_ns;
        time_disagrees: Option<bool>, Flag, "True if the savings in time and in instructions differ by more than 10 %, and by more than the spreads and 20 ns; guards and counters are not included. Null without instruction counts.", after variant_spread_ns;
    }
}

/// Sum of the timings of one code.
#[derive(Debug, Default)]
struct CodeTiming {
    rounds: u64,
    pinned: u64,
    min_ns: Option<u64>,
    middles_ns: Vec<u64>,
    /// Minimum over the timings.
    ns_per_instruction: Option<f64>,
}

impl CodeTiming {
    fn add(&mut self, time: &CodeTime, instructions: u64) {
        self.rounds += u64::from(time.rounds);
        self.pinned += if time.pinned { u64::from(time.rounds) } else { 0 };
        self.min_ns = Some(self.min_ns.map_or(time.min_ns, |lowest| lowest.min(time.min_ns)));
        self.middles_ns.push(time.p50_ns);
        if instructions > 0 {
            let rate = time.min_ns as f64 / instructions as f64;
            self.ns_per_instruction = Some(self.ns_per_instruction.map_or(rate, |lowest| lowest.min(rate)));
        }
    }

    fn spread_ns(&self) -> u64 {
        let mut middles = self.middles_ns.clone();
        middles.sort_unstable();
        let middle = middles.get(middles.len() / 2).copied().unwrap_or_default();
        middle.saturating_sub(self.min_ns.unwrap_or_default())
    }
}

/// Timings of a trace.
#[derive(Default)]
pub(super) struct Times {
    /// Sums by pipeline state, variant selected for the draw, and timed code.
    taken: HashMap<(PipelineStateId, VariantId, RunCode), CodeTiming>,
    /// Time per instruction of the generic shader by pipeline state, no matter which variant was selected.
    generic: HashMap<PipelineStateId, f64>,
}

impl Times {
    /// Collects the timings.
    pub fn of(background: &Background) -> Times {
        let mut by_draw: HashMap<(u64, u32), Vec<&CodeTime>> = HashMap::new();
        for (submission, time) in &background.times {
            by_draw.entry((*submission, time.draw)).or_default().push(time);
        }
        let mut times = Times::default();
        if by_draw.is_empty() {
            return times;
        }
        for draw in &background.draws {
            let Some(of_draw) = by_draw.remove(&(draw.submission, draw.index)) else { continue };
            for time in of_draw {
                times.add(draw, time);
            }
        }
        times
    }

    /// Relative cost of counters. Times are summed over all codes before the division, so that codes of a few clock
    /// steps have little weight.
    fn counting(&self) -> Option<f64> {
        let (mut without, mut with) = (0_u64, 0_u64);
        for ((pipeline_state, variant, code), taken) in &self.taken {
            let plain = if *variant == VariantId::NULL { RunCode::GENERIC } else { RunCode::VARIANT };
            let plain = self.taken.get(&(*pipeline_state, *variant, plain)).and_then(|plain| plain.min_ns);
            if let (RunCode::INSTRUMENTED, Some(plain @ 1..), Some(counting)) = (*code, plain, taken.min_ns) {
                (without, with) = (without.saturating_add(plain), with.saturating_add(counting));
            }
        }
        (without > 0).then(|| (with as f64 - without as f64) / without as f64)
    }

    fn add(&mut self, draw: &Draw, time: &CodeTime) {
        let (run, code) = (&draw.run, time.code);
        let instructions = match code {
            RunCode::VARIANT | RunCode::INSTRUMENTED => executed_by_code(draw),
            _ => generic_by_code(draw),
        };
        let taken = self.taken.entry((run.pipeline_state, run.variant, code)).or_default();
        taken.add(time, instructions);
        if let (RunCode::GENERIC, Some(rate)) = (code, taken.ns_per_instruction) {
            self.generic.entry(run.pipeline_state).and_modify(|lowest| *lowest = lowest.min(rate)).or_insert(rate);
        }
    }

    /// Timing of a variant; `counted` is its saving in instructions. `None` if it was not timed.
    pub fn of_variant(
        &self,
        pipeline_state: PipelineStateId,
        variant: VariantId,
        counted: Option<f64>,
    ) -> Option<VariantTime> {
        let taken = |code| self.taken.get(&(pipeline_state, variant, code));
        let (generic, own) = (taken(RunCode::GENERIC)?, taken(RunCode::VARIANT)?);
        let (generic_min_ns, variant_min_ns) = (generic.min_ns?, own.min_ns?);
        let (generic_spread_ns, variant_spread_ns) = (generic.spread_ns(), own.spread_ns());
        let time_saving_ratio = saving(variant_min_ns as f64, generic_min_ns as f64);
        // The difference has to exceed the measurement noise of both codes.
        let spread_ns = (generic_spread_ns + variant_spread_ns).max(COARSE_NS);
        let noise = spread_ns as f64 / generic_min_ns.max(1) as f64;
        let disagrees = |(time, counted): (f64, f64)| (time - counted).abs() > noise.max(DISAGREES);
        Some(VariantTime {
            rounds: own.rounds,
            generic_min_ns,
            generic_spread_ns,
            variant_min_ns,
            variant_spread_ns,
            time_saving_ratio,
            time_disagrees: time_saving_ratio.zip(counted).map(disagrees),
        })
    }

    /// Machine time of all draws whose code was timed. `None` without timings.
    pub fn sums(&self, background: &Background, disagreeing_variants: u64) -> Option<TimeFigures> {
        self.sums_of(&background.draws, disagreeing_variants)
    }

    /// Share of the generic shaders' time saved by draws submitted after a timestamp; `None` if none of their code was
    /// timed.
    pub fn saving_after(&self, background: &Background, stamp: u64) -> Option<f64> {
        let later = |draw: &&Draw| draw.submitted_stamp.is_some_and(|submitted| submitted > stamp);
        self.sums_of(background.draws.iter().filter(later), 0)?.time_saving_ratio
    }

    fn sums_of<'d>(&self, draws: impl IntoIterator<Item = &'d Draw>, disagreeing_variants: u64) -> Option<TimeFigures> {
        if self.taken.is_empty() {
            return None;
        }
        let mut sum = TimeFigures { disagreeing_variants, ..TimeFigures::default() };
        let (mut before, mut after, mut instructions) = (0.0, 0.0, (0_u64, 0_u64));
        for draw in draws {
            let run = &draw.run;
            let Some(generic) = self.generic.get(&run.pipeline_state) else { continue };
            let generic_ns = generic * generic_by_code(draw) as f64;
            let own = match run.variant {
                VariantId::NULL => Some(generic_ns),
                variant => {
                    let taken = self.taken.get(&(run.pipeline_state, variant, RunCode::VARIANT));
                    let rate = taken.and_then(|taken| taken.ns_per_instruction);
                    rate.map(|rate| rate * executed_by_code(draw) as f64)
                }
            };
            let Some(own) = own else { continue };
            sum.timed_draws += 1;
            (before, after) = (before + generic_ns, after + own);
            instructions.0 = instructions.0.saturating_add(generic_by_code(draw));
            instructions.1 = instructions.1.saturating_add(executed_by_code(draw));
        }
        let (rounds, pinned) =
            self.taken.values().fold((0, 0), |(rounds, pinned), taken| (rounds + taken.rounds, pinned + taken.pinned));
        Some(TimeFigures {
            time_before_ns: before as u64,
            time_after_ns: after as u64,
            time_saving_ratio: saving(after, before),
            counted_saving_ratio: saving(instructions.1 as f64, instructions.0 as f64),
            counting_time_ratio: self.counting(),
            pinned_ratio: (rounds > 0).then(|| pinned as f64 / rounds as f64),
            ..sum
        })
    }
}

/// Instructions executed for a draw, including guards and counters but without tuned instructions (constant reads and
/// group launches).
pub(super) fn executed_untuned(draw: &Draw) -> u64 {
    draw.run.executed.saturating_sub(draw.run.tuned_executed)
}

/// Instructions that a draw's code executed, without counters, guards and tuned instructions: guards run outside the
/// timed code.
pub(super) fn executed_by_code(draw: &Draw) -> u64 {
    let overhead = u64::from(draw.guard_cost).saturating_add(draw.run.counter_executed);
    draw.run.executed.saturating_sub(overhead.saturating_add(draw.run.tuned_executed))
}

/// Instructions of the generic shader for a draw, without tuned instructions.
pub(super) fn generic_by_code(draw: &Draw) -> u64 {
    draw.run.generic_executed.saturating_sub(draw.run.untuned_executed)
}

fn saving(after: f64, before: f64) -> Option<f64> {
    (before > 0.0).then(|| (before - after) / before)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use taut_schemas::{BackgroundProcessingMode, CommandQueueId, DrawRun};

    fn draw(submission: u64, variant: u64, executed: u64) -> Draw {
        Draw {
            submission,
            index: 0,
            command_queue: CommandQueueId(1),
            frame: 1,
            pass: 0,
            mode: BackgroundProcessingMode::ALLOWED,
            submitted_stamp: None,
            measured_stamp: 0,
            measured_thread: 0,
            guard_missed: false,
            guard_cost: if variant == 0 { 0 } else { 10 },
            run: DrawRun {
                pipeline_state: PipelineStateId(3),
                variant: VariantId(variant),
                executed,
                generic_executed: 1000,
                ..DrawRun::default()
            },
        }
    }

    fn time(code: RunCode, min_ns: u64, p50_ns: u64) -> CodeTime {
        CodeTime { draw: 0, code, rounds: 7, min_ns, p50_ns, max_ns: 9000, pinned: code == RunCode::GENERIC }
    }

    /// Variant 1 executes 340 of 1000 instructions fewer, and takes 98 % of the time.
    fn background() -> Background {
        Background {
            draws: vec![draw(1, 0, 1000), draw(2, 1, 670), draw(3, 1, 670), draw(4, 2, 10)],
            times: vec![
                (2, time(RunCode::GENERIC, 1000, 1010)),
                (2, time(RunCode::VARIANT, 990, 1000)),
                (3, time(RunCode::GENERIC, 1020, 1030)),
                (3, time(RunCode::VARIANT, 980, 1010)),
            ],
            ..Background::default()
        }
    }

    #[test]
    fn a_variant_that_saves_instructions_but_no_time_is_flagged() {
        let (pipeline_state, variant) = (PipelineStateId(3), VariantId(1));
        let of = |counted| Times::of(&background()).of_variant(pipeline_state, variant, counted).unwrap();
        let found = of(Some(0.34));
        assert_eq!((found.rounds, found.generic_min_ns, found.generic_spread_ns), (14, 1000, 30));
        assert_eq!((found.variant_min_ns, found.variant_spread_ns), (980, 30));
        assert_eq!((found.time_saving_ratio, found.time_disagrees), (Some(0.02), Some(true)));
        assert_eq!(of(Some(0.05)).time_disagrees, Some(false));
        assert_eq!(of(None).time_disagrees, None);
        assert!(Times::of(&background()).of_variant(pipeline_state, VariantId(2), None).is_none());
    }

    #[test]
    fn a_difference_within_the_spread_of_the_times_is_ignored() {
        let mut background = background();
        background.times.iter_mut().for_each(|(_, time)| time.p50_ns = 1400);
        let found = Times::of(&background).of_variant(PipelineStateId(3), VariantId(1), Some(0.34)).unwrap();
        assert_eq!(found.time_disagrees, Some(false));
    }

    #[test]
    fn draws_of_code_that_was_timed_elsewhere_count_and_others_do_not() {
        let background = background();
        let sums = Times::of(&background).sums(&background, 1).unwrap();
        assert_eq!((sums.timed_draws, sums.time_before_ns, sums.time_after_ns), (3, 3000, 2960));
        assert_eq!(sums.counted_saving_ratio, Some((3000.0 - 2320.0) / 3000.0));
        assert_eq!((sums.disagreeing_variants, sums.pinned_ratio), (1, Some(0.5)));
        assert!(Times::of(&Background::default()).sums(&background, 0).is_none());
    }
}
