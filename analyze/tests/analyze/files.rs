//! Export files for other tools.

use crate::golden::trace;
use std::collections::BTreeMap;
use taut_analyze::export::{flat_csv, flat_figures, trace_id, trace_keys, write_jsonl};
use taut_analyze::{Analysis, Findings, REPORTS};
use taut_console::output::Outputs;
use taut_tables::TABLES;
use taut_tables::parquet::{Lake, TraceSource, flat_parquet};

fn analysis() -> Analysis {
    Analysis::new(trace()).unwrap()
}

#[test]
fn a_lake_has_a_whole_file_per_table_and_trace_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let analysis = analysis();
    for _ in 0..2 {
        let mut lake = Lake::at(folder.path()).unwrap();
        let files = lake.write(&analysis, &TraceSource::default(), &mut Outputs::default()).unwrap();
        // The rows of `events` and `placements` are in the files of other tables; the remaining rows of `events` are in
        // `other_events`, the file before `traces`.
        let own =
            TABLES.iter().map(|table| table.name).filter(|name| !["events", "placements", "traces"].contains(name));
        let tables: Vec<&str> = own.chain(["other_events", "traces"]).collect();
        assert_eq!(files.iter().map(|file| file.table).collect::<Vec<_>>(), tables);
        for (file, table) in files.iter().zip(tables) {
            let partition = format!("trace={}", trace_id(analysis.trace()));
            let expected = folder.path().join(table).join(partition).join(format!("{table}.parquet"));
            assert_eq!(file.path, expected);
            let bytes = std::fs::read(&file.path).unwrap();
            assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
            let key = bytes.windows(17).any(|window| window == b"tautline.trace_id");
            assert!(key, "{table} has no metadata");
            assert_eq!(std::fs::read_dir(expected.parent().unwrap()).unwrap().count(), 1);
        }
    }
}

#[test]
fn a_trace_s_id_follows_from_what_it_holds() {
    let (one, same) = (trace(), trace());
    assert_eq!(trace_id(&one), trace_id(&same));
    assert_ne!(trace_id(&one), trace_id(&crate::trace_builder::TraceBuilder::new().finish()));
    let keys: BTreeMap<_, _> = trace_keys(&one).into_iter().collect();
    assert_eq!((keys["tautline.driver"].as_str(), keys["tautline.rules"].as_str()), ("peer", "1.618"));
}

#[test]
fn figures_are_flat_in_csv_and_parquet() {
    let analysis = analysis();
    let reports = Findings::of(&analysis, REPORTS).unwrap().reports();
    let flat = flat_figures("one", &reports);
    let mut csv = Vec::new();
    flat_csv(&flat, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().next(), Some("trace,report,figure,value"));
    let peak = reports["alignment"]["peak"]["allocated_bytes"].to_string();
    assert!(csv.lines().any(|line| line == format!("one,alignment,peak.allocated_bytes,{peak}")));
    let mut parquet = Vec::new();
    flat_parquet(&flat, &mut parquet, trace_keys(analysis.trace())).unwrap();
    assert!(parquet.ends_with(b"PAR1"));
}

#[test]
fn jsonl_has_a_line_per_record() {
    let trace = trace();
    let mut text = Vec::new();
    assert!(write_jsonl(&trace, &mut text).unwrap().is_empty());
    let lines: Vec<serde_json::Value> =
        String::from_utf8(text).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len() as u64, trace.summary().events);
    let created = lines.iter().find(|line| line["event"] == "CreateHeap" && line["opcode"] == "start").unwrap();
    assert_eq!(created["fields"]["desc.size_bytes"], 1 << 20);
}
