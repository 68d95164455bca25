//! Import of a Windows trace, and the analysis of the result, in memory.
//!
//! Bit 0 of the first byte chooses the form of the others, bits 1 and 2 the options `--all` and `--redact`. Form 0 is a
//! file. Form 1 is a list of events of the field tables, each with a byte for the provider, the thread and the ticks
//! since the event before, two for the position in the provider's table, one for the length, and the payload. Zeros
//! complete a payload that is shorter than the event's fields.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use taut_analyze::{Analysis, REPORTS};
use taut_etl::{Etl, Fit, Guid, Layout, decode_fields, providers};
use taut_fuzz_import::import::{Import, ImportOptions, Imported};
use taut_fuzz_import::{EtlEvent, EtlFile};
use taut_traces::{Trace, TraceWriter, WriteOptions};

/// Bytes of a payload with the zeros that complete it.
const MAX_PAYLOAD_BYTES: usize = 1_024;
/// Reports of recordings with a driver, which no import has.
const OF_RECORDINGS: [&str; 2] = ["tiling", "handles"];

fuzz_target!(|bytes: &[u8]| {
    let [form, rest @ ..] = bytes else { return };
    let file = if *form & 1 == 0 { rest.to_vec() } else { EtlFile::default().bytes(&[events(rest)]) };
    let Ok(etl) = Etl::from_bytes(file) else { return };
    let options = ImportOptions { all: form & 2 != 0, redact: form & 6 == 4, ..ImportOptions::default() };
    let (trace, imported) = import(etl, options);
    let (mut rows, mut events) = (trace.rows(), 0);
    while rows.next_row().is_some() {
        events += 1;
    }
    assert_eq!((events, trace.damage().len()), (imported.events, 0));
    let counts = trace.header().world.workload.parameters["counts"].as_array().unwrap();
    let sum = |key: &str| counts.iter().map(|entry| entry[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("number"), sum("imported")), (imported.file_events, imported.events));
    let analysis = Analysis::new(trace).unwrap();
    for report in REPORTS {
        let reason = report.not_applicable(&analysis).unwrap();
        assert!(reason.is_some() || !OF_RECORDINGS.contains(&report.name()), "{} applies", report.name());
        if reason.is_none() {
            let result = report.run(&analysis).unwrap();
            report.page_data(&analysis, &result.json).unwrap();
        }
    }
});

/// Imports a file into a trace in memory.
fn import(etl: Etl, options: ImportOptions) -> (Trace, Imported) {
    let output = Output::default();
    let sink = output.clone();
    let imported = Import::of_file(etl, options).unwrap().write(|header| {
        TraceWriter::new(sink, header, WriteOptions { buffer_bytes: 16 << 10, ..WriteOptions::default() })
    });
    let imported = imported.unwrap();
    let bytes = std::mem::take(&mut *output.0.lock().unwrap_or_else(PoisonError::into_inner));
    (Trace::from_bytes(bytes).unwrap(), imported)
}

/// Bytes that the background thread of the writer produces.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Events of the field tables by provider, in order.
type Tables = Vec<(Guid, Vec<(u16, u8, &'static Layout)>)>;

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = Tables::new();
        for (guid, provider) in providers() {
            let layouts =
                provider.events().filter_map(|((id, version), event)| Some((id, version, event.layouts.first()?)));
            let mut events: Vec<_> = layouts.collect();
            events.sort_by_key(|(id, version, _)| (*id, *version));
            tables.push((*guid, events));
        }
        tables.sort_by_key(|(guid, _)| *guid);
        tables
    })
}

/// Events that an input describes.
fn events(mut bytes: &[u8]) -> Vec<EtlEvent> {
    let (mut events, mut tick) = (Vec::new(), 0);
    while let [provider, thread, ticks, low, high, length, rest @ ..] = bytes {
        let (payload, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        bytes = rest;
        let (guid, of_provider) = &tables()[usize::from(*provider) % tables().len()];
        let (id, version, layout) = of_provider[usize::from(u16::from_le_bytes([*low, *high])) % of_provider.len()];
        tick += i64::from(*ticks);
        let (process, thread) = (u32::from(thread >> 4), u32::from(*thread));
        let payload = completed(layout, payload);
        events.push(EtlEvent { process, thread, tick, provider: guid.0, id, version, payload, ..EtlEvent::default() });
    }
    events
}

/// The payload, with zeros until it has all fields of the layout.
fn completed(layout: &Layout, payload: &[u8]) -> Vec<u8> {
    let mut payload = payload.to_vec();
    while payload.len() < MAX_PAYLOAD_BYTES
        && let Fit::ShortAfter(_) = decode_fields(layout, &payload, 8, &mut |_, _| {}).fit
    {
        payload.extend([0; 4]);
    }
    payload
}
