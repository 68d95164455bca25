//! Damaged rundowns: they are rejected, or describe another state; no unchecked number leads to an allocation, and no
//! later call panics.

use super::recordings::Source;
use super::{second_half, written};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use taut_capture::Adapters;
use taut_replay::{Options, Replayer};
use taut_runtime::{Machine, Settings, StateRecords};
use taut_schemas::{EventCode, Mark, state};
use taut_traces::{Trace, fields};

/// Creates a machine with these bundled drivers, in its initial state.
fn machine_of(drivers: &str) -> Machine<'static> {
    let drivers = Adapters::named(drivers).expect("bundled drivers");
    let drivers = drivers.profiles().map(|profile| std::sync::Arc::from(taut_runtime::driver(profile))).collect();
    Machine::with_adapters(Settings::default(), drivers).expect("a machine")
}

/// Returns the records of the rundown at the start of a trace.
fn records_of(trace: &Trace) -> StateRecords {
    let (mut rows, mut records) = (trace.rows(), StateRecords::default());
    while let Some(row) = rows.next_row() {
        if row.code.id() == state::RundownEnd::ID {
            break;
        }
        records.push(row.code, row.payload);
    }
    records
}

/// Damage to a row.
#[derive(Debug, Clone, Copy)]
enum Damage {
    /// A byte is replaced.
    Byte(u8),
    /// Eight bytes are replaced by the maximum number, shifted right.
    MaxNumber(u32),
    /// The row is truncated.
    End,
    /// The record is removed.
    Gone,
}

fn damages() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => any::<u8>().prop_map(Damage::Byte),
        2 => (0..40_u32).prop_map(Damage::MaxNumber),
        1 => Just(Damage::End),
        1 => Just(Damage::Gone),
    ]
}

fn damaged(row: &[u8], at: usize, damage: Damage) -> Option<Vec<u8>> {
    let mut row = row.to_vec();
    match damage {
        Damage::Byte(byte) => row[at] = byte,
        Damage::MaxNumber(shift) => {
            let max_number = (u64::MAX >> shift).to_le_bytes();
            row[at..].iter_mut().zip(max_number).for_each(|(byte, of)| *byte = of);
        }
        Damage::End => row.truncate(at),
        Damage::Gone => return None,
    }
    Some(row)
}

/// Generates a record's position and its damage.
fn any_record() -> impl Strategy<Value = (prop::sample::Index, prop::sample::Index, Damage)> {
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), damages())
}

/// Chooses a record, with each event code equally likely.
fn chosen(records: &[EventCode], which: prop::sample::Index, at: prop::sample::Index) -> usize {
    let mut codes: Vec<EventCode> = records.to_vec();
    codes.sort_unstable();
    codes.dedup();
    let code = codes[which.index(codes.len())];
    let of_code: Vec<usize> = (0..records.len()).filter(|place| records[*place] == code).collect();
    of_code[at.index(of_code.len())]
}

/// Sources of records with handles per context, stored recordings, direct access, tasks and swap chains.
const NAMES: &[&str] = &["game-session", "hybrid-laptop", "deferred-contexts", "context-churn", "texture-upload"];

#[test]
fn a_rundown_with_something_wrong_is_refused_or_is_another() {
    let folder = tempfile::tempdir().expect("a folder");
    for source in sources() {
        let later = second_half(&source.recorded(folder.path()));
        let (records, drivers) = (records_of(&later), source.driver());
        let mut machine = machine_of(drivers);
        machine.restore(&records).expect("a state");
        assert!(machine.rundown().expect("a rundown") == records, "{}: what was written is read", source.name());
        let codes: Vec<EventCode> = records.iter().map(|(code, _)| code).collect();
        let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
        let tested = runner.run(&any_record(), |(which, at, damage)| {
            let (wrong, mut broken) = (chosen(&codes, which, at), StateRecords::default());
            for (number, (code, row)) in records.iter().enumerate() {
                match number == wrong && !row.is_empty() {
                    false => broken.push(code, row),
                    true => {
                        let row = damaged(row, at.index(row.len()), damage);
                        row.iter().for_each(|row| broken.push(code, row));
                    }
                }
            }
            drop(machine_of(drivers).restore(&broken));
            Ok(())
        });
        tested.expect("no panic");
    }
}

/// Tests damaged rundowns in a trace, of which the rest is replayed.
#[test]
fn what_follows_a_wrong_rundown_is_refused_or_differs() {
    let folder = tempfile::tempdir().expect("a folder");
    for source in sources() {
        let later = second_half(&source.recorded(folder.path()));
        let records = records_of(&later);
        let codes: Vec<EventCode> = records.iter().map(|(code, _)| code).collect();
        let mut runner = TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
        let tested = runner.run(&any_record(), |(which, at, damage)| {
            let wrong = chosen(&codes, which, at);
            let ((), broken) = written(&later, |writer| {
                let (mut rows, mut number) = (later.rows(), 0);
                let mut writers = std::collections::BTreeMap::new();
                while let Some(row) = rows.next_row() {
                    let is_wrong = number == wrong && !row.payload.is_empty();
                    let payload = match is_wrong {
                        true => damaged(row.payload, at.index(row.payload.len()), damage),
                        false => Some(row.payload.to_vec()),
                    };
                    number += 1;
                    // A trace only has rows that match its schema.
                    let is_row = |payload: &Vec<u8>| fields(&later.header().schema, row.code, payload).is_ok();
                    let payload = payload.filter(is_row);
                    let writer = writers.entry(row.thread).or_insert_with(|| writer.thread(row.thread));
                    let payload = payload.unwrap_or_else(|| row.payload.to_vec());
                    writer.event(row.code, row.stamp, |encoder| encoder.raw(&payload));
                }
            });
            drop(Replayer::new(&broken, Options::default()).run());
            Ok(())
        });
        tested.expect("no panic");
    }
}

fn sources() -> Vec<Source> {
    let mut sources: Vec<Source> = NAMES.iter().map(|name| Source::named(name)).collect();
    sources.push(Source::named("deferred-contexts").under("d3d10umd-like"));
    sources
}
