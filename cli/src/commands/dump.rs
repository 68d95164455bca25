//! `taut dump`: the events, as text or JSON lines.

mod follow;
mod line;
mod range;

use crate::args::{Common, Dump};
use line::Printer;
use std::collections::VecDeque;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::traces::{open, tell_damage};
use taut_schemas::{EventSchema, nearest};
use taut_traces::{Row, Trace};

/// Events shown on either side of `--around`, unless `--limit` says otherwise.
const AROUND: usize = 20;

/// Characters of a name that is not known that are shown.
const SHOWN_CHARACTERS: usize = 60;

/// Prints events.
pub fn run(dump: &Dump, common: Common) -> Outcome {
    if let (Some(from), Some(to)) = (dump.from, dump.to)
        && from > to
    {
        return Err(Failure::usage(format_args!("--from {from} is after --to {to}: no event lies between them")));
    }
    if dump.follow {
        return follow::run(dump, common);
    }
    let trace = open(&dump.file)?;
    if let Some(event) = &dump.event {
        known_event(&trace, event)?;
    }
    let mut out = Printer::new(common.json);
    let limit = dump.limit.unwrap_or(usize::MAX);
    let mut shown = 0;
    let mut before = VecDeque::new();
    let around = dump.around.map(|stamp| (stamp, dump.limit.unwrap_or(2 * AROUND) / 2));
    let mut after = around.map_or(usize::MAX, |(_, half)| half.max(1));
    let mut rows = range::rows(dump, around, &trace, &mut out);
    let status = loop {
        let Some(row) = rows.next_row() else { break Status::Fine };
        if dump.to.is_some_and(|to| row.stamp > to) || shown >= limit || after == 0 {
            break Status::Fine;
        }
        let line = out.line(&trace, &row)?;
        let wanted = wanted(dump, &trace, &row);
        match around {
            _ if !wanted => {}
            Some((stamp, half)) if row.stamp < stamp => {
                before.push_back(line);
                if before.len() > half {
                    before.pop_front();
                }
            }
            _ => {
                after = if around.is_some() { after - 1 } else { after };
                shown += before.len() + 1;
                before.drain(..).try_for_each(|line| out.add(&trace, &line))?;
                out.add(&trace, &line)?;
            }
        }
    };
    before.drain(..).try_for_each(|line| out.add(&trace, &line))?;
    out.print()?;
    Ok(status.max(tell_damage(&dump.file, &trace, rows.damage())))
}

fn known_event(trace: &Trace, name: &str) -> Result<(), Failure> {
    let events = &trace.header().schema.events;
    if events.iter().any(|event| is_called(event, name)) {
        return Ok(());
    }
    let mut names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    names.dedup();
    // There are too many events to name them all; several at once are asked for in SQL.
    let first = name.split([',', ' ']).next().unwrap_or(name);
    let known = match nearest(first, names) {
        Some(near) if first != name => {
            format!("expected the name of one event, such as {near:?}; `taut query` selects several")
        }
        Some(near) => format!("did you mean {near:?}?"),
        None => "`taut info` names those that this trace has".to_owned(),
    };
    let shown: String = name.chars().take(SHOWN_CHARACTERS).collect();
    let more = if shown.len() < name.len() { "…" } else { "" };
    Err(Failure::usage(format_args!("unknown event {shown:?}{more}: {known}")))
}

/// By its name, or by provider and name: `Map`, `d3d11:Map`.
fn is_called(event: &EventSchema, name: &str) -> bool {
    let (provider, name) = name.split_once(':').map_or((None, name), |(provider, name)| (Some(provider), name));
    event.name == name && provider.is_none_or(|provider| event.provider == provider)
}

fn wanted(dump: &Dump, trace: &Trace, row: &Row<'_>) -> bool {
    let is_called = |name: &str| trace.header().schema.event(row.code).is_some_and(|event| is_called(event, name));
    dump.from.is_none_or(|from| row.stamp >= from)
        && dump.thread.is_none_or(|thread| row.thread == thread)
        && dump.event.as_deref().is_none_or(is_called)
}
