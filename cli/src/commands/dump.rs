//! `taut dump`: the events, as text or JSON lines.

use crate::args::{Common, Dump};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{escaped, folded, json_line, print, print_bytes};
use taut_console::traces::{open, tell_damage};
use taut_schemas::{EventSchema, Opcode, nearest};
use taut_traces::{Joiner, Row, Trace, fields};

/// Events shown on either side of `--around`, unless `--limit` says otherwise.
const AROUND: usize = 20;

/// Characters of a name that is not known that are shown.
const SHOWN_CHARACTERS: usize = 60;

/// How many lines are collected before they are printed.
const CHUNK_BYTES: usize = 1 << 16;

/// Room for a line of usual length.
const LINE_BYTES: usize = 256;

/// Prints events.
pub fn run(dump: &Dump, common: Common) -> Outcome {
    if let (Some(from), Some(to)) = (dump.from, dump.to)
        && from > to
    {
        return Err(Failure::usage(format_args!("--from {from} is after --to {to}: no event lies between them")));
    }
    let trace = open(&dump.file)?;
    if let Some(event) = &dump.event {
        known_event(&trace, event)?;
    }
    let mut out = Printer { json: common.json, text: String::new(), open: HashMap::new() };
    let limit = dump.limit.unwrap_or(usize::MAX);
    let mut shown = 0;
    let mut before = VecDeque::new();
    let around = dump.around.map(|stamp| (stamp, dump.limit.unwrap_or(2 * AROUND) / 2));
    let mut after = around.map_or(usize::MAX, |(_, half)| half.max(1));
    let mut rows = trace.rows();
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
                before.drain(..).for_each(|line| out.text += &line);
                out.text += &line;
            }
        }
        if out.text.len() > CHUNK_BYTES {
            out.print()?;
        }
    };
    before.drain(..).for_each(|line| out.text += &line);
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

struct Printer {
    json: bool,
    text: String,
    /// Open calls per thread, for the indentation.
    open: HashMap<u32, Joiner<()>>,
}

impl Printer {
    /// Prints what has been collected.
    fn print(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        if self.json { print_bytes(text.as_bytes()) } else { print(&text) }
    }

    fn line(&mut self, trace: &Trace, row: &Row<'_>) -> Result<String, Failure> {
        let schema = &trace.header().schema;
        let event = schema.event(row.code);
        let name = event.map_or_else(|| Cow::from(format!("event {}", row.code.0)), |event| Cow::from(&event.name));
        let values = fields(schema, row.code, row.payload).map_err(|error| {
            Failure::input(anyhow::anyhow!("stamp {}, thread {}, {name}: {error}", row.stamp, row.thread))
        })?;
        let opcode = row.code.opcode();
        let open = self.open.entry(row.thread).or_default();
        match opcode {
            Some(Opcode::Start) => open.start(row.code, event.is_some_and(|event| event.layer.is_input()), (), drop),
            Some(Opcode::Stop) => {
                open.stop(row.code, drop);
            }
            _ => {}
        }
        // A start stands where its stop will: outside itself.
        let indent = 2 * (open.open().len() - usize::from(opcode == Some(Opcode::Start)));
        if self.json {
            let fields: Map<String, Value> = values
                .into_iter()
                .map(|(name, value)| (name, serde_json::to_value(value).unwrap_or_default()))
                .collect();
            let opcode = match opcode {
                Some(Opcode::Start) => "start",
                Some(Opcode::Stop) => "stop",
                _ => "info",
            };
            let line = json!({
                "stamp": row.stamp, "thread": row.thread, "provider": event.map(|event| &event.provider), "event": name, "opcode": opcode, "fields": fields,
            });
            return json_line(&line);
        }
        let sign = match opcode {
            Some(Opcode::Start) => "->",
            Some(Opcode::Stop) => "<-",
            _ => "--",
        };
        let mut line = String::with_capacity(LINE_BYTES);
        // Writing to a string cannot fail.
        let _ = write!(line, "{:>20} {:>4} {:indent$}{sign} {name} ", row.stamp, row.thread, "");
        write_fields(&mut line, &values);
        line.push('\n');
        Ok(folded(&line))
    }
}

/// `name=value`, with blanks between.
fn write_fields(out: &mut String, fields: &[(String, taut_traces::Value)]) {
    for (place, (name, value)) in fields.iter().enumerate() {
        if place > 0 {
            out.push(' ');
        }
        out.push_str(name);
        out.push('=');
        write_value(out, value);
    }
}

/// A value in one word, lists in brackets. Writing to a string cannot fail.
fn write_value(out: &mut String, value: &taut_traces::Value) {
    use taut_traces::Value;
    let _ = match value {
        Value::Number(number) => write!(out, "{number}"),
        Value::Text(word) if word.is_empty() || word.contains(' ') || escaped(word) != *word => write!(out, "{word:?}"),
        Value::Text(word) => out.write_str(word),
        Value::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}")),
        Value::List(elements) => {
            out.push('[');
            for (place, columns) in elements.iter().enumerate() {
                out.push_str(if place > 0 { " {" } else { "{" });
                write_fields(out, columns);
                out.push('}');
            }
            out.write_char(']')
        }
    };
}
