//! Recordings that are interrupted before their workload ends: complete, marked, and replayed.
#![allow(clippy::expect_used)]

use std::time::Duration;
use taut_capture::Adapters;
use taut_replay::{Options, Replayer};
use taut_runtime::MachineProfile;
use taut_testkit::{Recording, workload_parameters};
use taut_traces::Trace;
use taut_workloads::{self as workloads, WORKLOADS, WorkloadError};

/// Delays before each interruption in microseconds; the first is none at all, which stops every workload.
const DELAYS_US: [u64; 5] = [0, 300, 1_000, 4_000, 12_000];

#[test]
fn a_recording_stopped_anywhere_is_whole_and_replays_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stopped.taut");
    for known in WORKLOADS {
        let parameters = workload_parameters(known.name, known.short);
        let adapters = Adapters::named(known.driver).expect("bundled profiles");
        let machine =
            workloads::machine(known.name).map(|name| MachineProfile::named(name).expect("a bundled machine"));
        let adapters = machine.into_iter().fold(adapters, Adapters::of);
        for delay_us in DELAYS_US {
            let recording = Recording::new(&adapters).with_workload(known.name, parameters.values());
            let session = recording.session(&file);
            let stop = session.stop();
            if delay_us == 0 {
                stop.request();
            }
            let ran = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_micros(delay_us));
                    stop.request();
                });
                workloads::run(known.name, &session, &parameters)
            });
            let written = session.finish().expect("a trace");
            let stopped = match ran {
                Ok(()) => false,
                Err(WorkloadError::Interrupted) => true,
                Err(error) => panic!("{} after {delay_us} µs: {error}", known.name),
            };
            assert!(stopped || delay_us > 0, "{} went on", known.name);
            let trace = Trace::open(&file).expect("a trace");
            let summary = trace.summary();
            assert!(
                summary.complete && (summary.interrupted || !stopped) && written.lost_events == 0,
                "{}",
                known.name
            );
            let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
            assert!(outcome.is_identical(), "{} after {delay_us} µs: {:#?}", known.name, outcome.divergences);
            assert!(outcome.damage.is_empty());
        }
    }
}
