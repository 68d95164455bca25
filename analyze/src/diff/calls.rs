//! Differences between the calls of two traces.

use super::align::{CallKey, Step, align};
use super::keys::keys_of;
use super::record::{CallReader, CallRecord};
use super::values::{IdMap, IdPlaces, Side};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use taut_traces::{ReadError, Trace, Value};

/// Differences between the calls of two traces, `a` and `b`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CallDiff {
    /// Calls of `a`, including skipped calls.
    pub calls_a: u64,
    /// Calls of `b`, including skipped calls.
    pub calls_b: u64,
    /// Matched pairs of calls of the same thread.
    pub matched: u64,
    /// Matched pairs with equal call, arguments and result.
    pub same: u64,
    /// Matched pairs whose results differ.
    pub results_differ: u64,
    /// Calls that `a` made and `b` skipped for lack of an object.
    pub skipped_in_b: u64,
    /// Calls that `b` made and `a` skipped for lack of an object.
    pub skipped_in_a: u64,
    /// Calls of `a` without a match, by name: removed from `a` to `b`.
    pub only_in_a: BTreeMap<String, u64>,
    /// Calls of `b` without a match, by name: inserted from `a` to `b`.
    pub only_in_b: BTreeMap<String, u64>,
    /// The first calls without a match, by thread.
    pub alone: Vec<AloneCall>,
    /// Arguments and results that differ, the most frequent first.
    pub fields: Vec<FieldDiff>,
    /// Debug messages whose counts differ, by severity and id.
    pub messages: Vec<MessageDiff>,
}

/// A call without a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AloneCall {
    /// `removed` for a call of `a`, `inserted` for one of `b`.
    pub edit: &'static str,
    /// Name of the call.
    pub call: String,
    pub thread: u32,
    /// Index of the call among the thread's calls in its trace, from 0.
    pub position: u64,
}

/// Max calls without a match that are listed.
const ALONE: usize = 100;

/// A field that differs between matched calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldDiff {
    /// Name of the call; `other calls` for a pair of different calls.
    pub call: String,
    /// `argument`, `result`, or `call` for different calls or if only one of them returned.
    pub part: &'static str,
    /// The field; empty for different calls.
    pub field: String,
    /// Number of pairs in which it differs.
    pub count: u64,
    /// Thread of the first such pair.
    pub first_thread: u32,
    /// Index of that pair's call among the thread's calls in `a`, from 0.
    pub first_position: u64,
    /// The first value in `a`.
    pub first_a: Option<serde_json::Value>,
    /// The first value in `b`.
    pub first_b: Option<serde_json::Value>,
}

/// A message whose counts differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MessageDiff {
    /// D3D12_MESSAGE_SEVERITY.
    pub severity: String,
    /// D3D12_MESSAGE_ID.
    pub message_id: String,
    pub count_a: u64,
    pub count_b: u64,
}

impl CallDiff {
    /// Number of pairs that both traces made, and that differ.
    pub fn differ(&self) -> u64 {
        self.matched.saturating_sub(self.same + self.skipped_in_a + self.skipped_in_b)
    }

    /// Number of calls of `a` without a match.
    pub fn removed(&self) -> u64 {
        self.only_in_a.values().sum()
    }

    /// Number of calls of `b` without a match.
    pub fn inserted(&self) -> u64 {
        self.only_in_b.values().sum()
    }

    /// Number of calls that one trace made and the other skipped.
    pub fn skipped_in_one(&self) -> u64 {
        self.skipped_in_a + self.skipped_in_b
    }

    /// True if no call, argument, result or message differs.
    pub fn is_identical(&self) -> bool {
        self.calls_a == self.calls_b && self.same == self.calls_a && self.messages.is_empty()
    }
}

