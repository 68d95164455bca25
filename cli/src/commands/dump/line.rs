//! Text and JSON lines of events.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use taut_app::dump::event_json;
use taut_console::outcome::Failure;
use taut_console::printing::{escaped, folded, json_line, print, print_bytes};
use taut_schemas::{EventCode, Opcode, SchemaTable};
use taut_traces::{Joiner, ReadError, Row, RowPart, Trace, fields, row_parts};

/// Size of the collected lines, in bytes, above which they are printed.
const CHUNK_BYTES: usize = 1 << 16;

/// Initial capacity of a line, in bytes: a usual length.
const LINE_BYTES: usize = 256;

/// Size of a row's payload, in bytes, above which its lists are printed in parts: lists can be too large to format at
/// once.
const LONG_BYTES: usize = 1 << 16;

/// Number of list elements that are formatted at a time.
const ELEMENTS: usize = 1024;

/// The line of an event. In the line of a long row, placeholders stand for the lists, which are formatted when printed.
#[derive(Default)]
pub struct Line {
    text: String,
    row: Option<(EventCode, Vec<u8>)>,
    lists: Lists,
}

/// Formats events as lines, and prints them in chunks.
pub struct Printer {
    json: bool,
    text: String,
    /// Open calls per thread, for the indentation.
    open: HashMap<u32, Joiner<()>>,
}

impl Printer {
    /// Creates a printer of JSON lines, or of text.
    pub fn new(json: bool) -> Printer {
        Printer { json, text: String::new(), open: HashMap::new() }
    }

    /// Opens the calls that a thread is within before its first row, for the indentation.
    pub fn set_open_calls(&mut self, thread: u32, open: &[EventCode]) {
        let calls = self.open.entry(thread).or_default();
        open.iter().for_each(|code| calls.start(*code, false, (), drop));
    }

    /// Adds a line, and prints when a chunk is full. Long lists are formatted in parts.
    pub fn add(&mut self, trace: &Trace, line: &Line) -> Result<(), Failure> {
        let mut rest = line.text.as_str();
        let parts = match &line.row {
            Some((code, row)) => row_parts(&trace.header().schema, *code, row).map_err(Failure::from)?,
            None => Vec::new(),
        };
        // Placeholders are in the order of the text, not of the fields: JSON sorts the names of fields.
        let mut lists: Vec<(usize, &str, usize)> = Vec::with_capacity(line.lists.len());
        lists
            .extend(line.lists.iter().filter_map(|(word, field)| Some((line.text.find(word)?, word.as_str(), *field))));
        lists.sort_unstable();
        // In JSON the placeholder is a string, whose quotes are replaced as well.
        let quote = if self.json { "\"" } else { "" };
        for (_, word, field) in lists {
            let Some((before, after)) = rest.split_once(word) else { break };
            rest = after.strip_prefix(quote).unwrap_or(after);
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

    /// Appends the elements of a list, without the brackets around them.
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

    /// Prints the collected lines.
    pub fn print(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        if self.json { print_bytes(text.as_bytes()) } else { print(&text) }
    }

    /// Formats an event. Every event must be passed once and in order, because lines are indented by the calls around
    /// them.
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
        // A start is indented like its stop, so its own call does not count.
        let indent = 2 * (open.open().len() - usize::from(opcode == Some(Opcode::Start)));
        if self.json {
            let value = event_json(schema, row, values);
            return Ok(line(json_line(&value)?));
        }
        let sign = match opcode {
            Some(Opcode::Start) => "->",
            Some(Opcode::Stop) => "<-",
            _ => "--",
        };
        let mut text = String::with_capacity(LINE_BYTES);
        // Writing to a string cannot fail.
        let _ = write!(text, "{:>20} {:>4} {:indent$}{sign} {} ", row.stamp, row.thread, "", escaped(&name));
        write_fields(&mut text, &values);
        text.push('\n');
        Ok(line(folded(&text)))
    }
}

/// Placeholders of lists, and the indices of their fields.
type Lists = Vec<(String, usize)>;

/// Fields of a row. In a long row a placeholder stands for each list.
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

/// Creates a placeholder that does not occur in the row.
fn word(place: usize, row: &[u8]) -> String {
    let mut word = format!("list-{place}-");
    while row.windows(word.len()).any(|bytes| bytes == word.as_bytes()) {
        word.push('-');
    }
    word
}

/// Appends `name=value` pairs, separated by spaces.
fn write_fields(out: &mut String, fields: &[(String, taut_traces::Value)]) {
    for (place, (name, value)) in fields.iter().enumerate() {
        if place > 0 {
            out.push(' ');
        }
        out.push_str(&escaped(name));
        out.push('=');
        write_value(out, value);
    }
}

/// Appends a value as one word; lists are in brackets. Writing to a string cannot fail.
fn write_value(out: &mut String, value: &taut_traces::Value) {
    use taut_traces::Value;
    let _ = match value {
        Value::Float(number) => write!(out, "{number}"),
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
