//! Everything from one seed: a workload, a driver that may be at fault, the recorder's options, a disk that fails, a process that is
//! killed. What it leaves is recovered and replayed, and has to be what was recorded.
//!
//! `TAUT_SEED=17` runs one seed, `TAUT_SEEDS=100000` so many, from `TAUT_FIRST_SEED` on.
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

/// Seeds of a run that is asked for nothing else.
const SEEDS: u64 = 24;

/// Seeds that did not hold once.
const MENDED: [u64; 11] = [8, 28, 154, 499, 832, 3152, 4814, 33905, 54597, 66209, 70534];

/// A run ends with so many failures.
const MOST_FAILED: usize = 20;

/// After this, a seed is taken to hang.
const PATIENCE: Duration = Duration::from_secs(300);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Drivers panic here by design; that is not to be heard.
fn keep_quiet() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload_as_str().unwrap_or_default();
        if !words.starts_with("the driver") {
            told(panic);
        }
    }));
}

/// Whether the seed holds; what it is, and the command that runs it alone, are told if not.
fn holds(seed: u64) -> bool {
    let plan = Plan::of(seed);
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
fn whatever_becomes_of_a_recording_what_it_left_is_what_was_recorded_and_replays() {
    keep_quiet();
    let only = number("TAUT_SEED");
    let first = only.or_else(|| number("TAUT_FIRST_SEED")).unwrap_or(0);
    let seeds = only.map_or_else(|| number("TAUT_SEEDS").unwrap_or(SEEDS), |_| 1);
    let mended = MENDED.into_iter().filter(|_| only.is_none());
    let mut failed = Vec::new();
    for seed in mended.chain(first..first + seeds) {
        if !holds(seed) {
            failed.push(seed);
        }
        if failed.len() == MOST_FAILED {
            break;
        }
        if seed >= first && seed % 1000 == 999 {
            println!("{} seeds", seed + 1 - first);
        }
    }
    assert!(failed.is_empty(), "seeds that do not hold: {failed:?}");
}
