//! What the recording's machine took for the code of draws, beside what was counted.

use crate::background::{Background, Draw};
use serde::Serialize;
use std::collections::HashMap;
use taut_schemas::{CodeTime, PipelineStateId, RunCode, VariantId};

/// What is saved in time and in counts disagrees where it differs by more than so many parts of the whole.
const DISAGREES: f64 = 0.1;

/// Two steps of a coarse clock: a run of some tens of nanoseconds says no more than that.
const COARSE_NS: u64 = 20;

/// Machine time over all draws of which it is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct TimeFigures {
    /// Draws whose code was timed, there or in another draw.
    pub timed_draws: u64,
    /// What the generic shaders take for them.
    pub time_before_ns: u64,
    /// What the code that served them takes.
    pub time_after_ns: u64,
    /// What was saved of that; negative if it was more.
    pub time_saving_ratio: Option<f64>,
    /// What was saved of the instructions of the same draws, without those of guards.
    pub counted_saving_ratio: Option<f64>,
    /// Variants whose savings in time and in counts disagree.
    pub disagreeing_variants: u64,
    /// What counters take besides, as a part of what the code takes without them.
    pub counting_time_ratio: Option<f64>,
    /// Share of the runs in which the thread stayed on one processor.
    pub pinned_ratio: Option<f64>,
}

/// A variant and the generic shader, run by turns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct VariantTime {
    /// Times that each was run.
    pub rounds: u64,
    /// The shortest run of the generic shader.
    pub generic_least_ns: u64,
    /// How much longer half of its runs took, at least.
    pub generic_spread_ns: u64,
    /// The shortest run of the variant.
    pub variant_least_ns: u64,
    /// How much longer half of its runs took, at least.
    pub variant_spread_ns: u64,
    /// What the variant saves of the generic shader's time, by the shortest runs.
    pub time_saving_ratio: Option<f64>,
    /// Whether that is another answer than the counts give; none without counts.
    pub time_disagrees: Option<bool>,
}

/// All that was measured of one code.
#[derive(Debug, Default)]
struct Taken {
    rounds: u64,
    pinned: u64,
    least_ns: Option<u64>,
    middles_ns: Vec<u64>,
    /// The least.
    ns_per_instruction: Option<f64>,
}

impl Taken {
    fn add(&mut self, time: &CodeTime, instructions: u64) {
        self.rounds += u64::from(time.rounds);
        self.pinned += if time.pinned { u64::from(time.rounds) } else { 0 };
        self.least_ns = Some(self.least_ns.map_or(time.least_ns, |least| least.min(time.least_ns)));
        self.middles_ns.push(time.middle_ns);
        if instructions > 0 {
            let rate = time.least_ns as f64 / instructions as f64;
            self.ns_per_instruction = Some(self.ns_per_instruction.map_or(rate, |least| least.min(rate)));
        }
    }

    fn spread_ns(&self) -> u64 {
        let mut middles = self.middles_ns.clone();
        middles.sort_unstable();
        let middle = middles.get(middles.len() / 2).copied().unwrap_or_default();
        middle.saturating_sub(self.least_ns.unwrap_or_default())
    }
}

/// The times of a trace.
#[derive(Default)]
pub(super) struct Times {
    /// By pipeline state, the variant that was selected for the draw, and the code that was timed.
    taken: HashMap<(PipelineStateId, VariantId, RunCode), Taken>,
    /// By pipeline state, what its generic shader takes for an instruction, whatever served the draw.
    generic: HashMap<PipelineStateId, f64>,
}

impl Times {
    /// Puts together what was measured.
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

