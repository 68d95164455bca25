//! Plan derived from a seed.

use crate::random::Random;
use std::collections::BTreeMap;
use std::fmt;
use taut_runtime::{Faults, Profile, RuleSet, Settings};
use taut_schemas::{Provider, ProviderSet};
use taut_traces::{Mode, OnFull, WriteOptions};

/// End of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Finished as intended.
    Finished,
    /// Process killed before this event, counted over all threads, or, if `torn`, while it is written.
    Killed { at: u64, torn: bool },
    /// Dropped without being finished.
    Dropped,
    /// Output that fails at this write; earlier writes may be partial.
    Failing { at: u64 },
}

/// Values derived from a seed.
pub struct Plan {
    pub seed: u64,
    pub workload: &'static str,
    pub parameters: BTreeMap<String, String>,
    pub profile: Profile,
    pub settings: Settings,
    /// True for the logical clock.
    pub is_logical: bool,
    pub options: WriteOptions,
    pub fate: Fate,
    /// Mean number of calls between which a thread lets others run; 0 for never.
    pub yields_once_in: u64,
}

/// Parameter with its minimum and maximum value.
type Varied = (&'static str, u64, u64);

/// Short workloads with their varied parameters, and true if their state can be written as a rundown.
const WORKLOADS: &[(&str, &[Varied], bool)] = &[
    (
        "small-level",
        &[("threads", 1, 4), ("frames", 0, 8), ("constants", 0, 8), ("meshes", 0, 4), ("textures", 0, 4)],
        true,
    ),
    (
        "streaming-world",
        &[("threads", 1, 4), ("frames", 1, 8), ("transients", 0, 2), ("shared", 1, 8), ("races", 0, 100)],
        true,
    ),
    ("game-session", &[("threads", 1, 4), ("frames", 1, 10), ("scene", 2, 8), ("calm", 1, 6), ("draws", 1, 6)], true),
    ("mode-storm", &[("threads", 1, 4), ("frames", 1, 8), ("every", 1, 3)], true),
    ("deferred-contexts", &[("threads", 2, 4), ("lists", 0, 3), ("draws", 0, 6)], false),
    ("context-churn", &[("threads", 1, 4), ("contexts", 0, 2), ("lists", 0, 2)], false),
    ("context-oom", &[("threads", 1, 3), ("lists", 1, 3), ("draws", 0, 8)], false),
];

/// Functions in which a driver may panic, and true if the number of its calls can select one.
const FUNCTIONS: &[(&str, bool)] = &[
    ("CreateHeapAndResource", true),
    ("CheckResourceAllocationInfo", true),
    ("DestroyHeapAndResource", true),
    ("ExecuteCommandLists", true),
    ("CollectMeasurements", true),
    ("ProcessBackgroundWork", true),
    ("CreatePipelineState", true),
    ("DestroyDevice", true),
    ("GetCaps", true),
    ("Draw", false),
    ("CreateDeferredContext", false),
    ("CommandListExecute", false),
];

/// Prints only the part of the profile that differs from the bundled one.
impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { workload, parameters, profile, settings, is_logical, options, fate, yields_once_in, .. } = self;
        let Profile { name, memory_bytes, faults, contexts, .. } = profile;
        let Faults { panics_in, panics_at_call, panics_in_tasks, panics_in_draws, .. } = faults;
        let fails = contexts.as_ref().map(|contexts| (contexts.fails_in_context, contexts.fails_at_call));
        writeln!(f, "{workload} {parameters:?}")?;
        writeln!(f, "on {name}, memory {memory_bytes:?}, fails {fails:?}")?;
        writeln!(f, "panics in {panics_in:?} at {panics_at_call:?}, tasks {panics_in_tasks}, draws {panics_in_draws}")?;
        writeln!(f, "{settings:?}\n{options:?}")?;
        write!(f, "{fate:?}, logical clock {is_logical}, yields once in {yields_once_in}")
    }
}

