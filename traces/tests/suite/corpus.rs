//! Corpus of traces of every format version: each must stay readable with unchanged content.
//!
//! `BLESS=1` writes the golden files, and `v0-small.taut` if it is missing.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use taut_schemas::{
    Call, Encoder, EventCode, EventSchema, Field, HResult, HeapDesc, HeapId, IdSpace, Mark, Opcode, Role, SchemaTable,
    d3d12, mark,
};
use taut_traces::{AdapterWorld, Header, Ticks, Trace, TraceWriter, Workload, World, WriteOptions, fields};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn blessed() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Complete content of a trace as text.
fn dump(trace: &Trace) -> String {
    let mut text = String::new();
    let world = serde_json::to_string_pretty(&trace.header().world).unwrap();
    writeln!(text, "{world}\n{}", serde_json::to_string_pretty(trace.summary()).unwrap()).unwrap();
    let mut rows = trace.rows();
    while let Some(row) = rows.next_row() {
        let event = trace.header().schema.event(row.code).unwrap();
        write!(text, "{} {} {} {:?}", row.stamp, row.thread, event.name, event.opcode).unwrap();
        for (name, value) in fields(&trace.header().schema, row.code, row.payload).unwrap() {
            write!(text, " {name}={}", serde_json::to_string(&value).unwrap()).unwrap();
        }
        text.push('\n');
    }
    text
}

/// Records of two threads: nested calls, texts, lists and a loss.
fn write_small(path: &Path) {
    let world = World {
        adapters: vec![AdapterWorld { driver: "example".into(), profile: serde_json::json!({"name": "example"}) }],
        machine: serde_json::Value::Null,
        rules: "1.619.4".into(),
        settings: serde_json::json!({"strict": true}),
        workload: Workload { name: "corpus".into(), parameters: [("seed".to_owned(), 1.into())].into() },
        clock: Ticks { source: "counted".into(), ticks_per_second: 1_000_000_000 },
        providers: None,
    };
    let header = Header { schema: SchemaTable::current(), world, ..Header::default() };
    let writer = TraceWriter::create(path, header, WriteOptions::default()).unwrap();
    for number in 0..2 {
        let mut thread = writer.thread(number);
        let mut stamp = 1000 + u64::from(number) * 7;
        for index in 0..20u64 {
            stamp += 50;
            let desc = HeapDesc { size_bytes: 65536 << (index % 4), ..Default::default() };
            let call = d3d12::CreateHeap { desc, ..Default::default() };
            let code = |opcode| EventCode::new(d3d12::CreateHeap::ID, opcode);
            thread.event(code(Opcode::Start), stamp, |encoder| {
                encoder.u64(index % 3);
                call.encode(encoder);
            });
            let message = mark::DebugMessage { description: format!("heap {index}"), ..Default::default() };
            thread.event(EventCode::new(mark::DebugMessage::ID, Opcode::Info), stamp + 10, |encoder| {
                message.encode(encoder)
            });
            let result: HResult<HeapId> = Ok(HeapId(index + 1));
            thread.event(code(Opcode::Stop), stamp + 30, |encoder: &mut Encoder<'_>| result.encode(encoder));
        }
    }
    writer.finish().unwrap();
}

#[test]
fn a_trace_without_id_spaces_gets_those_of_its_fields() {
    let small = corpus().join("v0-small.taut");
    let head = std::fs::read(&small).unwrap();
    assert!(!String::from_utf8_lossy(&head).contains(r#""space""#), "this one is kept for having none");
    let (trace, current) = (Trace::open(&small).unwrap(), SchemaTable::current());
    let spaces = |event: &EventSchema| {
        let scalars = event.fields.iter().flat_map(|field| field.scalars());
        scalars.filter(|scalar| scalar.role == Role::Id).map(|scalar| (scalar.name.clone(), scalar.space)).collect()
    };
    let mut found = BTreeSet::new();
    for event in &trace.header().schema.events {
        let mut known: Vec<_> =
            current.named(&event.provider, &event.name, event.opcode).map(spaces).unwrap_or_default();
        // Arguments have been appended since these traces were written.
        known
            .retain(|known| event.fields.iter().flat_map(|field| field.scalars()).any(|scalar| scalar.name == known.0));
        assert_eq!(spaces(event), known, "{}", event.name);
        found.extend(known.into_iter().map(|(_, space)| space));
    }
    assert_eq!(found, [Some(IdSpace::Object), Some(IdSpace::Adapter)].into());
}

/// Digest of a trace of version 1 in a few lines: counts, losses, damage, and a checksum over every value of every
/// record.
fn digest(trace: &Trace) -> String {
    let mut sum = 0;
    let mut events = BTreeMap::<String, u64>::new();
    let schema = &trace.header().schema;
    let mut rows = trace.rows();
    while let Some(row) = rows.next_row() {
        let event = schema.event(row.code).unwrap();
        let values = serde_json::to_string(&fields(schema, row.code, row.payload).unwrap()).unwrap();
        let line =
            format!("{} {} {}:{} {:?} {values}\n", row.stamp, row.thread, event.provider, event.name, event.opcode);
        sum = crc32c::crc32c_append(sum, line.as_bytes());
        *events.entry(format!("{}:{} {:?}", event.provider, event.name, event.opcode)).or_default() += 1;
    }
    let mut text = format!("checksum of all values {sum:#010x}\n");
    for damage in trace.verify() {
        writeln!(text, "damage: {damage}").unwrap();
    }
    writeln!(text, "{}", serde_json::to_string_pretty(trace.summary()).unwrap()).unwrap();
    for (name, count) in events {
        writeln!(text, "{count} {name}").unwrap();
    }
    text
}

#[test]
fn every_trace_of_the_corpus_has_its_golden_content() {
    let small = corpus().join("v0-small.taut");
    if blessed() && !small.exists() {
        std::fs::create_dir_all(corpus()).unwrap();
        write_small(&small);
    }
    let (mut versions, mut bytes) = (BTreeSet::new(), 0);
    for entry in std::fs::read_dir(corpus()).unwrap() {
        let path = entry.unwrap().path();
        bytes += path.metadata().unwrap().len();
        if path.extension().is_none_or(|extension| extension != "taut") {
            continue;
        }
        let trace = Trace::open(&path).unwrap();
        let version = trace.summary().version;
        versions.insert(version);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with(&format!("v{version}-")), "{name} is of version {version}");
        assert_eq!(trace.verify().is_empty(), !name.contains("-damaged-"), "{name}: {:?}", trace.verify());
        let text = if version == 0 { dump(&trace) } else { digest(&trace) };
        let golden = path.with_extension("txt");
        if blessed() {
            std::fs::write(&golden, &text).unwrap();
        }
        let known = std::fs::read_to_string(&golden).unwrap();
        assert!(text == known, "{} says something else than its golden; BLESS=1 writes it anew", path.display());
    }
    assert_eq!(versions, [0, 1].into(), "in {}", corpus().display());
    assert!(bytes <= 9 << 18, "{bytes} bytes are too many to carry along for ever");
}
