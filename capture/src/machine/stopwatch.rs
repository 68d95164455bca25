//! Measurement of the run time of shader code on this machine. The runtime never depends on it.

use super::processor::Pinned;
use std::collections::HashMap;
use taut_schemas::{CodeTime, DrawRun, GpuWork, PipelineStateId, RunCode, VariantId};
use taut_traces::Clock;

/// Growth factor of the intervals between measurements: a shader is measured in its 1st, 8th, 64th, ... submission, so
/// the cost of measuring stays bounded.
const INTERVAL_GROWTH: u64 = 8;

/// Runs of each code per measurement, unless [`MAX_NS`] stops it earlier.
const ROUNDS: usize = 7;

/// Maximum time in nanoseconds for which one draw is repeated.
const MAX_NS: u64 = 2_000_000;

/// Maximum number of shaders in the table. When it is reached the table is cleared, and shaders are measured again.
const MAX_SHADERS: usize = 1 << 16;

/// Repeats the code of draws and measures its run time.
pub(super) struct Stopwatch {
    clock: Clock,
    /// Number of submissions in which each shader of a pipeline state has served draws.
    submissions: HashMap<(PipelineStateId, VariantId), u64>,
}

impl Stopwatch {
    /// Creates a stopwatch; `None` for a logical clock, which does not measure time.
    pub fn new(clock: Clock) -> Option<Stopwatch> {
        match clock {
            Clock::Logical => None,
            clock => Some(Stopwatch { clock, submissions: HashMap::new() }),
        }
    }

    /// Measures the shaders that are due after a submission, each on its first draw. `runs` are the results of the
    /// submission's draws.
    pub fn take(&mut self, work: &dyn GpuWork, runs: &[DrawRun]) -> Vec<CodeTime> {
        let mut due = Vec::new();
        let mut last = None;
        let mut met = Vec::new();
        for (draw, run) in runs.iter().enumerate() {
            let shader = (run.pipeline_state, run.variant);
            // Consecutive draws often share a shader, so the cheap comparison comes first.
            if last.replace(shader) == Some(shader) || met.contains(&shader) {
                continue;
            }
            met.push(shader);
            if self.submissions.len() >= MAX_SHADERS {
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

    /// Measures the codes of one draw in alternation, so that changes of processor speed affect all of them alike.
    fn time(&self, work: &dyn GpuWork, draw: usize, pinned: bool) -> Vec<CodeTime> {
        let codes = work.codes(draw);
        let mut times: Vec<Vec<u64>> = vec![Vec::with_capacity(ROUNDS); codes.len()];
        let began = self.clock.now();
        for _ in 0..ROUNDS {
            for (code, times) in codes.iter().zip(&mut times) {
                times.push(self.time_of(|| work.repeat(draw, *code)));
            }
            if self.clock.nanoseconds(self.clock.now().saturating_sub(began)) > MAX_NS {
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
    submissions > 0 && INTERVAL_GROWTH.pow(submissions.ilog(INTERVAL_GROWTH)) == submissions
}

fn code_time(draw: usize, code: RunCode, mut times: Vec<u64>, pinned: bool) -> Option<CodeTime> {
    times.sort_unstable();
    Some(CodeTime {
        draw: u32::try_from(draw).ok()?,
        code,
        rounds: u32::try_from(times.len()).ok()?,
        min_ns: *times.first()?,
        p50_ns: *times.get(times.len() / 2)?,
        max_ns: *times.last()?,
        pinned,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Work that logs the codes that are run.
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
        assert!(times.iter().all(|time| time.rounds >= 1 && time.min_ns <= time.p50_ns));
        assert!(times.iter().all(|time| time.p50_ns <= time.max_ns));
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
