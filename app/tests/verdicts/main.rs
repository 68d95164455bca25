//! Verdicts of the reports on every bundled workload under every bundled driver: the rules that they find broken, their
//! agreement with the tables of their reports, and which combinations a recording refuses.
//!
//! Seed 1 of all combinations; seeds 1 to 20 of the workloads with handles per context. `TAUT_SEEDS=200` sets the
//! number of seeds of every combination. `BLESS=1` writes the golden lists.
#![allow(clippy::expect_used)]

mod allocators;
mod combinations;
mod consistency;
mod layouts;
mod run;

use combinations::{Combination, faulty, sound};
use run::{Verdict, verdicts};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use taut_runtime::Profile;

/// Seeds of the workloads with handles per context.
const CONTEXT_SEEDS: u64 = 20;

/// Number of seeds that the environment asks for.
fn seeds() -> Option<u64> {
    std::env::var("TAUT_SEEDS").ok().map(|seeds| seeds.parse().expect("TAUT_SEEDS is a number"))
}

/// Compares a list with its golden file.
fn assert_golden(name: &str, lines: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, lines).expect("a golden file");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == lines, "{name} differs; BLESS=1 writes it. Expected:\n{golden}\nFound:\n{lines}");
}

#[test]
fn a_sound_driver_breaks_no_rule_verdicts_agree_with_their_tables_and_refusals_are_a_golden_list() {
    let seeds_of = |combination: &Combination| {
        let default = if combination.has_contexts() { CONTEXT_SEEDS } else { 1 };
        1..=seeds().unwrap_or(default)
    };
    let all = sound();
    let runs: Vec<Combination> =
        all.iter().flat_map(|one| seeds_of(one).map(|seed| one.clone().with_seed(seed))).collect();
    let mut refused: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (combination, verdict) in runs.iter().zip(verdicts(&runs)) {
        match verdict {
            Verdict::Kept => {}
            Verdict::Refused(reason) => {
                // The message of a wrong option begins with the option.
                let option = format!("--driver {}: ", combination.driver);
                let reason = reason.strip_prefix(&option).unwrap_or(&reason).to_owned();
                refused.entry((combination.workload, reason)).or_default().insert(combination.driver.clone());
            }
            Verdict::Broken(rules) => wrong.push(format!("{combination}: {rules:?}")),
            Verdict::Contradicts(lines) => wrong.push(format!("{combination}: {}", lines.join("; "))),
            Verdict::Failed(error) => wrong.push(format!("{combination}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {} runs:\n{}", wrong.len(), runs.len(), wrong.join("\n"));
    let mut lines = String::new();
    for ((workload, reason), drivers) in refused {
        let drivers: Vec<String> = drivers.into_iter().collect();
        lines += &format!("{workload}: {reason}\n    {}\n", drivers.join(" "));
    }
    assert_golden("refused.txt", &lines);
}

/// A fault that no bundled workload triggers, or whose rule no report checks, has "none" in the golden list: only the
/// conformance kit finds it. Rules that a fault breaks in consequence are not listed, because they depend on the order
/// of the threads.
#[test]
fn the_reports_find_the_rules_that_faulty_drivers_break_and_verdicts_agree_with_their_tables() {
    let runs = faulty();
    let mut broken: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (combination, verdict) in runs.iter().zip(verdicts(&runs)) {
        let rules = broken.entry(combination.faulty).or_default();
        match verdict {
            Verdict::Broken(found) => rules.extend(found),
            Verdict::Contradicts(lines) => wrong.push(format!("{combination}: {}", lines.join("; "))),
            Verdict::Kept | Verdict::Refused(_) | Verdict::Failed(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut lines = String::new();
    for (driver, rules) in broken {
        let fails = Profile::named(driver).expect("a bundled profile").fails;
        let own: Vec<&str> =
            rules.iter().map(String::as_str).filter(|rule| fails.iter().any(|own| own == rule)).collect();
        let found = if own.is_empty() { "none".to_owned() } else { own.join(", ") };
        lines += &format!("{driver} fails {}; reports: {found}\n", fails.join(", "));
    }
    assert_golden("faulty.txt", &lines);
}
