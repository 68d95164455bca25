//! Background processing as a driver has it: a table of its profile, with the thresholds that its decisions go by.

use super::profile::DdiVersion;
use serde::{Deserialize, Serialize};
use taut_shaders::TopValues;

macro_rules! keys {
    ($( $(#[doc = $doc:literal])+ $key:ident: $ty:ty = $default:expr; )*) => {
        /// How a driver measures what it draws and specialises its shaders. The thresholds are those of method JITs,
        /// counted in executions and instructions; none of them is a time.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Background { $( $(#[doc = $doc])+ pub $key: $ty, )* }

        impl Default for Background {
            fn default() -> Self {
                Background { $( $key: $default, )* }
            }
        }

        impl Background {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
        }
    };
}

keys! {
    /// The version of the interface for background processing: 0062, whose SetBackgroundProcessingMode answers nothing,
    /// or 0063, whose answers whether further measurements are desired.
    ddi_version: DdiVersion = DdiVersion::V0063;
    /// Sampled executions of a pipeline state before it is specialised.
    n_min: u32 = 200;
    /// Thousandths of a window's sampled executions in which a slot has to have its most frequent value.
    stable_share_permille: u32 = 950;
    /// Windows one after the other in which a slot has to have had the same most frequent value.
    stable_windows: u32 = 3;
    /// Sampled executions in a window; also the times a guard is asked before its misses are judged.
    window_executions: u32 = 64;
    /// One of so many executions has its constants sampled, if measurements may not be intrusive.
    sampling_interval: u32 = 64;
    /// Executions times shader length before a pipeline state is specialised; 0 while measurements may be intrusive.
    first_tier_cost: u64 = 50_000;
    /// Pending tasks per worker that add one more [`Background::first_tier_cost`] to the threshold.
    load_feedback: u32 = 3;
    /// Workers that the driver expects the runtime to have.
    workers: u32 = 2;
    /// Draws that a variant has to have served before its gain is judged.
    measured_draws: u32 = 16;
    /// Thousandths of the times it is asked that a guard may miss.
    most_missed_permille: u32 = 50;
    /// Variants that a pipeline state may have, pending ones included.
    most_variants_per_pipeline: u32 = 4;
    /// How often a shader is specialised: from 2 on, variants that gain are profiled again.
    levels: u32 = 1;
    /// Values of a slot that tell draws apart: from 2 on, each gets variants of its own, behind one guard tree.
    split_ways: u32 = 1;
    /// How often fewer slots are tried of keys that lose, for each pipeline state.
    subset_retries: u32 = 0;
    /// Thousandths that the texts have to promise before a specialisation is compiled; 0 asks for no promise.
    least_saving_permille: u32 = 0;
    /// 1: draws whose constants are sampled run code that has counters in it.
    counters: u32 = 0;
    /// 1: work is queued by recording calls, when a command list is closed, for the pipeline states that it draws with.
    queues_when_recording: u32 = 0;
    /// 1: work is queued by a thread of the driver's own, whatever the mode: what may not be queued is cancelled.
    queues_from_thread: u32 = 0;
    /// 1: a task that ends queues what else its pipeline state is worth.
    queues_from_tasks: u32 = 0;
    /// 1: a task looks whether its pipeline state still lives before it compiles.
    looks_first: u32 = 0;
    /// 1: what the driver keeps is guarded by a lock of its own, which it lets go of before it queues work.
    own_lock: u32 = 0;
    /// 1: whether the constants of draws are cached is tuned by how they are read.
    tunes_cache: u32 = 0;
    /// 1: how many lanes run as a group is tuned by how many there are.
    tunes_groups: u32 = 0;
}

impl Background {
    /// Whether more is looked at than all draws of a pipeline state together.
    pub(crate) fn looks_further(&self) -> bool {
        self.levels > 1 || self.split_ways > 1 || self.subset_retries > 0 || self.least_saving_permille > 0
    }

    /// Whether anything is tuned beside shaders.
    pub(crate) fn tunes(&self) -> bool {
        self.tunes_cache > 0 || self.tunes_groups > 0
    }

    /// Whether what is measured is decided on somewhere else than where it is read.
    pub(crate) fn decides_elsewhere(&self) -> bool {
        self.queues_when_recording > 0 || self.queues_from_thread > 0
    }

    /// The keys whose values have bounds: key, value, least, most.
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
            ("background.most_missed_permille", self.most_missed_permille, 0, 1000),
            ("background.most_variants_per_pipeline", self.most_variants_per_pipeline, 1, 64),
            ("background.levels", self.levels, 1, 64),
            ("background.split_ways", self.split_ways, 1, TopValues::KEPT as u32),
            ("background.counters", self.counters, 0, 1),
            ("background.least_saving_permille", self.least_saving_permille, 0, 1000),
            ("background.queues_when_recording", self.queues_when_recording, 0, 1),
            ("background.queues_from_thread", self.queues_from_thread, 0, 1),
            ("background.queues_from_tasks", self.queues_from_tasks, 0, 1),
            ("background.looks_first", self.looks_first, 0, 1),
            ("background.own_lock", self.own_lock, 0, 1),
            ("background.tunes_cache", self.tunes_cache, 0, 1),
            ("background.tunes_groups", self.tunes_groups, 0, 1),
        ]
    }
}
