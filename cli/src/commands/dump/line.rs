//! Events as lines.

use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use taut_console::outcome::Failure;
use taut_console::printing::{escaped, folded, json_line, print, print_bytes};
use taut_schemas::{EventCode, Opcode};
use taut_traces::{Joiner, Row, Trace, fields};

/// How many bytes of lines are collected before they are printed.
const CHUNK_BYTES: usize = 1 << 16;

/// Room for a line of usual length.
const LINE_BYTES: usize = 256;

/// Makes lines of events, and prints them in portions.
pub struct Printer {
    json: bool,
    text: String,
    /// Open calls per thread, for the indentation.
    open: HashMap<u32, Joiner<()>>,
}

impl Printer {
    /// One that prints JSON lines, or text.
    pub fn new(json: bool) -> Printer {
        Printer { json, text: String::new(), open: HashMap::new() }
    }

    /// A thread's events begin in the midst of these calls.
    pub fn begin_within(&mut self, thread: u32, open: &[EventCode]) {
        let calls = self.open.entry(thread).or_default();
        open.iter().for_each(|code| calls.start(*code, false, (), drop));
    }

    /// Collects a line, and prints when it is much.
    pub fn add(&mut self, line: &str) -> Result<(), Failure> {
        self.text += line;
        if self.text.len() > CHUNK_BYTES { self.print() } else { Ok(()) }
    }

    /// Prints what has been collected.
    pub fn print(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        if self.json { print_bytes(text.as_bytes()) } else { print(&text) }
    }

    /// The line of an event; each is to be shown once and in order, for it is indented by the calls around it.
    pub fn line(&mut self, trace: &Trace, row: &Row<'_>) -> Result<String, Failure> {
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
