//! Events as lines.

use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use taut_console::outcome::Failure;
use taut_console::printing::{escaped, folded, json_line, print, print_bytes};
use taut_schemas::{EventCode, Opcode, SchemaTable};
use taut_traces::{Joiner, ReadError, Row, RowPart, Trace, fields, row_parts};

/// How many bytes of lines are collected before they are printed.
const CHUNK_BYTES: usize = 1 << 16;

/// Room for a line of usual length.
const LINE_BYTES: usize = 256;

/// Size of a row from which on its lists are printed a part at a time, in bytes.
const LONG_BYTES: usize = 1 << 16;

/// Elements of a list that are printed at a time.
const ELEMENTS: usize = 1024;

/// The line of an event. Of a long row, lists are left out, and stand beside it.
#[derive(Default)]
pub struct Line {
    text: String,
    row: Option<(EventCode, Vec<u8>)>,
    lists: Lists,
}

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

    /// Collects a line, and prints when it is much: a long list a part at a time.
    pub fn add(&mut self, trace: &Trace, line: &Line) -> Result<(), Failure> {
        let mut rest = line.text.as_str();
        let parts = match &line.row {
            Some((code, row)) => row_parts(&trace.header().schema, *code, row).map_err(Failure::from)?,
            None => Vec::new(),
        };
        // Fields stand in the order of their names in JSON.
        let mut lists: Vec<(usize, &str, usize)> = Vec::with_capacity(line.lists.len());
        lists
            .extend(line.lists.iter().filter_map(|(word, field)| Some((line.text.find(word)?, word.as_str(), *field))));
        lists.sort_unstable();
        // In JSON it is a string.
        let quote = if self.json { "\"" } else { "" };
        for (_, word, field) in lists {
            let Some((before, behind)) = rest.split_once(word) else { break };
            rest = behind.strip_prefix(quote).unwrap_or(behind);
            self.push(before.strip_suffix(quote).unwrap_or(before))?;
            self.push("[")?;
            if let Some(part) = parts.get(field) {
                self.add_list(part)?;
            }
            self.push("]")?;
        }
        self.push(rest)
    }

    fn push(&mut self, text: &str) -> Result<(), Failure> {
        self.text += text;
        if self.text.len() > CHUNK_BYTES { self.print() } else { Ok(()) }
    }

    /// The elements of a list, without the brackets around them.
    fn add_list(&mut self, list: &RowPart<'_>) -> Result<(), Failure> {
        let separator = if self.json { "," } else { " " };
        for (place, part) in list.values(ELEMENTS).enumerate() {
            let part = part.map_err(Failure::from)?;
            let text = if self.json {
                json_line(&serde_json::to_value(part).unwrap_or_default())?
            } else {
                let mut text = String::new();
                write_value(&mut text, &part);
                text
            };
            let text = text.trim_end().trim_start_matches('[');
            self.text += if place > 0 { separator } else { "" };
            self.push(text.strip_suffix(']').unwrap_or(text))?;
        }
        Ok(())
    }

    /// Prints what has been collected.
    pub fn print(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        if self.json { print_bytes(text.as_bytes()) } else { print(&text) }
    }

    /// The line of an event; each is to be shown once and in order, for it is indented by the calls around it.
    pub fn line(&mut self, trace: &Trace, row: &Row<'_>) -> Result<Line, Failure> {
        let schema = &trace.header().schema;
        let event = schema.event(row.code);
        let name = event.map_or_else(|| Cow::from(format!("event {}", row.code.0)), |event| Cow::from(&event.name));
        let (values, lists) = values(schema, row).map_err(|error| {
            Failure::input(anyhow::anyhow!("stamp {}, thread {}, {name}: {error}", row.stamp, row.thread))
        })?;
        let long_row = (!lists.is_empty()).then(|| (row.code, row.payload.to_vec()));
        let line = |text| Line { text, row: long_row, lists };
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
            let value = json!({
                "stamp": row.stamp, "thread": row.thread, "provider": event.map(|event| &event.provider), "event": name, "opcode": opcode, "fields": fields,
            });
            return Ok(line(json_line(&value)?));
        }
        let sign = match opcode {
            Some(Opcode::Start) => "->",
            Some(Opcode::Stop) => "<-",
            _ => "--",
        };
        let mut text = String::with_capacity(LINE_BYTES);
        // Writing to a string cannot fail.
        let _ = write!(text, "{:>20} {:>4} {:indent$}{sign} {name} ", row.stamp, row.thread, "");
        write_fields(&mut text, &values);
        text.push('\n');
        Ok(line(folded(&text)))
    }
}

/// The words that stand for lists, and the places of their fields.
type Lists = Vec<(String, usize)>;

/// The fields of a row. Of a long one, a word stands for each list, which has the place of its field beside it.
fn values(schema: &SchemaTable, row: &Row<'_>) -> Result<(Vec<(String, taut_traces::Value)>, Lists), ReadError> {
    if row.payload.len() <= LONG_BYTES {
        return Ok((fields(schema, row.code, row.payload)?, Lists::new()));
    }
    let parts = row_parts(schema, row.code, row.payload)?;
    let mut lists = Lists::new();
    let values = parts.iter().enumerate().map(|(place, part)| {
        let value = if part.is_list() {
            let word = word(place, row.payload);
            lists.push((word.clone(), place));
            taut_traces::Value::Text(word)
        } else {
            part.value()?
        };
        Ok((part.name().to_owned(), value))
    });
    let values: Result<Vec<_>, ReadError> = values.collect();
    Ok((values?, lists))
}

/// A word that is not in a row.
fn word(place: usize, row: &[u8]) -> String {
    let mut word = format!("list-{place}-");
    while row.windows(word.len()).any(|bytes| bytes == word.as_bytes()) {
        word.push('-');
    }
    word
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
