//! What a trace tells, call by call and mark by mark, in one order over all threads. Events are found by name, whatever
//! the trace's version.

use crate::analysis::Analysis;
use crate::columns::{Events, Selecting, ThreadFields};
use crate::error::AnalyzeError;
use rayon::prelude::*;
use std::collections::HashMap;
use taut_schemas::{EventCode, EventSchema, Opcode};
use taut_traces::{ThreadExtract, Trace};

/// Events to read: name, opcode, and the fields without which they cannot be understood.
pub(crate) type Wanted = &'static [(&'static str, Opcode, &'static [&'static str])];

/// When and on which thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct At {
    /// Stamp, in ticks.
    pub stamp: u64,
    /// Thread.
    pub thread: u32,
}

/// One record of a thread.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    fields: &'a ThreadFields<'a>,
    code: EventCode,
    /// Its place among its thread's records of its code.
    row: u32,
}

impl<'a> Record<'a> {
    /// A field's number; 0 if the trace does not have the field.
    pub fn number(self, field: &str) -> u64 {
        self.fields.numbers(self.code, field).at(self.row)
    }

    /// A column of a list's elements.
    pub fn list(self, field: &str, element: &str) -> &'a [u64] {
        self.fields.list(self.code, field, element, self.row)
    }

    /// A text.
    pub fn text(self, field: &str) -> String {
        self.fields.text(self.code, field, self.row)
    }
}

/// A call that has returned.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    /// None where it was lost, or is not read.
    pub start: Option<Record<'a>>,
    pub stop: Record<'a>,
}

/// What a record tells.
#[derive(Clone, Copy)]
pub(crate) enum Told<'a> {
    /// A call began.
    Began(Record<'a>),
    /// A call returned.
    Returned(Call<'a>),
    /// A mark.
    Said(Record<'a>),
}

fn events(trace: &Trace, wanted: Wanted) -> impl Iterator<Item = (&EventSchema, &'static [&'static str])> {
    let schema = &trace.header().schema;
    wanted.iter().filter_map(|(name, opcode, fields)| {
        let (provider, name) = name.split_once(':').map_or((None, *name), |(provider, name)| (Some(provider), name));
        let is = |event: &&EventSchema| {
            event.name == name && event.opcode == *opcode && provider.is_none_or(|provider| provider == event.provider)
        };
        Some((schema.events.iter().find(is)?, *fields))
    })
}

/// Whether the trace has any of the `decisive` ones of the events wanted, or may. Reads nothing.
pub(crate) fn any(trace: &Trace, wanted: Wanted, decisive: &[&str]) -> bool {
    let codes: Vec<EventCode> = events(trace, wanted)
        .filter(|(event, _)| decisive.contains(&event.name.as_str()))
        .map(|(event, _)| event.code)
        .collect();
    // A trace that was cut off has no counts.
    let counted = &trace.summary().codes;
    !codes.is_empty() && (!trace.summary().complete || counted.iter().any(|(code, _)| codes.contains(code)))
}

/// What `tell` makes of each of the events wanted, by its name, in order.
pub(crate) fn happenings<H: Send>(
    analysis: &Analysis,
    wanted: Wanted,
    tell: impl Fn(&str, Told<'_>) -> Option<H> + Sync,
) -> Result<Vec<(At, H)>, AnalyzeError> {
    let trace = analysis.trace();
    let mut selecting = Selecting::default();
    for (event, fields) in events(trace, wanted) {
        selecting.required(event, fields)?;
    }
    let extract = trace.extract(&selecting.finish())?;
    analysis.met(&extract.damage);
    let known = Events::new(&trace.header().schema);
    let threads: Vec<Vec<(At, H)>> = extract.threads.par_iter().map(|thread| of_thread(thread, known, &tell)).collect();
    let mut found: Vec<(At, H)> = threads.into_iter().flatten().collect();
    // Stable: a thread's own order stays.
    found.sort_by_key(|(at, _)| *at);
    Ok(found)
}

fn of_thread<H>(
    thread: &ThreadExtract,
    events: Events<'_>,
    tell: &impl Fn(&str, Told<'_>) -> Option<H>,
) -> Vec<(At, H)> {
    let wanted: HashMap<EventCode, &str> = thread
        .columns
        .iter()
        .filter_map(|columns| Some((columns.code, events.event(columns.code)?.name.as_str())))
        .collect();
    let fields = ThreadFields::new(thread);
    let mut reader = Reader { fields: &fields, rows: HashMap::new(), open: Vec::new() };
    let mut found = Vec::new();
    for (code, stamp) in thread.codes.iter().zip(&thread.stamps) {
        let Some(name) = wanted.get(code) else { continue };
        let at = At { stamp: *stamp, thread: thread.thread };
        found.extend(tell(name, reader.next(*code)).map(|happening| (at, happening)));
    }
    found
}

/// Reads one thread's events one after another.
struct Reader<'a> {
    fields: &'a ThreadFields<'a>,
    /// Records of each code so far.
    rows: HashMap<EventCode, u32>,
    /// Calls that have not returned, outermost first: their start records.
    open: Vec<Record<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self, code: EventCode) -> Told<'a> {
        let next = self.rows.entry(code).or_default();
        let record = Record { fields: self.fields, code, row: *next };
        *next += 1;
        match code.opcode() {
            Some(Opcode::Start) => {
                self.open.push(record);
                Told::Began(record)
            }
            Some(Opcode::Stop) => {
                // Calls inside whose stop was lost end here, too. Of some calls the start is not read.
                let depth = self.open.iter().rposition(|start| start.code.id() == code.id());
                let start = depth.and_then(|depth| self.open.drain(depth..).next());
                Told::Returned(Call { start, stop: record })
            }
            _ => Told::Said(record),
        }
    }
}