/// Compares the calls of two traces.
///
/// # Errors
/// A trace cannot be read. Damage is no error: lost records are not compared.
pub fn diff_calls(a: &Trace, b: &Trace) -> Result<CallDiff, ReadError> {
    let places = IdPlaces::new(&a.header().schema);
    let (diff, ids, fields) = (CallDiff::default(), IdMap::default(), BTreeMap::new());
    let mut differ = Differ { a, b, diff, ids, places, fields };
    let mut waiting = aligned(a, b)?;
    let (mut reader_a, mut reader_b) = (CallReader::new(a), CallReader::new(b));
    loop {
        let (next_a, next_b) = (reader_a.next()?, reader_b.next()?);
        if next_a.is_none() && next_b.is_none() {
            break;
        }
        if let Some((thread, call)) = next_a {
            differ.diff.calls_a += 1;
            let waiting = waiting.entry(thread).or_default();
            waiting.a.push_back(call);
            differ.pair(thread, waiting)?;
        }
        if let Some((thread, call)) = next_b {
            differ.diff.calls_b += 1;
            let waiting = waiting.entry(thread).or_default();
            waiting.b.push_back(call);
            differ.pair(thread, waiting)?;
        }
    }
    differ.diff.alone.sort_by_key(|alone| (alone.thread, alone.position));
    differ.diff.alone.truncate(ALONE);
    Ok(differ.finish(reader_a.messages(), reader_b.messages()))
}

/// Aligns the calls of each thread.
fn aligned(a: &Trace, b: &Trace) -> Result<HashMap<u32, Waiting>, ReadError> {
    let (keys_a, keys_b) = rayon::join(|| keys_of(a), || keys_of(b));
    let (keys_a, keys_b) = (keys_a?, keys_b?);
    let threads: BTreeSet<u32> = keys_a.keys().chain(keys_b.keys()).copied().collect();
    let of = |keys: &BTreeMap<u32, Vec<CallKey>>, thread: &u32| keys.get(thread).cloned().unwrap_or_default();
    let waiting = threads.into_par_iter().map(|thread| {
        let steps = align(&of(&keys_a, &thread), &of(&keys_b, &thread)).into();
        (thread, Waiting { steps, ..Waiting::default() })
    });
    Ok(waiting.collect())
}

/// A thread's calls that wait for their matches, and its remaining steps.
#[derive(Default)]
struct Waiting {
    steps: VecDeque<Step>,
    a: VecDeque<CallRecord>,
    b: VecDeque<CallRecord>,
    position_a: u64,
    position_b: u64,
}

/// Position of a call among the calls of its thread.
#[derive(Clone, Copy)]
struct CallPosition {
    thread: u32,
    position: u64,
}

/// The part of a call in which two traces differ.
#[derive(Clone, Copy)]
struct DifferentPart<'a> {
    call: &'a str,
    part: &'static str,
    field: &'a str,
}

struct Differ<'t> {
    a: &'t Trace,
    b: &'t Trace,
    diff: CallDiff,
    ids: IdMap,
    /// Offsets of ids in the rows of `a`.
    places: IdPlaces,
    fields: BTreeMap<(String, &'static str, String), FieldDiff>,
}

