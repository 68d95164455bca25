//! How long the graphics processor's code takes on this machine. The runtime never learns it.

use super::processor::Pinned;
use std::collections::HashMap;
use taut_schemas::{CodeTime, DrawRun, GpuWork, PipelineStateId, RunCode, VariantId};
use taut_traces::Clock;

/// Times are taken in the first submission that a shader serves draws of, and whenever it has served in so many times as many.
const TIMES_AS_MANY: u64 = 8;

/// Code is run so often for that, unless it is slow.
const ROUNDS: usize = 7;

/// No draw is run again for longer than this.
const MOST_NS: u64 = 2_000_000;

/// Shaders that are remembered. Beyond that all are forgotten, and timed anew.
const MOST_SHADERS: usize = 1 << 16;

/// Runs code of draws some more times, and takes the times.
pub(super) struct Stopwatch {
    clock: Clock,
    /// In how many submissions each shader of a pipeline state has served draws.
    submissions: HashMap<(PipelineStateId, VariantId), u64>,
}

impl Stopwatch {
    /// One that goes by this clock. None where that does not tell time.
    pub fn new(clock: Clock) -> Option<Stopwatch> {
        match clock {
            Clock::Logical => None,
            clock => Some(Stopwatch { clock, submissions: HashMap::new() }),
        }
    }

    /// Takes the times that are due after a submission: of the first draw of each shader. `runs` is what its draws did.
    pub fn take(&mut self, work: &dyn GpuWork, runs: &[DrawRun]) -> Vec<CodeTime> {
        let mut due = Vec::new();
        let mut last = None;
        let mut met = Vec::new();
        for (draw, run) in runs.iter().enumerate() {
            let shader = (run.pipeline_state, run.variant);
            if last.replace(shader) == Some(shader) || met.contains(&shader) {
                continue;
            }
            met.push(shader);
            if self.submissions.len() >= MOST_SHADERS {
                self.submissions.clear();
            }
            let submissions = self.submissions.entry(shader).or_default();
            *submissions += 1;
            if is_due(*submissions) {
                due.push(draw);
            }
        }
        if due.is_empty() {
            return Vec::new();
        }
        let pinned = Pinned::here();
        due.into_iter().flat_map(|draw| self.time(work, draw, pinned.holds())).collect()
    }

    /// Runs the code of one draw by turns.
    fn time(&self, work: &dyn GpuWork, draw: usize, pinned: bool) -> Vec<CodeTime> {
        let codes = work.codes(draw);
        let mut times: Vec<Vec<u64>> = vec![Vec::with_capacity(ROUNDS); codes.len()];
        let began = self.clock.now();
        for _ in 0..ROUNDS {
            for (code, times) in codes.iter().zip(&mut times) {
                times.push(self.time_of(|| work.repeat(draw, *code)));
            }
            if self.clock.nanoseconds(self.clock.now().saturating_sub(began)) > MOST_NS {
                break;
            }
        }
        codes.into_iter().zip(times).filter_map(|(code, times)| code_time(draw, code, times, pinned)).collect()
    }

    fn time_of(&self, run: impl FnOnce()) -> u64 {
        let began = self.clock.now();
        run();
        self.clock.nanoseconds(self.clock.now().saturating_sub(began))
    }
}

fn is_due(submissions: u64) -> bool {
    submissions > 0 && TIMES_AS_MANY.pow(submissions.ilog(TIMES_AS_MANY)) == submissions
}

fn code_time(draw: usize, code: RunCode, mut times: Vec<u64>, pinned: bool) -> Option<CodeTime> {
    times.sort_unstable();
    Some(CodeTime {
        draw: u32::try_from(draw).ok()?,
        code,
        rounds: u32::try_from(times.len()).ok()?,
        least_ns: *times.first()?,
        middle_ns: *times.get(times.len() / 2)?,
        most_ns: *times.last()?,
        pinned,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Says what was run.
    #[derive(Default)]
    struct Spied(Mutex<Vec<(usize, RunCode)>>);

    impl GpuWork for Spied {
        fn run(&self) -> Vec<DrawRun> {
            let run = |pipeline_state, variant| DrawRun {
                pipeline_state: PipelineStateId(pipeline_state),
                variant: VariantId(variant),
                ..DrawRun::default()
            };
            vec![run(1, 0), run(1, 7), run(1, 7), run(2, 0), run(1, 0)]
        }

        fn codes(&self, draw: usize) -> Vec<RunCode> {
            match draw {
                1 => vec![RunCode::GENERIC, RunCode::VARIANT],
                3 => Vec::new(),
                _ => vec![RunCode::GENERIC],
            }
        }

        fn repeat(&self, draw: usize, code: RunCode) {
            self.0.lock().map(|mut ran| ran.push((draw, code))).unwrap_or_default();
        }
    }

    #[test]
    fn each_shader_is_timed_by_turns_with_the_generic_one_and_ever_more_seldom() {
        let (work, mut watch) = (Spied::default(), Stopwatch::new(Clock::monotonic()));
        let mut take = || watch.as_mut().map(|watch| watch.take(&work, &work.run())).unwrap_or_default();
        let times = take();
        let codes: Vec<_> = times.iter().map(|time| (time.draw, time.code)).collect();
        assert_eq!(codes, [(0, RunCode::GENERIC), (1, RunCode::GENERIC), (1, RunCode::VARIANT)]);
        assert!(times.iter().all(|time| time.rounds >= 1 && time.least_ns <= time.middle_ns));
        assert!(times.iter().all(|time| time.middle_ns <= time.most_ns));
        let later: Vec<_> = (2..=64).filter(|_| !take().is_empty()).collect();
        assert_eq!(later, [8, 64]);
        let ran = work.0.lock().map(|ran| ran.clone()).unwrap_or_default();
        let of_variant: Vec<_> = ran.iter().filter(|(draw, _)| *draw == 1).take(4).map(|(_, code)| *code).collect();
        assert_eq!(of_variant, [RunCode::GENERIC, RunCode::VARIANT, RunCode::GENERIC, RunCode::VARIANT]);
    }

    #[test]
    fn a_clock_that_only_counts_takes_no_time() {
        assert!(Stopwatch::new(Clock::Logical).is_none());
    }
}
