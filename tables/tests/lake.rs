//! A lake takes each trace once, and has it whole or not at all.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use taut_schemas::SchemaTable;
use taut_tables::TABLES;
use taut_traces::{Header, Identity, TraceWriter, WriteOptions};

/// A trace of this recording with so many records.
fn write(path: &Path, identity: &Identity, records: u64) {
    let schema = SchemaTable::current();
    let code = schema.events.iter().find(|event| event.name == "MemoryFence").unwrap().code;
    let header = Header { schema, identity: identity.clone(), ..Header::default() };
    let _ = std::fs::remove_file(path);
    let writer = TraceWriter::create(path, header, WriteOptions::default()).unwrap();
    let mut thread = writer.thread(1);
    (0..records).for_each(|record| thread.event(code, 1 + record, |encoder| encoder.u64(record)));
    drop(thread);
    writer.finish().unwrap();
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut-tables"));
    command.env("TAUT_CACHE", "");
    command.current_dir(folder).args(["export", "--to", "parquet", "--json"]).args(arguments);
    command
}

/// What an export says, and how it ends.
fn export(folder: &Path, arguments: &[&str]) -> (Value, i32, String) {
    let output = command(folder, arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap_or_default(), output.status.code().unwrap(), said)
}

fn were_there(said: &Value) -> Vec<bool> {
    let several = said.as_array().cloned().unwrap_or_else(|| vec![said.clone()]);
    several.iter().map(|one| one["was_there"].as_bool().unwrap()).collect()
}

/// The files of a trace: of each table but those whose rows are in others, and of the records of none.
fn files() -> Vec<&'static str> {
    let own = TABLES.iter().map(|table| table.name).filter(|name| !["events", "placements"].contains(name));
    own.chain(["other_events"]).collect()
}

/// The files of each trace that the lake has.
fn tables(lake: &Path) -> BTreeMap<String, Vec<String>> {
    let mut traces = BTreeMap::<String, Vec<String>>::new();
    for table in files() {
        for trace in std::fs::read_dir(lake.join(table)).into_iter().flatten() {
            let trace = trace.unwrap().path();
            let file = trace.join(format!("{table}.parquet"));
            if file.exists() {
                let bytes = std::fs::read(&file).unwrap();
                assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{}", file.display());
                let id = trace.file_name().unwrap().to_string_lossy().into_owned();
                traces.entry(id).or_default().push(table.to_owned());
            }
        }
    }
    traces
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, path)
}

#[test]
fn a_trace_that_is_there_is_skipped_and_a_changed_one_replaced() {
    let (_folder, at) = folder();
    let (one, two) = (Identity::random("test", "1"), Identity::random("test", "1"));
    write(&at.join("a.taut"), &one, 10);
    write(&at.join("b.taut"), &two, 20);
    std::fs::copy(at.join("a.taut"), at.join("copy.taut")).unwrap();
    let all = ["a.taut", "b.taut", "copy.taut"];
    let (said, code, errors) = export(&at, &all);
    assert_eq!((were_there(&said), code), (vec![false, false, true], 0), "{errors}");
    assert_eq!(were_there(&export(&at, &all).0), [true, true, true]);
    assert_eq!(tables(&at.join("lake")).len(), 2);
    // The same recording, further on.
    write(&at.join("a.taut"), &one, 30);
    assert_eq!(were_there(&export(&at, &["a.taut", "b.taut"]).0), [false, true]);
    let there = tables(&at.join("lake"));
    assert_eq!(there.len(), 2, "{there:?}");
    assert!(there.values().all(|found| found.len() == files().len()), "{there:?}");
}

