//! Selection of a trace's events.

mod blocks;
mod events;

pub use blocks::SelectedRows;
pub use events::event_json;

use crate::Error;
use taut_schemas::{EventSchema, nearest};
use taut_traces::{Row, Trace};

/// Default number of events on either side of a stamp.
const AROUND: usize = 20;

/// Number of characters of an unknown event name that the error shows.
const SHOWN_CHARACTERS: usize = 60;
/// Minimum number of characters that a suggested name shares with the text.
const MIN_BEGINNING: usize = 6;

/// Options that select events.
#[derive(Debug, Clone, Default)]
pub struct DumpOptions {
    /// Min stamp.
    pub from: Option<u64>,
    /// Max stamp.
    pub to: Option<u64>,
    /// Stamp whose neighbours are selected.
    pub around: Option<u64>,
    /// Only this thread's events.
    pub thread: Option<u32>,
    /// Only events of this name, or of this provider and name: `d3d11:Map`, `d3d11.Map`.
    pub event: Option<String>,
    /// Max number of events.
    pub limit: Option<usize>,
}

/// Stamp whose neighbours are selected.
#[derive(Debug, Clone, Copy)]
pub struct Around {
    pub stamp: u64,
    /// Number of events on either side.
    pub half: usize,
}

impl DumpOptions {
    /// Checks the stamps.
    ///
    /// # Errors
    /// The first stamp is after the last.
    pub fn check_stamps(&self) -> Result<(), Error> {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from > to => {
                Err(Error::usage(format_args!("--from {from} is after --to {to}: no event lies between them")))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the trace's schema has the event.
    ///
    /// # Errors
    /// The schema has no event of this name.
    pub fn check_event(&self, trace: &Trace) -> Result<(), Error> {
        self.event.as_deref().map_or(Ok(()), |name| known_event(trace, name))
    }

    /// Stamp whose neighbours are selected, with their number.
    pub fn around(&self) -> Option<Around> {
        let half = self.limit.unwrap_or(2 * AROUND) / 2;
        self.around.map(|stamp| Around { stamp, half })
    }

    /// Rows of the blocks that may hold selected events, in order.
    pub fn rows<'t>(&self, trace: &'t Trace) -> SelectedRows<'t> {
        blocks::select(self, trace)
    }

    /// True if a row is selected by name, thread and min stamp.
    pub fn selects(&self, trace: &Trace, row: &Row<'_>) -> bool {
        let is_called = |name: &str| trace.header().schema.event(row.code).is_some_and(|event| is_called(event, name));
        self.from.is_none_or(|from| row.stamp >= from)
            && self.thread.is_none_or(|thread| row.thread == thread)
            && self.event.as_deref().is_none_or(is_called)
    }

    /// True if a row is after the max stamp.
    pub fn is_after(&self, row: &Row<'_>) -> bool {
        self.to.is_some_and(|to| row.stamp > to)
    }
}

fn known_event(trace: &Trace, name: &str) -> Result<(), Error> {
    let events = &trace.header().schema.events;
    if events.iter().any(|event| is_called(event, name)) {
        return Ok(());
    }
    let mut names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    names.dedup();
    // Listing every event would be too long. Several events at once are a query in SQL.
    let first = name.split([',', ' ']).next().unwrap_or(name);
    let near = nearest(first, names.iter().copied()).or_else(|| longest_beginning(first, &names));
    let known = match near {
        Some(near) if first != name => {
            format!("expected the name of one event, such as {near:?}; `taut query` selects several")
        }
        Some(near) => format!("did you mean {near:?}?"),
        None => "`taut query FILE \"SELECT DISTINCT name FROM events\"` lists those in a trace".to_owned(),
    };
    let shown: String = name.chars().take(SHOWN_CHARACTERS).collect();
    let more = if shown.len() < name.len() { "…" } else { "" };
    Err(Error::usage(format_args!("unknown event {shown:?}{more}: {known}")))
}

/// The first name that shares the longest beginning with a text: `CreateCommited` begins as `CreateCommittedResource` does.
fn longest_beginning<'n>(text: &str, names: &[&'n str]) -> Option<&'n str> {
    let shared = |name: &str| text.chars().zip(name.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let longest = names.iter().map(|name| shared(name)).max().filter(|count| *count >= MIN_BEGINNING)?;
    names.iter().copied().find(|name| shared(name) == longest)
}

/// True if `name` is the name of the event, or its provider and name: `Map`, `d3d11:Map`, `d3d11.Map`.
fn is_called(event: &EventSchema, name: &str) -> bool {
    // Names of providers may have dots.
    let after_provider = name.strip_prefix(event.provider.as_str()).and_then(|rest| rest.strip_prefix('.'));
    if after_provider == Some(event.name.as_str()) {
        return true;
    }
    let (provider, name) = name.split_once(':').map_or((None, name), |(provider, name)| (Some(provider), name));
    event.name == name && provider.is_none_or(|provider| event.provider == provider)
}
