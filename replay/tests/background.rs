//! Background tasks on real threads, replayed.
#![allow(clippy::expect_used)]

mod recording;

use recording::recorded;
use taut_capture::Clock;
use taut_replay::{Options, Replayer};
use taut_traces::fields;

#[test]
fn look() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = recorded("pix-single-frame", "reference", &[], Clock::best(), &folder.path().join("pix.taut"));
    let schema = &trace.header().schema;
    let mut rows = trace.rows();
    let mut counts = std::collections::BTreeMap::new();
    while let Some(row) = rows.next().expect("a row") {
        let event = schema.event(row.code).expect("known");
        *counts.entry(format!("{} {:?}", event.name, event.opcode)).or_insert(0) += 1;
        let wanted = [
            "SetBackgroundProcessingMode",
            "BackgroundCommit",
            "BackgroundCommitDone",
            "SetBackgroundProcessingMode0063",
            "BackgroundWorkStart",
            "BackgroundWorkStop",
            "QueueProcessingWork",
            "DebugMessage",
            "DriverViolation",
        ];
        if wanted.contains(&event.name.as_str()) {
            println!(
                "{} {} {:?} {:?}",
                row.thread,
                event.name,
                event.opcode,
                fields(schema, row.code, row.payload).expect("fields")
            );
        }
    }
    println!("{counts:#?}");
    for _ in 0..20 {
        let outcome = Replayer::new(&trace, Options::default()).run().expect("a replay");
        assert!(outcome.is_identical(), "{:#?}", outcome.divergences);
    }
}
