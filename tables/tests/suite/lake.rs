//! Lake exports: each trace once, complete or not at all.
#![allow(clippy::unwrap_used)]

use crate::recording::write;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use taut_tables::TABLES;
use taut_testkit::Taut;
use taut_traces::Identity;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Taut::tables(folder).command(&["export", "--to", "parquet", "--json"]);
    command.args(arguments);
    command
}

/// Runs an export; returns its JSON output, exit code and messages.
fn export(folder: &Path, arguments: &[&str]) -> (Value, i32, String) {
    let output = command(folder, arguments).output().unwrap();
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap_or_default(), output.status.code().unwrap(), reported)
}

fn were_present(reported: &Value) -> Vec<bool> {
    let several = reported.as_array().cloned().unwrap_or_else(|| vec![reported.clone()]);
    several.iter().map(|one| one["was_present"].as_bool().unwrap()).collect()
}

/// Files of a trace: of each table except those derived from others, and of the remaining records.
fn files() -> Vec<&'static str> {
    let own = TABLES.iter().map(|table| table.name).filter(|name| !["events", "placements"].contains(name));
    own.chain(["other_events"]).collect()
}

/// Files of each trace in the lake.
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
fn an_exported_trace_is_skipped_and_a_changed_one_replaced() {
    let (_folder, at) = folder();
    let (one, two) = (Identity::random("test", "1"), Identity::random("test", "1"));
    write(&at.join("a.taut"), &one, 10);
    write(&at.join("b.taut"), &two, 20);
    std::fs::copy(at.join("a.taut"), at.join("copy.taut")).unwrap();
    let all = ["a.taut", "b.taut", "copy.taut"];
    let (reported, code, errors) = export(&at, &all);
    assert_eq!((were_present(&reported), code), (vec![false, false, true], 0), "{errors}");
    assert_eq!(were_present(&export(&at, &all).0), [true, true, true]);
    assert_eq!(tables(&at.join("lake")).len(), 2);
    // The same recording at a later state.
    write(&at.join("a.taut"), &one, 30);
    assert_eq!(were_present(&export(&at, &["a.taut", "b.taut"]).0), [false, true]);
    let exported = tables(&at.join("lake"));
    assert_eq!(exported.len(), 2, "{exported:?}");
    assert!(exported.values().all(|found| found.len() == files().len()), "{exported:?}");
}