impl Differ<'_> {
    fn pair(&mut self, thread: u32, waiting: &mut Waiting) -> Result<(), ReadError> {
        while let Some(step) = waiting.steps.front_mut() {
            let left = match step {
                Step::Both(left) => {
                    let (Some(call_a), Some(call_b)) = (waiting.a.front(), waiting.b.front()) else { break };
                    self.compare(CallPosition { thread, position: waiting.position_a }, call_a, call_b)?;
                    waiting.a.pop_front();
                    waiting.b.pop_front();
                    (waiting.position_a, waiting.position_b) = (waiting.position_a + 1, waiting.position_b + 1);
                    left
                }
                Step::OnlyA(left) => {
                    let Some(call) = waiting.a.pop_front() else { break };
                    self.alone("removed", CallPosition { thread, position: waiting.position_a }, call);
                    waiting.position_a += 1;
                    left
                }
                Step::OnlyB(left) => {
                    let Some(call) = waiting.b.pop_front() else { break };
                    self.alone("inserted", CallPosition { thread, position: waiting.position_b }, call);
                    waiting.position_b += 1;
                    left
                }
            };
            *left -= 1;
            if *left == 0 {
                waiting.steps.pop_front();
            }
        }
        Ok(())
    }

    fn alone(&mut self, edit: &'static str, at: CallPosition, call: CallRecord) {
        let CallPosition { thread, position } = at;
        let diff = &mut self.diff;
        let counts = if edit == "removed" { &mut diff.only_in_a } else { &mut diff.only_in_b };
        *counts.entry(call.name.clone()).or_default() += 1;
        // Threads come in any order: the first calls of each are collected, and cut down to the first of all at the
        // end.
        let of_thread = diff.alone.iter().filter(|alone| alone.thread == thread).count();
        if of_thread < ALONE {
            diff.alone.push(AloneCall { edit, call: call.name, thread, position });
        }
    }

    fn compare(&mut self, at: CallPosition, call_a: &CallRecord, call_b: &CallRecord) -> Result<(), ReadError> {
        self.diff.matched += 1;
        if call_a.skipped != call_b.skipped {
            self.diff.skipped_in_a += u64::from(call_a.skipped);
            self.diff.skipped_in_b += u64::from(call_b.skipped);
            return Ok(());
        }
        if call_a.name != call_b.name {
            let (name_a, name_b) = (call_a.name.clone().into(), call_b.name.clone().into());
            self.note(at, DifferentPart { call: "other calls", part: "call", field: "" }, Some(name_a), Some(name_b));
            return Ok(());
        }
        let arguments = self.part(at, &call_a.name, "argument", &call_a.start, &call_b.start)?;
        let results = self.part(at, &call_a.name, "result", &call_a.stop, &call_b.stop)?;
        self.diff.same += u64::from(arguments && results);
        self.diff.results_differ += u64::from(!results);
        Ok(())
    }

    /// Compares arguments or results; returns true if they are equal.
    fn part(
        &mut self,
        at: CallPosition,
        call: &str,
        part: &'static str,
        a: &Option<(taut_schemas::EventCode, Vec<u8>)>,
        b: &Option<(taut_schemas::EventCode, Vec<u8>)>,
    ) -> Result<bool, ReadError> {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => return Ok(true),
            (a, b) => {
                let has_returned = |side: &Option<_>| Some(serde_json::Value::from(side.is_some()));
                self.note(
                    at,
                    DifferentPart { call, part: "call", field: "returned" },
                    has_returned(a),
                    has_returned(b),
                );
                return Ok(false);
            }
        };
        // A start's row begins with the wait for locks, which differs by run.
        let from = if part == "argument" { size_of::<u64>() } else { 0 };
        if a.0 == b.0 && a.1.get(from..) == b.1.get(from..) && self.ids.means_the_same(&self.places, a.0, &a.1) {
            return Ok(true);
        }
        let differences =
            self.ids.compare(Side { trace: self.a, record: a }, Side { trace: self.b, record: b }, part == "result")?;
        let json = |value: Option<Value>| value.and_then(|value| serde_json::to_value(value).ok());
        let same = differences.is_empty();
        for (field, value_a, value_b) in differences {
            self.note(at, DifferentPart { call, part, field: &field }, json(value_a), json(value_b));
        }
        Ok(same)
    }

    fn note(
        &mut self,
        at: CallPosition,
        different: DifferentPart<'_>,
        first_a: Option<serde_json::Value>,
        first_b: Option<serde_json::Value>,
    ) {
        let CallPosition { thread: first_thread, position: first_position } = at;
        let DifferentPart { call, part, field } = different;
        let key = (call.to_owned(), part, field.to_owned());
        let (call, field) = (key.0.clone(), key.2.clone());
        let new = || FieldDiff { call, part, field, count: 0, first_thread, first_position, first_a, first_b };
        self.fields.entry(key).or_insert_with(new).count += 1;
    }

    fn finish(
        self,
        messages_a: BTreeMap<(String, String), u64>,
        messages_b: BTreeMap<(String, String), u64>,
    ) -> CallDiff {
        let mut diff = self.diff;
        diff.fields = self.fields.into_values().collect();
        diff.fields.sort_by_key(|field| std::cmp::Reverse(field.count));
        let mut counts: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
        messages_a.into_iter().for_each(|(key, count)| counts.entry(key).or_default().0 = count);
        messages_b.into_iter().for_each(|(key, count)| counts.entry(key).or_default().1 = count);
        let differing = counts.into_iter().filter(|(_, (count_a, count_b))| count_a != count_b);
        let message =
            |((severity, message_id), (count_a, count_b))| MessageDiff { severity, message_id, count_a, count_b };
        diff.messages = differing.map(message).collect();
        diff
    }
}