    /// Over all codes that were timed with counters, so that those of a few steps of the clock weigh as little as they take.
    fn counting(&self) -> Option<f64> {
        let (mut without, mut with) = (0_u64, 0_u64);
        for ((pipeline_state, variant, code), taken) in &self.taken {
            let plain = if *variant == VariantId::NULL { RunCode::GENERIC } else { RunCode::VARIANT };
            let plain = self.taken.get(&(*pipeline_state, *variant, plain)).and_then(|plain| plain.least_ns);
            if let (RunCode::INSTRUMENTED, Some(plain @ 1..), Some(counting)) = (*code, plain, taken.least_ns) {
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
            self.generic.entry(run.pipeline_state).and_modify(|least| *least = least.min(rate)).or_insert(rate);
        }
    }

    /// What was measured of a variant; `counted` is what it saves in counts. None if it was not timed.
    pub fn of_variant(
        &self,
        pipeline_state: PipelineStateId,
        variant: VariantId,
        counted: Option<f64>,
    ) -> Option<VariantTime> {
        let taken = |code| self.taken.get(&(pipeline_state, variant, code));
        let (generic, own) = (taken(RunCode::GENERIC)?, taken(RunCode::VARIANT)?);
        let (generic_least_ns, variant_least_ns) = (generic.least_ns?, own.least_ns?);
        let (generic_spread_ns, variant_spread_ns) = (generic.spread_ns(), own.spread_ns());
        let time_saving_ratio = saving(variant_least_ns as f64, generic_least_ns as f64);
        let spread_ns = (generic_spread_ns + variant_spread_ns).max(COARSE_NS);
        let noise = spread_ns as f64 / generic_least_ns.max(1) as f64;
        let disagrees = |(time, counted): (f64, f64)| (time - counted).abs() > noise.max(DISAGREES);
        Some(VariantTime {
            rounds: own.rounds,
            generic_least_ns,
            generic_spread_ns,
            variant_least_ns,
            variant_spread_ns,
            time_saving_ratio,
            time_disagrees: time_saving_ratio.zip(counted).map(disagrees),
        })
    }

    /// What all draws took whose code was timed. None without times.
    pub fn sums(&self, background: &Background, disagreeing_variants: u64) -> Option<TimeFigures> {
        self.sums_of(&background.draws, disagreeing_variants)
    }

    /// What the code of the draws submitted after a stamp saves of the generic shaders' time; none where none of it was timed.
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

/// Instructions executed for a draw, guards and counters included, without what is tuned beside the code.
pub(super) fn served_by(draw: &Draw) -> u64 {
    draw.run.executed.saturating_sub(draw.run.tuned_executed)
}

/// Instructions that a draw's code executed, without counters: the guards are asked elsewhere, and cost no time of it; nor does
/// what is tuned beside the code.
pub(super) fn executed_by_code(draw: &Draw) -> u64 {
    let beside = u64::from(draw.guard_cost).saturating_add(draw.run.counter_executed);
    draw.run.executed.saturating_sub(beside.saturating_add(draw.run.tuned_executed))
}

/// The same of the generic shader.
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

    fn time(code: RunCode, least_ns: u64, middle_ns: u64) -> CodeTime {
        CodeTime { draw: 0, code, rounds: 7, least_ns, middle_ns, most_ns: 9000, pinned: code == RunCode::GENERIC }
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
    fn a_variant_that_saves_counts_but_no_time_is_told() {
        let (pipeline_state, variant) = (PipelineStateId(3), VariantId(1));
        let of = |counted| Times::of(&background()).of_variant(pipeline_state, variant, counted).unwrap();
        let found = of(Some(0.34));
        assert_eq!((found.rounds, found.generic_least_ns, found.generic_spread_ns), (14, 1000, 30));
        assert_eq!((found.variant_least_ns, found.variant_spread_ns), (980, 30));
        assert_eq!((found.time_saving_ratio, found.time_disagrees), (Some(0.02), Some(true)));
        assert_eq!(of(Some(0.05)).time_disagrees, Some(false));
        assert_eq!(of(None).time_disagrees, None);
        assert!(Times::of(&background()).of_variant(pipeline_state, VariantId(2), None).is_none());
    }

    #[test]
    fn a_difference_within_the_spread_of_the_times_is_none() {
        let mut background = background();
        background.times.iter_mut().for_each(|(_, time)| time.middle_ns = 1400);
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