#[test]
fn other_tags_and_a_lost_or_damaged_row_cause_a_new_export() {
    let (_folder, at) = folder();
    write(&at.join("a.taut"), &Identity::random("test", "1"), 10);
    let id = export(&at, &["a.taut", "--tag", "commit=1"]).0["trace_id"].as_str().unwrap().to_owned();
    let mark = at.join(format!("lake/traces/trace={id}/traces.parquet"));
    assert_eq!(were_present(&export(&at, &["a.taut"]).0), [true]);
    assert_eq!(were_present(&export(&at, &["a.taut", "--tag", "commit=1"]).0), [true]);
    assert_eq!(were_present(&export(&at, &["a.taut", "--tag", "commit=2"]).0), [false]);
    std::fs::remove_file(&mark).unwrap();
    assert_eq!(were_present(&export(&at, &["a.taut"]).0), [false]);
    let whole = std::fs::read(&mark).unwrap();
    std::fs::write(&mark, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(were_present(&export(&at, &["a.taut"]).0), [false]);
    assert_eq!(were_present(&export(&at, &["a.taut"]).0), [true]);
}

#[test]
fn an_unreadable_trace_does_not_stop_the_others() {
    let (_folder, at) = folder();
    write(&at.join("a.taut"), &Identity::random("test", "1"), 10);
    std::fs::write(at.join("bad.taut"), b"no trace").unwrap();
    let (reported, code, errors) = export(&at, &["bad.taut", "a.taut", "missing.taut"]);
    assert_eq!((were_present(&reported), code), (vec![false], 4), "{errors}");
    assert!(errors.contains("bad.taut") && errors.contains("missing.taut"), "{errors}");
    for tags in [&["--tag", "x"][..], &["--tag", "A B=1"], &["--tag", "a=1", "--tag", "a=2"]] {
        assert_eq!(export(&at, &[&["a.taut"], tags].concat()).1, 2, "{tags:?}");
    }
}

#[test]
fn the_removal_of_a_killed_writer_is_completed_by_the_next() {
    let (_folder, at) = folder();
    write(&at.join("a.taut"), &Identity::random("test", "1"), 10);
    write(&at.join("b.taut"), &Identity::random("test", "1"), 10);
    let id = export(&at, &["a.taut"]).0["trace_id"].as_str().unwrap().to_owned();
    let mark = at.join(format!("lake/traces/trace={id}/traces.parquet"));
    // The second marker and the table `decisions` are those of an earlier build.
    let former = at.join(format!("lake/decisions/trace={id}"));
    for marker in ["removing", "going"] {
        export(&at, &["a.taut"]);
        std::fs::create_dir_all(&former).unwrap();
        std::fs::copy(&mark, former.join("decisions.parquet")).unwrap();
        std::fs::create_dir(mark.with_extension(marker)).unwrap();
        std::fs::remove_file(&mark).unwrap();
        std::fs::remove_file(at.join(format!("lake/other_events/trace={id}/other_events.parquet"))).unwrap();
        export(&at, &["b.taut"]);
        let exported = tables(&at.join("lake"));
        assert_eq!(exported.keys().filter(|known| known.contains(&id)).count(), 0, "{exported:?}");
        assert_eq!((exported.len(), former.exists()), (1, false));
    }
}

/// A trace that `traces` names has all its tables, and exporting again completes the others.
#[test]
fn a_kill_leaves_no_incomplete_trace() {
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
    assert_eq!(were_present(&last), [true, true]);
    let ids: Vec<String> =
        last.as_array().unwrap().iter().map(|one| format!("trace={}", one["trace_id"].as_str().unwrap())).collect();
    let exported = tables(&at.join("lake"));
    assert!(ids.iter().all(|id| exported[id].len() == files().len()));
    let named: Vec<&String> =
        exported.iter().filter(|(_, found)| found.iter().any(|table| table == "traces")).map(|(id, _)| id).collect();
    assert_eq!(named.len(), 2, "{named:?}");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_of_the_lake_is_neither_waited_for_nor_removed() {
    for table in ["traces", "resources", "other_events"] {
        for plant in ["mkfifo \"$0\"", "ln -s \"$1/letter\" \"$0\"", "mkdir \"$0\"", "echo Dear >\"$0\""] {
            let (_folder, at) = folder();
            let identity = Identity::random("test", "1");
            write(&at.join("a.taut"), &identity, 10);
            let id = export(&at, &["a.taut"]).0["trace_id"].as_str().unwrap().to_owned();
            std::fs::write(at.join("letter"), "Dear").unwrap();
            let file = at.join(format!("lake/{table}/trace={id}/{table}.parquet"));
            std::fs::remove_file(&file).unwrap();
            assert!(Command::new("sh").args(["-c", plant]).arg(&file).arg(&at).status().unwrap().success());
            let kind = || file.symlink_metadata().unwrap().file_type();
            let planted = kind();
            // The same again, and the recording further on, which takes away what was there of it.
            for records in [10, 20] {
                write(&at.join("a.taut"), &identity, records);
                let run = command(&at, &["a.taut"]);
                let mut limited = Command::new("timeout");
                limited.arg("60").arg(run.get_program()).args(run.get_args()).current_dir(&at).env("TAUT_CACHE", "");
                let output = limited.output().unwrap();
                let (code, reported) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
                // A trace without its mark is unknown, so nothing of it is taken away.
                let is_expected =
                    matches!(code, Some(2 | 4)) || (table == "traces" && records == 20 && code == Some(0));
                assert!(is_expected, "{table}, {plant}: {code:?}: {reported}");
                assert_eq!(kind(), planted, "{table}, {plant}");
                assert_eq!(std::fs::read_to_string(at.join("letter")).unwrap(), "Dear");
            }
        }
    }
}