impl Plan {
    pub fn from_seed(seed: u64) -> Plan {
        let mut random = Random::new(seed);
        let random = &mut random;
        let (workload, varied, has_rundowns) = random.one_of(WORKLOADS);
        let mut parameters: BTreeMap<String, String> =
            varied.iter().map(|(name, min, max)| ((*name).to_owned(), random.within(*min, *max).to_string())).collect();
        parameters.insert("seed".to_owned(), random.next().to_string());
        let profile = profile(workload, random);
        let settings = Settings {
            rules: *random.one_of(&RuleSet::ALL),
            strict: random.once_in(4),
            handle_accesses: random.once_in(8),
            max_background_tasks: random.within(1, 3) as u32,
            ..Settings::default()
        };
        let fate = match random.below(8) {
            0..=2 => Fate::Finished,
            3..=5 => {
                let max = *random.one_of(&[50, 500, 3000]);
                Fate::Killed { at: random.below(max), torn: random.once_in(2) }
            }
            6 => Fate::Dropped,
            _ => Fate::Failing { at: random.below(12) },
        };
        let options = options(*has_rundowns && !matches!(fate, Fate::Failing { .. }), random);
        let yields_once_in = *random.one_of(&[0, 2, 8]);
        let is_logical = random.once_in(2);
        Plan { seed, workload, parameters, profile, settings, is_logical, options, fate, yields_once_in }
    }
}

/// Returns a driver: the workload's own or any other, unchanged, with less memory, or with a fault.
fn profile(workload: &str, random: &mut Random) -> Profile {
    let of_workload = taut_workloads::WORKLOADS.iter().find(|known| known.name == workload).expect("known").driver;
    let names: Vec<&str> = match random.below(4) {
        0 | 1 => vec![of_workload],
        2 => Profile::bundled().iter().map(|(name, _)| *name).collect(),
        _ => Profile::all().map(|(name, _)| *name).collect(),
    };
    let profile = Profile::named(random.one_of::<&str>(&names)).expect("a bundled profile");
    match random.below(6) {
        0 => Profile { memory_bytes: Some(1 << random.within(12, 24)), ..profile },
        1 => {
            let (function, is_ordered) = random.one_of(FUNCTIONS);
            let panics_in = Some((*function).to_owned());
            let panics_at_call = is_ordered.then(|| random.within(1, 20));
            Profile { faults: Faults { panics_in, panics_at_call, ..profile.faults.clone() }, ..profile }
        }
        2 if profile.background.is_some() => {
            let panics_in_tasks = random.once_in(2);
            let faults = Faults { panics_in_tasks, panics_in_draws: !panics_in_tasks, ..profile.faults.clone() };
            Profile { faults, ..profile }
        }
        3 => {
            let contexts = profile.contexts.clone().map(|mut contexts| {
                // The fault needs memory for its counter.
                contexts.context_bytes += 64;
                contexts.fails_in_context = random.within(2, 4);
                contexts.fails_at_call = random.within(1, 30);
                contexts.failure_removes_device = random.once_in(2);
                contexts
            });
            Profile { contexts, ..profile }
        }
        _ => profile,
    }
}

fn options(may_keep_the_last: bool, random: &mut Random) -> WriteOptions {
    let mode = match random.below(3) {
        1 if may_keep_the_last => Mode::Ring,
        2 if may_keep_the_last => Mode::Circular,
        _ => Mode::Sequential,
    };
    let mut providers = ProviderSet::ALL;
    for provider in [Provider::Ddi, Provider::Memory] {
        if random.once_in(6) {
            providers = providers.without(provider);
        }
    }
    WriteOptions {
        buffer_bytes: 1 << random.within(8, 14),
        spare_buffers: random.within(1, 8) as usize,
        on_full: *random.one_of(&[OnFull::Block, OnFull::Block, OnFull::Drop]),
        sync: false,
        max_bytes: mode.discards_oldest().then(|| random.within(150, 400) << 10),
        mode,
        providers,
        ..WriteOptions::default()
    }
}
