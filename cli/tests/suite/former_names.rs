//! A trace with the names of an earlier build dumps, replays and reports like one with the names of this build.

use crate::taut::Taut;
use std::collections::BTreeMap;
use std::path::Path;
use taut_schemas::FormerNames;
use taut_traces::{Header, ThreadWriter, Trace, TraceWriter, WriteOptions};

/// Copies the records of a trace to another file, with the former names in its schema table if `is_former`.
fn copy(from: &Path, to: &Path, is_former: bool) {
    let trace = Trace::open(from).unwrap();
    let mut header: Header = trace.header().clone();
    if is_former {
        FormerNames::current().restore(&mut header.schema);
        assert_ne!(header.schema, trace.header().schema);
    }
    let writer = TraceWriter::create(to, &header, WriteOptions::default()).unwrap();
    let (mut rows, mut threads) = (trace.rows(), BTreeMap::new());
    while let Some(row) = rows.next_row() {
        let thread: &mut ThreadWriter = threads.entry(row.thread).or_insert_with(|| writer.thread(row.thread));
        thread.event(row.code, row.stamp, |encoder| encoder.raw(row.payload));
    }
    drop(threads);
    writer.finish().unwrap();
}

/// Output and exit code of each command on the trace in `folder`.
fn outputs(folder: &Path) -> Vec<(String, i32)> {
    let commands: [&[&str]; 9] = [
        &["dump", "t.taut"],
        &["dump", "t.taut", "--json"],
        &["replay", "t.taut", "--json"],
        &["analyze", "t.taut"],
        &["analyze", "t.taut", "--report", "alignment", "--json"],
        &["analyze", "t.taut", "--report", "pgo", "--json"],
        &["analyze", "t.taut", "--report", "present", "--json"],
        &["analyze", "t.taut", "--report", "handles", "--json"],
        &["analyze", "t.taut", "--report", "health", "--json"],
    ];
    let taut = Taut::new(folder);
    let run = |command: &&[&str]| {
        let run = taut.run(command);
        assert!(!run.stderr.contains("unexpected argument"), "{command:?}: {}", run.stderr);
        (run.stdout + &run.stderr, run.code)
    };
    commands.iter().map(run).collect()
}

#[test]
fn a_trace_of_former_names_dumps_replays_and_reports_as_before() {
    let recordings: [&[&str]; 5] = [
        &["small-level", "--threads", "2"],
        &["game-session", "--machine", "hybrid-laptop"],
        &["game-session", "--driver", "pgo-levels"],
        &["deferred-contexts", "--driver", "faulty-walks"],
        &["game-session", "--driver", "pgo-threads"],
    ];
    for recording in recordings {
        let folder = tempfile::tempdir().unwrap();
        let taut = Taut::new(folder.path());
        let recorded = [&["record"], recording, &["--clock", "logical", "-o", "r.taut"]].concat();
        let run = taut.run(&recorded);
        assert!(folder.path().join("r.taut").exists(), "{recorded:?}: {}", run.stderr);
        let [current, former] = [false, true].map(|is_former| {
            let copied = folder.path().join(is_former.to_string());
            std::fs::create_dir(&copied).unwrap();
            copy(&folder.path().join("r.taut"), &copied.join("t.taut"), is_former);
            outputs(&copied)
        });
        for (current, former) in current.iter().zip(&former) {
            assert_eq!(current, former, "{recording:?}");
        }
    }
}
