//! Tests of queries, budgets, exports, completions and manual pages.
#![allow(clippy::expect_used)]

use crate::taut;

use std::fs;
use std::path::Path;
use taut::{Run, Taut, recorded, tables_are_built};

fn append_run(golden: &mut String, command: &[&str], run: &Run) {
    *golden += &format!("$ taut {}\n{}{}[{}]\n\n", command.join(" "), run.stdout, run.stderr, run.code);
}

#[test]
fn queries_read_as_they_did() {
    if !tables_are_built("queries_read_as_they_did") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let sums =
        "SELECT format, sum(rounding_bytes) AS rounding_bytes FROM resources GROUP BY format ORDER BY 2 DESC LIMIT 5";
    let mut golden = String::new();
    for command in [
        &["query", "level.taut", sums][..],
        &["query", "level.taut", sums, "--format", "csv"],
        &["query", "level.taut", sums, "--json"],
        &["query", "level.taut", "level.taut", "SELECT trace, count(*) AS n FROM heaps GROUP BY trace ORDER BY trace"],
        &["query", "level.taut", "SELECT phase, resources FROM phases", "--rows", "2"],
        &["query", "level.taut", "SELECT formt FROM resources"],
        &["query", "level.taut", "SELECT format FROM resorces"],
        &["query", "level.taut", "SELECT format\n  FORM resources WHERE"],
    ] {
        append_run(&mut golden, command, &taut.run(command));
    }
    insta::assert_snapshot!("queries", golden);
    let plan = taut.stdout(&["query", "level.taut", sums, "--explain"]);
    assert!(plan.contains("AGGREGATE"), "{plan}");
    taut.stdout(&["query", "level.taut", sums, "--format", "parquet", "-o", "sums.parquet"]);
    assert!(fs::read(folder.path().join("sums.parquet")).expect("a file").starts_with(b"PAR1"));
}

#[test]
fn a_recording_builds_its_tables_if_requested() {
    if !tables_are_built("a_recording_builds_its_tables_if_requested") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let record = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_taut"));
        command.args(["record", "small-level", "--threads", "1", "-o"]).args(arguments);
        let output =
            command.current_dir(&folder).env("TAUT_CACHE", folder.path().join("kept")).output().expect("a run");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(record(&["a.taut"]), (Some(0), String::new()));
    assert!(!folder.path().join("kept").exists());
    assert_eq!(record(&["b.taut", "--tables"]), (Some(0), String::new()));
    let mut groups = fs::read_dir(folder.path().join("kept")).expect("a cache").flatten();
    let group = groups.find(|entry| entry.path().is_dir()).expect("a trace's tables");
    let names = fs::read_dir(group.path()).expect("tables").flatten().map(|file| file.file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(
        ["calls", "resources", "memory"].iter().all(|table| names.iter().any(|name| name.starts_with(table))),
        "{names:?}"
    );
    let (code, why) = record(&["-", "--tables"]);
    assert!(code == Some(2) && why.contains("--tables"), "{why}");
}

#[test]
fn a_broken_limit_ends_with_1_and_lists_its_contributors() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a budget");
    write("passed.toml", "limits = [\"health.lost_events == 0\", \"alignment.peak.waste_ratio <= 50 %\"]\n");
    write(
        "broken.toml",
        "limits = [\n  \"health.lost_events == 0\",\n  \"alignment.peak.waste_ratio <= 0.10\",\n]\n\n[workloads.\"small-*\"]\n\
         limits = [\"alignment.peak_real.real_bytes <= 64 MiB\"]\n",
    );
    write("wrong.toml", "limits = [\n  \"alignment.peak.wast_ratio <= 0.10\",\n]\n");
    let budget =
        |file| taut.run(&["analyze", "level.taut", "--budget", file, "-o", "report.txt", "--junit", "junit.xml"]);
    let mut golden = String::new();
    for (file, code) in [("passed.toml", 0), ("broken.toml", 1), ("wrong.toml", 2)] {
        let run = budget(file);
        assert_eq!(run.code, code, "{}", run.stderr);
        golden += &format!("# {file}\n{}\n", run.stderr);
        if code == 1 {
            golden += &fs::read_to_string(folder.path().join("junit.xml")).expect("the JUnit file");
        }
    }
    insta::assert_snapshot!("budgets", golden);
    let document = taut.run(&["analyze", "level.taut", "--budget", "broken.toml", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&document.stdout).expect("JSON");
    assert_eq!(document["budget"][0]["verdict"], "passed");
    assert!(document["budget"][1]["verdict"]["broken"]["found"].is_f64());
}

#[test]
fn heap_budgets_are_reported_with_heap_usage() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let analyzed = |more: &[&str]| {
        let text = taut.stdout(&[&["analyze", "level.taut", "--report", "alignment", "--json"], more].concat());
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        document["reports"]["alignment"]["residency"].as_array().expect("types of heaps").clone()
    };
    let plain = analyzed(&[]);
    assert!(plain.iter().all(|one| one.get("budget_bytes").is_none()));
    let named = |all: &[serde_json::Value]| all.iter().find(|one| one["name"] == "DEFAULT").expect("heaps").clone();
    let peak = named(&plain)["peak_bytes"].as_u64().expect("bytes");
    for (budget_bytes, is_within) in [(peak, true), (peak - 1, false)] {
        let one = named(&analyzed(&["--heap-budget", &format!("UPLOAD=1GiB,DEFAULT={budget_bytes}")]));
        assert_eq!(one["budget_bytes"].as_u64(), Some(budget_bytes));
        let ratio = one["over_budget_ratio"].as_f64().expect("a part of the time");
        assert!(ratio < 1.0 && (ratio == 0.0) == is_within, "{one}");
    }
    let words = taut.stdout(&["analyze", "level.taut", "--report", "alignment", "--heap-budget", "DEFAULT=1MiB"]);
    assert!(words.contains("Time over budget") && words.contains("1.00 MiB"), "{words}");
    let page =
        taut.stdout(&["analyze", "level.taut", "--format", "html", "--heap-budget", "default=123456B", "-o", "-"]);
    assert!(page.contains("123456") && !taut.stdout(&["analyze", "level.taut", "--format", "html"]).contains("123456"));
    assert_eq!(taut.run(&["analyze", "level.taut", "--heap-budget", "VRAM=1MiB"]).code, 2);
}

