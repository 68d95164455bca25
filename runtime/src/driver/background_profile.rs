//! Background processing of a driver: the profile table `[background]` with the thresholds of its decisions.

use super::ddi_version::DdiVersion;
use super::former_keys::FormerKeys;
use serde::{Deserialize, Serialize};
use taut_shaders::TopValues;

macro_rules! keys {
    ($( $(#[doc = $doc:literal])+ $key:ident $(was $was:literal)*: $ty:ty = $default:expr; )*) => {
        /// Sampling, specialisation and cancellation settings of a driver. The thresholds are those of method JITs,
        /// counted in executions and instructions; none of them is a time.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Background { $( $(#[doc = $doc])+ $(#[serde(alias = $was)])* pub $key: $ty, )* }

        impl Default for Background {
            fn default() -> Self {
                Background { $( $key: $default, )* }
            }
        }

        impl Background {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
            /// Keys with their meanings, in order.
            pub(crate) const DOCS: &'static [(&'static str, &'static str)] = &[ $( (stringify!($key), concat!($($doc),+)), )* ];
            /// Former and current names of renamed keys.
            pub(crate) const FORMER_KEYS: FormerKeys = &[ $($( ($was, stringify!($key)), )*)* ];
        }
    };
}

keys! {
    /// DDI version of the background processing interface: 0062, whose SetBackgroundProcessingMode returns nothing, or
    /// 0063, which returns whether further measurements are desired.
    ddi_version: DdiVersion = DdiVersion::V0063;
    /// Sampled executions of a pipeline state before it is specialised.
    n_min: u32 = 200;
    /// Permille of a window's sampled executions in which a slot must have its most frequent value.
    stable_share_permille: u32 = 950;
    /// Number of consecutive windows in which a slot must have the same most frequent value.
    stable_windows: u32 = 3;
    /// Sampled executions per window; also the number of guard evaluations before the guard's miss rate is checked.
    window_executions: u32 = 64;
    /// Sampling period: one of this many executions has its constants sampled unless intrusive measurements are
    /// allowed.
    sampling_interval: u32 = 64;
    /// Executions times shader length before a pipeline state is specialised; 0 while intrusive measurements are
    /// allowed.
    first_tier_cost: u64 = 50_000;
    /// Pending tasks per worker that add one more [`Background::first_tier_cost`] to the threshold.
    load_feedback: u32 = 3;
    /// Number of worker threads that the driver expects the runtime to have.
    workers: u32 = 2;
    /// Draws that must use a variant before its gain is judged.
    measured_draws: u32 = 16;
    /// Maximum permille of guard evaluations that may miss.
    max_missed_permille was "most_missed_permille": u32 = 50;
    /// Maximum number of variants of a pipeline state, pending ones included.
    max_variants_per_pipeline was "most_variants_per_pipeline": u32 = 4;
    /// Number of specialisation levels of a shader: from 2 on, variants that gain are profiled and specialised again.
    levels: u32 = 1;
    /// Number of values of a slot that may get variants of their own: from 2 on, one guard tree selects among them.
    split_ways: u32 = 1;
    /// Retries with fewer slots for variant keys without a gain, per pipeline state.
    subset_retries: u32 = 0;
    /// Minimum estimated saving in permille of instructions before a specialisation is compiled; 0 disables the
    /// estimate.
    min_saving_permille was "least_saving_permille": u32 = 0;
    /// 1: draws whose constants are sampled run instrumented code with counters.
    counters: u32 = 0;
    /// 1: closing a command list queues work for the pipeline states that the list draws with.
    queues_when_recording: u32 = 0;
    /// 1: a driver thread queues work in every mode; work that the mode does not allow is cancelled.
    queues_from_thread: u32 = 0;
    /// 1: a finished task queues further work for its pipeline state.
    queues_from_tasks: u32 = 0;
    /// 1: a task checks that its pipeline state is still alive before it compiles.
    checks_before_work was "looks_first": u32 = 0;
    /// 1: the driver's state has its own lock, which is released before work is queued.
    own_lock: u32 = 0;
    /// 1: constant caching is tuned by the access pattern of draws.
    tunes_cache: u32 = 0;
    /// 1: the number of lanes per group is tuned by the number of lanes of draws.
    tunes_groups: u32 = 0;
}

/// Key of the table `[background]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundKey {
    pub name: &'static str,
    /// Description in Markdown.
    pub meaning: String,
    /// Min and max; `None` for the version of the DDI and for keys that take any number.
    pub range: Option<(u32, u32)>,
}

impl Background {
    /// Returns the keys of the table, in order.
    pub fn keys() -> impl Iterator<Item = BackgroundKey> {
        let bounds = Background::default().bounds();
        Background::DOCS.iter().map(move |(name, docs)| {
            let of_key = |key: &str| key.strip_prefix("background.") == Some(*name);
            let range = bounds.iter().find(|(key, ..)| of_key(key)).map(|(_, _, min, max)| (*min, *max));
            // Links between keys are code in the documentation of the program.
            let meaning = docs.trim().replace("[`Background::", "`").replace("`]", "`");
            BackgroundKey { name, meaning, range }
        })
    }

    /// True if the driver searches for variants beyond one specialisation for all draws of a pipeline state.
    pub(crate) fn searches_beyond_one_specialisation(&self) -> bool {
        self.levels > 1 || self.split_ways > 1 || self.subset_retries > 0 || self.min_saving_permille > 0
    }

    /// True if a policy other than shader specialisation is tuned.
    pub(crate) fn tunes(&self) -> bool {
        self.tunes_cache > 0 || self.tunes_groups > 0
    }

    /// True if decisions are made in another DDI call than the one that reads the measurements.
    pub(crate) fn decides_elsewhere(&self) -> bool {
        self.queues_when_recording > 0 || self.queues_from_thread > 0
    }

    /// Keys with bounded values, as (key, value, minimum, maximum).
    pub(crate) fn bounds(&self) -> [(&'static str, u32, u32, u32); 21] {
        [
            ("background.n_min", self.n_min, 1, u32::MAX),
            ("background.stable_share_permille", self.stable_share_permille, 501, 1000),
            ("background.stable_windows", self.stable_windows, 1, u32::MAX),
            ("background.window_executions", self.window_executions, 1, u32::MAX),
            ("background.sampling_interval", self.sampling_interval, 1, u32::MAX),
            ("background.load_feedback", self.load_feedback, 1, u32::MAX),
            ("background.workers", self.workers, 1, u32::MAX),
            ("background.measured_draws", self.measured_draws, 1, u32::MAX),
            ("background.max_missed_permille", self.max_missed_permille, 0, 1000),
            ("background.max_variants_per_pipeline", self.max_variants_per_pipeline, 1, 64),
            ("background.levels", self.levels, 1, 64),
            ("background.split_ways", self.split_ways, 1, TopValues::STORED as u32),
            ("background.counters", self.counters, 0, 1),
            ("background.min_saving_permille", self.min_saving_permille, 0, 1000),
            ("background.queues_when_recording", self.queues_when_recording, 0, 1),
            ("background.queues_from_thread", self.queues_from_thread, 0, 1),
            ("background.queues_from_tasks", self.queues_from_tasks, 0, 1),
            ("background.checks_before_work", self.checks_before_work, 0, 1),
            ("background.own_lock", self.own_lock, 0, 1),
            ("background.tunes_cache", self.tunes_cache, 0, 1),
            ("background.tunes_groups", self.tunes_groups, 0, 1),
        ]
    }
}
