//! Simulations derived from one seed: a workload, a driver with a possible fault, recorder options, a failing disk, a
//! killed process. The remaining files are recovered and replayed, and must match what was recorded.
//!
//! `TAUT_SEED=17` runs one seed, `TAUT_SEEDS=100000` runs this many, starting at `TAUT_FIRST_SEED`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod checks;
mod disk;
mod plan;
mod random;
mod run;
mod world;

use plan::Plan;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Default number of seeds.
const SEEDS: u64 = 24;

/// Seeds that once failed.
const ONCE_FAILED: [u64; 11] = [8, 28, 154, 499, 832, 3152, 4814, 33905, 54597, 66209, 70534];

/// Number of failures after which a run ends.
const MAX_FAILED: usize = 20;

/// Time after which a seed counts as hanging.
const PATIENCE: Duration = Duration::from_secs(300);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Suppresses the messages of panics, which drivers raise by design.
fn keep_quiet() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload_as_str().unwrap_or_default();
        if !words.starts_with("the driver") {
            default_hook(panic);
        }
    }));
}

/// Runs a seed; prints its plan and the command that runs it alone if it fails.
fn holds(seed: u64) -> bool {
    let plan = Plan::from_seed(seed);
    let command = format!("TAUT_SEED={seed} cargo test -p taut-replay --test simulation");
    let (done, is_done) = channel::<()>();
    let hangs = command.clone();
    let watch = std::thread::spawn(move || {
        if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            eprintln!("it hangs: {hangs}");
            std::process::abort();
        }
    });
    let ran = catch_unwind(AssertUnwindSafe(|| run::run(&plan)));
    drop(done);
    watch.join().expect("the watch");
    if ran.is_err() {
        eprintln!("{plan:?}\n{command}");
    }
    ran.is_ok()
}

#[test]
fn a_recording_that_ends_in_any_way_holds_what_was_recorded_and_replays() {
    keep_quiet();
    let only = number("TAUT_SEED");
    let first = only.or_else(|| number("TAUT_FIRST_SEED")).unwrap_or(0);
    let seeds = only.map_or_else(|| number("TAUT_SEEDS").unwrap_or(SEEDS), |_| 1);
    let mended = ONCE_FAILED.into_iter().filter(|_| only.is_none());
    let mut failed = Vec::new();
    for seed in mended.chain(first..first + seeds) {
        if !holds(seed) {
            failed.push(seed);
        }
        if failed.len() == MAX_FAILED {
            break;
        }
        if seed >= first && seed % 1000 == 999 {
            println!("{} seeds", seed + 1 - first);
        }
    }
    assert!(failed.is_empty(), "seeds that do not hold: {failed:?}");
}