#[test]
fn reports_come_in_every_form() {
    if !tables_are_built("reports_come_in_every_form") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let at = |name: &str| folder.path().join(name);
    for (form, file) in
        [("table", "a.txt"), ("json", "a.json"), ("csv", "a.csv"), ("parquet", "a.parquet"), ("html", "a.html")]
    {
        taut.stdout(&["analyze", "level.taut", "--format", form, "-o", file]);
        assert!(fs::metadata(at(file)).expect("a file").len() > 1000, "{form}");
    }
    let page = fs::read_to_string(at("a.html")).expect("the page");
    assert!(page.starts_with("<!doctype html>") && !page.contains("src="));
    let both = taut.stdout(&["analyze", "level.taut", "level.taut", "--report", "alignment"]);
    assert!(both.contains("Side by side"));
}

#[test]
fn exports_are_whole_and_repeatable() {
    if !tables_are_built("exports_are_whole_and_repeatable") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let files = |folder: &Path| fs::read_dir(folder).expect("a folder").count();
    for _ in 0..2 {
        taut.stdout(&["export", "level.taut", "--to", "parquet", "-o", "lake"]);
        assert_eq!(files(&folder.path().join("lake/resources")), 1);
    }
    let output_text = taut.stdout(&["export", "level.taut", "--to", "jsonl"]);
    assert!(output_text.starts_with("wrote level.jsonl: "), "{output_text}");
    let records = fs::read_to_string(folder.path().join("level.jsonl")).expect("the records").lines().count();
    let info: serde_json::Value = serde_json::from_str(&taut.stdout(&["info", "level.taut", "--json"])).expect("JSON");
    assert_eq!(info["events"], records);
    for _ in 0..2 {
        let output_text = taut.stdout(&["export", "level.taut", "--to", "perfetto"]);
        assert!(output_text.starts_with("wrote level.pftrace: "), "{output_text}");
    }
    // A Perfetto trace begins with a packet: field 1, with its length.
    assert_eq!(fs::read(folder.path().join("level.pftrace")).expect("the packets").first(), Some(&0x0a));
}

#[test]
fn shells_and_readers_of_manuals_get_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = taut.stdout(&["completions", shell]);
        assert!(script.contains("COMPLETE") && script.contains("taut"), "{shell}");
    }
    assert!(taut.stdout(&["man"]).contains("taut\\-query"));
    taut.stdout(&["man", "-o", "pages"]);
    assert!(folder.path().join("pages/taut-analyze.1").is_file());
}

