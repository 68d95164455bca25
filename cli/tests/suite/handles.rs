//! Tests of the report on handles: a replay adds accesses, and broken rules set the exit code.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use taut::{Taut, tables_are_built};
use taut_replay::{Options, Replayer};
use taut_runtime::Settings;
use taut_schemas::{
    BindFlags, Call, EventCode, ObjectId, Opcode, ShaderStage, Texture2dDesc, d3d11, d3d11_context_ddi as ddi,
    format::Format,
};
use taut_testkit::{Recording, d3d11_device};
use taut_traces::{ThreadWriter, Trace, TraceWriter, WriteOptions};

/// Records a program with a list on each of two deferred contexts, without accesses.
fn record(file: &Path, driver: &str) {
    let settings = Settings { strict: false, ..Settings::default() };
    let session = Recording::under(driver).with_settings(settings).session(file);
    let created = d3d11_device(&session);
    let device = created.device;
    let desc = Texture2dDesc {
        width: 16,
        height: 16,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        bind_flags: BindFlags::SHADER_RESOURCE,
        ..Default::default()
    };
    let texture = session.call(d3d11::CreateTexture2D { device, desc, initial_data: false }).unwrap();
    let view = session.call(d3d11::CreateShaderResourceView { device, resource: texture, desc: None }).unwrap();
    let contexts = [(); 2].map(|()| session.call(d3d11::CreateDeferredContext { device, flags: 0 }).unwrap());
    for context in contexts {
        let (stage, start_slot, views) = (ShaderStage::PIXEL, 0, vec![view]);
        session.call(d3d11::SetShaderResources { context, stage, start_slot, views }).unwrap();
        session.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }).unwrap();
    }
    for context in contexts {
        let (restore_deferred_context_state, want_command_list) = (false, true);
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
        let command_list = session.call(finish).unwrap();
        let (context, restore_context_state) = (created.immediate_context, false);
        session.call(d3d11::ExecuteCommandList { context, command_list, restore_context_state }).unwrap();
        session.call(d3d11::Release { object: command_list.into() }).unwrap();
    }
    for object in [contexts[0].0, contexts[1].0, view.0, texture.0, device.0] {
        session.call(d3d11::Release { object: ObjectId(object) }).unwrap();
    }
    session.finish().unwrap();
}

/// Figures of the report, and the exit code.
fn report(taut: &Taut, file: &str) -> (Value, i32) {
    let run = taut.run(&["analyze", file, "--report", "handles", "--json"]);
    let json: Value = serde_json::from_str(&run.stdout).expect("JSON");
    (json["reports"]["handles"].clone(), run.code)
}

fn with_accesses(taut: &Taut, folder: &Path, driver: &str) -> (Value, i32) {
    record(&folder.join("calls.taut"), driver);
    taut.stdout(&["replay", "calls.taut", "--setting", "handle_accesses=true", "-o", "mem.taut"]);
    report(taut, "mem.taut")
}

#[test]
fn h01_two_contexts_hold_twice_the_memory_and_a_replay_adds_cache_lines() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    let (found, code) = with_accesses(&taut, folder.path(), "multi-size");
    assert_eq!((code, &found["violations"]), (0, &0.into()));
    // Each context has a texture handle of 128 bytes and a view handle of 48.
    let cost = &found["cost"];
    assert_eq!((&cost["handles"], &cost["extra_handles"], &cost["extra_bytes"]), (&4.into(), &2.into(), &176.into()));
    assert_eq!(found["peak"]["duplicated_bytes"], 176);
    assert_eq!((&found["shared_lines"], &found["leaks"]), (&0.into(), &0.into()));
    let (without, _) = report(&taut, "calls.taut");
    for key in ["peak_bytes", "peak_handles", "contexts", "cost", "size_classes", "leaks", "violations"] {
        assert_eq!(found[key], without[key], "{key}");
    }
    assert_eq!((&without["shared_lines"], &without["accesses"]), (&Value::Null, &Value::Null));
    if tables_are_built("the tables of handles") {
        let query = |sql: &str| taut.stdout(&["query", "mem.taut", sql, "--format", "csv"]);
        let counted = query("SELECT count(*) AS n FROM accesses");
        assert_eq!(counted.lines().nth(1), Some(found["accesses"].to_string().as_str()));
        let sums =
            query("SELECT sum(reads) + sum(writes) AS n, count(*) AS handles FROM handles WHERE NOT is_immediate");
        let of_tables = query("SELECT count(*) AS n FROM accesses WHERE owner <> 2 AND handle_type IS NOT NULL");
        let both = [sums.lines().nth(1).unwrap(), of_tables.lines().nth(1).unwrap()];
        assert!(both[0].ends_with(",4") && both[0].starts_with(both[1]), "{both:?}");
    }
}

#[test]
fn h38_a_driver_that_accesses_another_contexts_memory_sets_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    let (found, code) = with_accesses(&taut, folder.path(), "faulty-walks");
    assert_eq!(code, 1);
    let broken = found["audits"].as_array().unwrap().iter().filter(|audit| audit["ok"] == false);
    assert_eq!(broken.map(|audit| audit["rule"].clone()).collect::<Vec<_>>(), ["H-38"]);
    assert_eq!(report(&taut, "calls.taut").1, 0, "without accesses nobody knows");
}

/// Stamp, thread, code and payload of a record.
type Recorded = (u64, u32, EventCode, Vec<u8>);

