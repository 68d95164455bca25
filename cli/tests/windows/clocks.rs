//! Clocks of recordings: the time-stamp counter, and the clock of the system where the counter is not invariant.

use crate::program::{run, succeed};
use std::time::Instant;

#[test]
fn every_clock_measures_the_time_of_the_recording_and_replays_identically() {
    let folder = tempfile::tempdir().unwrap();
    for (clock, sources) in [("best", &["tsc", "monotonic"][..]), ("monotonic", &["monotonic"])] {
        let begun = Instant::now();
        let record = ["record", "small-level", "--threads", "2", "--clock", clock, "-o", "x.taut", "--force"];
        succeed(folder.path(), &record);
        let elapsed = begun.elapsed().as_nanos();
        let info = run(folder.path(), &["info", "x.taut", "--verify", "--json"]).json();
        let source = info["clock"]["source"].as_str().unwrap();
        assert!(sources.contains(&source), "{clock}: {source}");
        let duration = u128::from(info["duration_ns"].as_u64().unwrap());
        assert!(duration > 100_000 && duration < elapsed, "{clock}: {duration} ns of {elapsed} ns");
        let replay = run(folder.path(), &["replay", "x.taut", "--json"]);
        assert_eq!((replay.code, &replay.json()["identical"]), (Some(0), &true.into()), "{clock}");
    }
}
