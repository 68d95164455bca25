//! Recordings of older builds: compared by the fields that those builds had.
#![allow(clippy::expect_used)]

use std::path::Path;
use taut_capture::Clock;
use taut_schemas::{Encoder, EventCode, EventSchema, FieldKind, Layer, Opcode, SchemaTable, Shared};
use taut_testkit::{recorded, replayed, short};
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// Part of an event that an older build lacks.
#[derive(Clone, Copy, PartialEq)]
enum Lacked {
    Nothing,
    Event,
    /// Last field, a scalar of this many bytes.
    LastField(usize),
}

fn lacked(event: &EventSchema, salt: u16) -> Lacked {
    if event.layer != Layer::Ddi {
        return Lacked::Nothing;
    }
    let last = event.fields.last().map(|field| &field.kind);
    match ((event.code.id() + salt) % 3, last) {
        (0, _) => Lacked::Event,
        (1, Some(FieldKind::Scalar(scalar))) => Lacked::LastField(scalar.width_bytes.into()),
        _ => Lacked::Nothing,
    }
}

/// Returns `trace` as a build would have recorded it that lacks some of the driver's lines and fields, and the number
/// of events that it lacks. `change` may modify a row.
fn as_recorded_before(
    trace: &Trace,
    salt: u16,
    file: &Path,
    mut change: impl FnMut(&EventSchema, &mut Vec<u8>),
) -> (Trace, u64) {
    let header = trace.header();
    let mut schema = SchemaTable { events: Shared::default(), ..header.schema.clone() };
    for event in &header.schema.events {
        let mut event = event.clone();
        match lacked(&event, salt) {
            Lacked::Event => continue,
            Lacked::LastField(_) => drop(event.fields.pop()),
            Lacked::Nothing => {}
        }
        schema.events.push(event);
    }
    let of = |code: EventCode| header.schema.event(code).expect("an event of the table");
    let older = Header { schema, ..header.clone() };
    let writer = TraceWriter::create(file, older, WriteOptions::default()).expect("a file");
    let (mut rows, mut left_out, mut threads) = (trace.rows(), 0, std::collections::BTreeMap::new());
    while let Some(row) = rows.next_row() {
        let (event, mut payload) = (of(row.code), row.payload.to_vec());
        match lacked(event, salt) {
            Lacked::Event => {
                left_out += 1;
                continue;
            }
            Lacked::LastField(width_bytes) => payload.truncate(payload.len() - width_bytes),
            Lacked::Nothing => {}
        }
        change(event, &mut payload);
        let write = |encoder: &mut Encoder<'_>| payload.iter().for_each(|byte| encoder.u8(*byte));
        threads.entry(row.thread).or_insert_with(|| writer.thread(row.thread)).event(row.code, row.stamp, write);
    }
    drop(threads);
    writer.finish().expect("a trace");
    (Trace::open(file).expect("a trace"), left_out)
}

const WORKLOADS: [(&str, &str); 3] =
    [("small-level", "peer"), ("game-session", "reference"), ("deferred-contexts", "d3d11on12-like")];

fn of_every_workload(mut check: impl FnMut(&str, &Trace, &Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    for (workload, driver) in WORKLOADS {
        let trace = recorded(workload, driver, short(workload), Clock::best(), &folder.path().join("whole.taut"));
        check(workload, &trace, &folder.path().join("older.taut"));
    }
}

#[test]
fn what_the_recording_build_lacked_is_not_compared_and_all_else_is() {
    of_every_workload(|workload, trace, file| {
        for salt in 0..3 {
            let (older, left_out) = as_recorded_before(trace, salt, file, |_, _| {});
            assert_eq!(older.summary().events + left_out, trace.summary().events);
            let outcome = replayed(&older);
            assert!(outcome.is_identical(), "{workload}, {salt}: {:#?}", outcome.divergences);
            assert!(
                left_out > 0 && outcome.not_compared == left_out,
                "{workload}: {} of {left_out}",
                outcome.not_compared
            );
        }
    });
}

/// Returns the trace with one modified row: an answer of the driver whose last field is missing.
fn with_another_answer(trace: &Trace, salt: u16, file: &Path) -> Option<(Trace, String)> {
    let mut changed = None;
    let (older, _) = as_recorded_before(trace, salt, file, |event, row| {
        let has_field = matches!(event.fields.first().map(|field| &field.kind), Some(FieldKind::Scalar(_)));
        let is_cut = matches!(lacked(event, salt), Lacked::LastField(_));
        if changed.is_none() && event.opcode == Opcode::Stop && has_field && is_cut && event.fields.len() > 1 {
            row[0] ^= 1;
            changed = Some(event.name.clone());
        }
    });
    changed.map(|changed| (older, changed))
}

#[test]
fn what_both_builds_have_still_differs() {
    let mut found = 0;
    of_every_workload(|workload, trace, file| {
        for (older, changed) in (0..3).filter_map(|salt| with_another_answer(trace, salt, file)) {
            found += 1;
            let outcome = replayed(&older);
            // A different result code also suppresses the rest of the answer.
            assert!(outcome.divergence_count > 0, "{workload}");
            let elsewhere = outcome.divergences.iter().find(|divergence| divergence.event != changed);
            assert!(elsewhere.is_none(), "{workload}: {:#?}", outcome.divergences);
        }
    });
    assert!(found >= WORKLOADS.len(), "{found}");
}
