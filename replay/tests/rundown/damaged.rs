//! Rundowns that are wrong: they are refused, or are another state; nothing is allocated on a number that was not looked at, and
//! whatever calls follow, nothing panics.

use super::recordings::Source;
use super::{second_half, written};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use taut_capture::Adapters;
use taut_replay::{Options, Replayer};
use taut_runtime::{Machine, Settings, StateRecords};
use taut_schemas::{EventCode, Mark, state};
use taut_traces::{Trace, fields};

/// A machine of these bundled drivers, before its first call.
fn machine_of(drivers: &str) -> Machine<'static> {
    let drivers = Adapters::named(drivers).expect("bundled drivers");
    let drivers = drivers.profiles().map(|profile| std::sync::Arc::from(taut_runtime::driver(profile))).collect();
    Machine::with_adapters(Settings::default(), drivers).expect("a machine")
}

/// The records of a rundown that a trace begins with.
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

/// What damage does to a row.
#[derive(Debug, Clone, Copy)]
enum Damage {
    /// A byte becomes another.
    Byte(u8),
    /// Eight bytes become the greatest number, or one of its halves.
    Greatest(u32),
    /// The row ends.
    End,
    /// The record is not there.
    Gone,
}

fn damages() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => any::<u8>().prop_map(Damage::Byte),
        2 => (0..40_u32).prop_map(Damage::Greatest),
        1 => Just(Damage::End),
        1 => Just(Damage::Gone),
    ]
}

fn damaged(row: &[u8], at: usize, damage: Damage) -> Option<Vec<u8>> {
    let mut row = row.to_vec();
    match damage {
        Damage::Byte(byte) => row[at] = byte,
        Damage::Greatest(shift) => {
            let greatest = (u64::MAX >> shift).to_le_bytes();
            row[at..].iter_mut().zip(greatest).for_each(|(byte, of)| *byte = of);
        }
        Damage::End => row.truncate(at),
        Damage::Gone => return None,
    }
    Some(row)
}

/// Something in a list of records, by its place.
fn any_record() -> impl Strategy<Value = (prop::sample::Index, prop::sample::Index, Damage)> {
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), damages())
}

/// One of its records, each code as likely as another.
fn chosen(records: &[EventCode], which: prop::sample::Index, at: prop::sample::Index) -> usize {
    let mut codes: Vec<EventCode> = records.to_vec();
    codes.sort_unstable();
    codes.dedup();
    let code = codes[which.index(codes.len())];
    let of_code: Vec<usize> = (0..records.len()).filter(|place| records[*place] == code).collect();
    of_code[at.index(of_code.len())]
}

/// Records with handles per context, kept recordings, direct access, tasks, swap chains.
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

/// The same in a trace, of which the rest is replayed.
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
                    // A trace has rows of its schema alone.
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