fn recorded(trace: &Trace) -> Vec<Recorded> {
    let (mut rows, mut all) = (trace.rows(), Vec::new());
    while let Some(row) = rows.next_row() {
        // The factor leaves unused stamps for records that are duplicated.
        all.push((row.stamp * 4, row.thread, row.code, row.payload.to_vec()));
    }
    all
}

fn write(trace: &Trace, rows: &[Recorded], file: &Path) {
    let writer = TraceWriter::create(file, trace.header(), WriteOptions::default()).unwrap();
    let mut threads = BTreeMap::new();
    for (stamp, thread, code, payload) in rows {
        let thread: &mut ThreadWriter = threads.entry(*thread).or_insert_with(|| writer.thread(*thread));
        thread.event(*code, *stamp, |row| row.raw(payload));
    }
    drop(threads);
    writer.finish().unwrap();
}

/// Ids of the rules that the audits of the report find broken.
fn broken(report: &Value) -> Vec<&str> {
    let audits = report["audits"].as_array().unwrap().iter();
    audits.filter(|audit| audit["ok"] == false).map(|audit| audit["rule"].as_str().unwrap()).collect()
}

/// Traces in which a call of each kind is once left out and once duplicated. A broken rule sets exit code 1, and the
/// replay diverges there first.
#[test]
fn contradicting_handle_events_are_reported_and_diverge_at_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    record(&folder.path().join("calls.taut"), "multi-size");
    let trace = Trace::open(folder.path().join("calls.taut")).unwrap();
    let rows = recorded(&trace);
    let mut summary = String::new();
    for line in [
        ddi::CreateResource::ID,
        ddi::CreateDeferredContext::ID,
        ddi::CreateShaderResourceView::ID,
        ddi::CreateCommandList::ID,
        ddi::DestroyShaderResourceView::ID,
        ddi::DestroyResource::ID,
        ddi::CalcDeferredContextHandleSize::ID,
        ddi::RecycleCreateDeferredContext::ID,
        ddi::RecycleDestroyCommandList::ID,
    ] {
        let starts = EventCode::new(line, Opcode::Start);
        let at = rows.iter().position(|(.., code, _)| *code == starts).unwrap();
        let until =
            at + 1 + rows[at..].iter().position(|(.., code, _)| *code == EventCode::new(line, Opcode::Stop)).unwrap();
        for twice in [false, true] {
            let mut doctored = rows.clone();
            if twice {
                let (last, copies) = (rows[until - 1].0, rows[at..until].to_vec());
                let copies = copies
                    .into_iter()
                    .zip(last + 1..)
                    .map(|((_, thread, code, row), stamp)| (stamp, thread, code, row));
                doctored.splice(until..until, copies);
            } else {
                doctored.drain(at..until);
            }
            write(&trace, &doctored, &folder.path().join("doctored.taut"));
            let (report, code) = report(&taut, "doctored.taut");
            let broken = broken(&report);
            assert_eq!(code, i32::from(!broken.is_empty()));
            let changed = Trace::open(folder.path().join("doctored.taut")).unwrap();
            let outcome = Replayer::new(&changed, Options::default()).run().unwrap();
            let first = &outcome.divergences[0];
            // The first divergence is at the call after the change.
            let expected = doctored[if twice { until } else { at }].0;
            assert_eq!(first.stamp, expected, "{line} {twice}: {first:?}");
            let name = &trace.header().schema.event(starts).unwrap().name;
            summary += &format!("{name} {}: {}\n", if twice { "twice" } else { "left out" }, broken.join(" "));
        }
    }
    insta::assert_snapshot!(summary);
}

#[test]
fn bench_contexts_compares_each_measure_with_its_floor() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let args = ["bench", "contexts", "--lists", "2", "--repeat", "2"];
    let bench: Value = serde_json::from_str(&taut.stdout(&[&args[..], &["--json"]].concat())).expect("JSON");
    let cases = bench["cases"].as_array().expect("cases");
    assert_eq!((cases.len(), &bench["pairs"]), (6, &Value::from(2)));
    for case in cases {
        for key in ["ns_per_call", "floor_ns_per_call", "ratio"] {
            assert!(case[key].as_f64().is_some_and(|figure| figure > 0.0), "{key}: {case}");
        }
    }
    // Two threads, two lists each, and each list binds every view twice.
    assert_eq!(cases[3]["calls"], 2 * 2 * 2 * 256);
    let text = taut.stdout(&args);
    assert!(text.contains("two sessions that share nothing") && text.contains("waited"), "{text}");
}

#[test]
fn a_driver_without_the_api_of_the_recorded_calls_is_refused_before_the_replay() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    record(&folder.path().join("calls.taut"), "d3d11on12-like");
    for options in [&["--driver", "reference"][..], &["--driver", "reference", "-o", "new.taut"]] {
        let run = taut.run(&[&["replay", "calls.taut"][..], options].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        let expected = "taut: --driver reference: expected a driver of Direct3D 11, the API of the recorded calls; found a \
                        driver of Direct3D 12 without handles per Direct3D 11 context (its profile has no table \
                        [contexts]): try one of d3d11on12-like, ";
        assert!(run.stderr.starts_with(expected), "{}", run.stderr);
        assert!(!folder.path().join("new.taut").exists());
    }
    let fitting = taut.run(&["replay", "calls.taut", "--driver", "dxvk-like"]);
    assert_eq!(fitting.code, 0, "{}", fitting.stderr);
}