#[test]
fn other_tags_and_a_lost_or_damaged_row_are_reasons_to_write_again() {
    let (_folder, at) = folder();
    write(&at.join("a.taut"), &Identity::random("test", "1"), 10);
    let id = export(&at, &["a.taut", "--tag", "commit=1"]).0["trace_id"].as_str().unwrap().to_owned();
    let mark = at.join(format!("lake/traces/trace={id}/traces.parquet"));
    assert_eq!(were_there(&export(&at, &["a.taut"]).0), [true]);
    assert_eq!(were_there(&export(&at, &["a.taut", "--tag", "commit=1"]).0), [true]);
    assert_eq!(were_there(&export(&at, &["a.taut", "--tag", "commit=2"]).0), [false]);
    std::fs::remove_file(&mark).unwrap();
    assert_eq!(were_there(&export(&at, &["a.taut"]).0), [false]);
    let whole = std::fs::read(&mark).unwrap();
    std::fs::write(&mark, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(were_there(&export(&at, &["a.taut"]).0), [false]);
    assert_eq!(were_there(&export(&at, &["a.taut"]).0), [true]);
}

#[test]
fn a_trace_that_cannot_be_read_does_not_keep_the_others_out() {
    let (_folder, at) = folder();
    write(&at.join("a.taut"), &Identity::random("test", "1"), 10);
    std::fs::write(at.join("bad.taut"), b"no trace").unwrap();
    let (said, code, errors) = export(&at, &["bad.taut", "a.taut", "missing.taut"]);
    assert_eq!((were_there(&said), code), (vec![false], 4), "{errors}");
    assert!(errors.contains("bad.taut") && errors.contains("missing.taut"), "{errors}");
    for tags in [&["--tag", "x"][..], &["--tag", "A B=1"], &["--tag", "a=1", "--tag", "a=2"]] {
        assert_eq!(export(&at, &[&["a.taut"], tags].concat()).1, 2, "{tags:?}");
    }
}

#[test]
fn what_is_taken_away_when_a_writer_is_killed_is_taken_away_by_the_next() {
    let (_folder, at) = folder();
    write(&at.join("a.taut"), &Identity::random("test", "1"), 10);
    write(&at.join("b.taut"), &Identity::random("test", "1"), 10);
    let id = export(&at, &["a.taut"]).0["trace_id"].as_str().unwrap().to_owned();
    let mark = at.join(format!("lake/traces/trace={id}/traces.parquet"));
    std::fs::create_dir(mark.with_extension("going")).unwrap();
    std::fs::remove_file(&mark).unwrap();
    std::fs::remove_file(at.join(format!("lake/other_events/trace={id}/other_events.parquet"))).unwrap();
    export(&at, &["b.taut"]);
    let there = tables(&at.join("lake"));
    assert_eq!(there.keys().filter(|known| known.contains(&id)).count(), 0, "{there:?}");
    assert_eq!(there.len(), 1);
}

/// A trace that `traces` names has all its tables, and exporting again leaves what was to be there.
#[test]
fn a_kill_leaves_no_half_trace() {
    let kills = std::env::var("TAUT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20);
    let (_folder, at) = folder();
    let identity = Identity::random("test", "1");
    write(&at.join("b.taut"), &Identity::random("test", "1"), 100);
    let mut state = 20_261_123_u64;
    let begun = Instant::now();
    write(&at.join("a.taut"), &identity, 1000);
    export(&at, &["a.taut", "b.taut"]);
    let whole = begun.elapsed();
    for kill in 0..kills {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        write(&at.join("a.taut"), &identity, 1001 + kill);
        let mut child: Child =
            command(&at, &["a.taut", "b.taut"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_nanos(state % (whole.as_nanos() as u64)));
        let _ = child.kill();
        child.wait().unwrap();
        let lake = at.join("lake");
        for (trace, found) in tables(&lake) {
            let is_named = found.iter().any(|table| table == "traces");
            assert!(!is_named || found.len() == files().len(), "kill {kill}: {trace} has {found:?}");
        }
    }
    assert_eq!(export(&at, &["a.taut", "b.taut"]).1, 0);
    let last = export(&at, &["a.taut", "b.taut"]).0;
    assert_eq!(were_there(&last), [true, true]);
    let ids: Vec<String> =
        last.as_array().unwrap().iter().map(|one| format!("trace={}", one["trace_id"].as_str().unwrap())).collect();
    let there = tables(&at.join("lake"));
    assert!(ids.iter().all(|id| there[id].len() == files().len()));
    let named: Vec<&String> =
        there.iter().filter(|(_, found)| found.iter().any(|table| table == "traces")).map(|(id, _)| id).collect();
    assert_eq!(named.len(), 2, "{named:?}");
}