#[test]
fn a_cut_trace_is_read_as_far_as_possible_with_a_message() {
    if !tables_are_built("a_cut_trace_is_read_as_far_as_possible_with_a_message") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let whole = fs::read(recorded(&taut)).expect("a trace");
    fs::write(folder.path().join("cut.taut"), &whole[..whole.len() - 30]).expect("a cut trace");
    for command in [
        &["query", "cut.taut", "SELECT count(*) AS n FROM resources"][..],
        &["export", "cut.taut", "--to", "parquet", "-o", "lake"],
        &["export", "cut.taut", "--to", "jsonl"],
        &["export", "cut.taut", "--to", "perfetto"],
        &["analyze", "cut.taut", "--format", "html", "-o", "cut.html"],
    ] {
        let run = taut.run(command);
        assert_eq!(run.code, 3, "{command:?}: {}", run.stderr);
        assert!(run.stderr.contains("cut.taut: the recording was interrupted"), "{command:?}: {}", run.stderr);
    }
    let rows = taut.run(&["query", "cut.taut", "SELECT count(*) AS n FROM resources", "--format", "csv"]).stdout;
    assert!(rows.starts_with("n\n") && rows != "n\n0\n", "{rows}");
}

#[test]
fn without_taut_tables_the_error_names_the_build_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join(format!("taut{}", std::env::consts::EXE_SUFFIX));
    fs::copy(env!("CARGO_BIN_EXE_taut"), &alone).expect("a copy of taut by itself");
    let output = std::process::Command::new(&alone)
        .args(["query", "level.taut", "SELECT 1"])
        .env("PATH", "")
        .output()
        .expect("it runs");
    let output_text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{output_text}");
    assert_eq!(output_text.lines().count(), 1, "{output_text}");
    assert!(output_text.contains("cargo build --release"), "{output_text}");
}

#[test]
fn the_change_of_a_broken_limit_saves_what_the_changed_program_then_measures() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/level.gltf");
    for (tight, name) in [("off", "new.taut"), ("on", "tight.taut")] {
        taut.stdout(&["record", scene, "--set", &format!("tight={tight}"), "--clock", "logical", "-o", name]);
    }
    let limits = "limits = [\"alignment.peak_real.real_bytes <= 1 MiB\", \"alignment.peak.waste_ratio <= 20 %\"]\n";
    fs::write(folder.path().join("limits.toml"), limits).expect("a budget");
    let report = |trace: &str, more: &[&str]| -> serde_json::Value {
        let line = ["analyze", trace, "--report", "alignment", "--budget", "limits.toml", "--json"];
        serde_json::from_str(&taut.run(&[&line[..], more].concat()).stdout).expect("JSON")
    };
    let (new, tight) = (report("new.taut", &[]), report("tight.taut", &[]));
    let against = report("new.taut", &["--baseline", "tight.taut"]);
    let change = |document: &serde_json::Value, at: usize| {
        document["budget"][at]["verdict"]["broken"]["change"].as_str().expect("a change").to_owned()
    };
    // The recording with the flag is the measurement of both promises.
    let measured = &tight["reports"]["alignment"];
    assert_eq!(measured["peak_real"]["real_bytes"], 576 << 10, "its heaps have the sizes of their resources");
    assert_eq!(
        change(&against, 0),
        "restore USE_TIGHT_ALIGNMENT in 180 resources and create heaps of the sizes that they then need; saves 11.0 MiB (11.6 \
         MiB → 576 KiB, within the limit)"
    );
    assert_eq!(
        change(&against, 1),
        "restore USE_TIGHT_ALIGNMENT in 180 resources; saves 82.57 points (96.5 % → 13.9 %, within the limit)"
    );
    // Without a baseline, up to 64 KiB of each of the 3 heaps remain.
    assert!(
        change(&new, 0).ends_with("; saves 10.9 MiB (11.6 MiB → 676 KiB, within the limit)"),
        "{}",
        change(&new, 0)
    );
    let ratio = measured["peak"]["waste_ratio"].as_f64().expect("a ratio");
    assert!(change(&new, 1).contains(&format!("→ {:.1} %, within", ratio * 100.0)), "{}", change(&new, 1));
}
