//! Combinations of workload, driver, seed and settings.

use std::fmt;
use taut_runtime::{MachineProfile, Profile};
use taut_workloads::{self as workloads, WORKLOADS, Workload};

/// Setting with which accesses to the memory of handles are recorded.
const ACCESSES: &str = "handle_accesses=true";

/// Pairs of an integrated and a discrete adapter.
const PAIRS: [&str; 3] = ["igpu-tier1+dgpu", "igpu-tier2+dgpu", "igpu-tier3+dgpu"];

/// One recording.
#[derive(Debug, Clone)]
pub struct Combination {
    pub workload: &'static str,
    pub driver: String,
    /// Name of the faulty driver; empty if all are sound.
    pub faulty: &'static str,
    pub seed: u64,
    pub settings: Vec<String>,
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} --driver {} --seed {}", self.workload, self.driver, self.seed)?;
        self.settings.iter().try_for_each(|setting| write!(f, " --setting {setting}"))
    }
}

impl Combination {
    fn new(workload: &'static Workload, driver: &str, settings: &[&str]) -> Combination {
        let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
        Combination { workload: workload.name, driver: driver.to_owned(), faulty: "", seed: 1, settings }
    }

    /// The workloads with handles per context on each driver, with recorded accesses.
    pub fn of_contexts<'d>(drivers: &'d [&str]) -> impl Iterator<Item = Combination> + 'd {
        let workloads = WORKLOADS.iter().filter(|workload| needs_contexts(workload));
        workloads.flat_map(|workload| drivers.iter().map(|driver| Combination::new(workload, driver, &[ACCESSES])))
    }

    pub fn with_seed(self, seed: u64) -> Combination {
        Combination { seed, ..self }
    }

    /// Parameters of a short run.
    pub fn parameters(&self) -> Vec<String> {
        let workload = WORKLOADS.iter().find(|workload| workload.name == self.workload).expect("a bundled workload");
        let short = workload.short.iter().map(|(key, value)| format!("{key}={value}"));
        let frames = workload.parameters.iter().any(|parameter| parameter.name == "frames");
        let few = (frames && workload.short.is_empty()).then(|| "frames=40".to_owned());
        short.chain(few).collect()
    }

    /// True if the workload needs handles per context and the driver has them.
    pub fn has_contexts(&self) -> bool {
        let workload = WORKLOADS.iter().find(|workload| workload.name == self.workload);
        needs_contexts(workload.expect("a bundled workload")) && has_contexts(&self.driver)
    }
}

fn has_contexts(driver: &str) -> bool {
    Profile::named(driver).is_some_and(|profile| profile.contexts.is_some())
}

fn needs_contexts(workload: &Workload) -> bool {
    has_contexts(workload.driver)
}

/// Every workload under every sound driver and pair. Workloads with handles per context are recorded with the accesses
/// to their memory and without.
pub fn sound() -> Vec<Combination> {
    let drivers = || Profile::bundled().iter().map(|(name, _)| *name).chain(PAIRS);
    let mut all = Vec::new();
    for workload in WORKLOADS {
        all.extend(drivers().map(|driver| Combination::new(workload, driver, &[])));
        if needs_contexts(workload) {
            all.extend(drivers().map(|driver| Combination::new(workload, driver, &[ACCESSES])));
        }
    }
    all
}

/// The workloads that use the part of a driver in which its fault is, under every faulty driver. Without strict rules
/// a recording continues after a violation.
pub fn faulty() -> Vec<Combination> {
    let mut all = Vec::new();
    for (name, _) in Profile::faulty() {
        let profile = Profile::named(name).expect("a bundled profile");
        for workload in WORKLOADS {
            let machine = workloads::machine(workload.name);
            let (needs_contexts, has_machine) = (needs_contexts(workload), machine.is_some());
            if needs_contexts != profile.contexts.is_some() || has_machine != profile.kernel.is_some() {
                continue;
            }
            let adapters = machine.and_then(MachineProfile::named).map_or(1, |machine| machine.adapters.len());
            let driver = if adapters == 2 { format!("{name}+dgpu") } else { (*name).to_owned() };
            let settings: &[&str] = if needs_contexts { &["strict=false", ACCESSES] } else { &["strict=false"] };
            let combination = Combination::new(workload, &driver, settings);
            all.push(Combination { faulty: name, ..combination });
        }
    }
    all
}
