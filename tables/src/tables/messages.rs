//! `messages`: what the debug layer said, and what drivers did wrong.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Parts, Table};
use crate::error::TableError;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::columns::{CallRow, CallRows, CallStream, Events, Selecting};

pub(super) const TABLE: Table = Table {
    name: "messages",
    description: "One message of the debug layer or one driver violation, in the order of all threads.",
    columns: columns![
        stamp: I64, "When it was said, in ticks.";
        thread: I64, "The thread it was said on.";
        call: I64, "The API call it was said in, by its number in the table `calls`; null outside any, also in what the machine does by itself.";
        kind: Text, "`debug_message` or `driver_violation`.";
        severity: Text, "D3D12_MESSAGE_SEVERITY of a message; `violation` or `lint` (advice) of a driver.";
        id: Text, "D3D12_MESSAGE_ID without its prefix; the rule that a driver broke.";
        object: U64, "Handle of the object it is about; null if it is about none.";
        description: Text, "What was said.";
    ],
    fields_of: None,
    make: Make::InParts(make),
};

/// One row.
struct Message {
    stamp: u64,
    thread: u32,
    call: Option<u64>,
    kind: &'static str,
    /// Severity of a message; `lint` or `violation`.
    severity: String,
    /// Name of a message's id, or the rule that a driver broke.
    id: String,
    object: Option<u64>,
    description: String,
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let events = Events::new(&analysis.trace().header().schema);
    let mut selecting = Selecting::default();
    let (debug, violation) = (events.mark("DebugMessage"), events.mark("DriverViolation"));
    if let Some(debug) = debug {
        selecting.required(debug, &["severity", "message_id", "description"])?;
        selecting.present(debug, &["object"]);
    }
    if let Some(violation) = violation {
        selecting.required(violation, &["rule", "description"])?;
        selecting.present(violation, &["lint"]);
    }
    let (debug, violation) = (debug.map(|event| event.code), violation.map(|event| event.code));
    let mut first = true;
    CallStream::new(analysis, selecting, debug.into_iter().chain(violation)).each(|rows| {
        let marks = rows.rows.iter().filter(|row| [debug, violation].contains(&Some(row.joined.code)));
        let messages: Vec<Message> =
            marks.map(|row| message(events, &rows, row, Some(row.joined.code) == debug)).collect();
        // Most parts of a trace hold none.
        if messages.is_empty() && !std::mem::take(&mut first) {
            return Ok(ControlFlow::Continue(()));
        }
        first = false;
        let mut frame = parts.frame();
        columns(&messages, &mut frame);
        parts.give(frame)
    })
}

fn columns(messages: &[Message], frame: &mut Frame<'_>) {
    let all = || messages.iter();
    frame.column("stamp", || all().map(|message| message.stamp).collect::<Vec<_>>());
    frame.column("thread", || all().map(|message| message.thread).collect::<Vec<_>>());
    frame.column("call", || all().map(|message| message.call).collect::<Vec<_>>());
    frame.column("kind", || all().map(|message| message.kind).collect::<Vec<&str>>());
    frame.column("severity", || all().map(|message| message.severity.as_str()).collect::<Vec<&str>>());
    frame.column("id", || all().map(|message| message.id.as_str()).collect::<Vec<&str>>());
    frame.column("object", || all().map(|message| message.object).collect::<Vec<_>>());
    frame.column("description", || all().map(|message| message.description.as_str()).collect::<Vec<&str>>());
}

fn message(events: Events<'_>, rows: &CallRows<'_>, row: &CallRow, is_debug: bool) -> Message {
    let (code, place, stamp) = (row.joined.code, row.joined.place, row.joined.stamp);
    let fields = rows.fields(place);
    let number = |field| fields.numbers(code, field).get(place.row);
    let (kind, severity, id, object) = if is_debug {
        let severity = events.value_name("MessageSeverity", number("severity").unwrap_or_default());
        let id = events.value_name("MessageId", number("message_id").unwrap_or_default());
        ("debug_message", severity, id, number("object").filter(|object| *object != 0))
    } else {
        let severity = if number("lint") == Some(1) { "lint" } else { "violation" };
        ("driver_violation", severity.to_owned(), fields.text(code, "rule", place.row), None)
    };
    let description = fields.text(code, "description", place.row);
    let thread = rows.threads[row.thread_index];
    Message { stamp, thread, call: row.call, kind, severity, id, object, description }
}
