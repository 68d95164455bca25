//! `messages`: debug layer messages and driver violations.

use super::column::columns;
use super::{Make, Parts, Table};
use crate::error::TableError;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::events::{CallRow, CallRows, CallStream, Found, Selecting, ValueNames, View};
use taut_analyze::view;
use taut_schemas::{MessageId, MessageSeverity, ObjectId, mark};

pub(super) const TABLE: Table = Table {
    name: "messages",
    description: "One row per debug layer message or driver violation, in the order of all threads.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::InParts(make),
};

columns! {
    row of rows: &MessageRows<'_>;
    stamp: I64, "Time of the message, in ticks.", row.stamp;
    thread: I64, "Thread of the message.", row.thread;
    call: I64, "Number, in `calls`, of the enclosing API call; null outside API calls, such as in work of workers and the GPU.", row.call;
    kind: Text, "`debug_message` or `driver_violation`.", row.kind;
    severity: Text, "D3D12_MESSAGE_SEVERITY of a debug message; `violation` or `lint` (advice) for a driver.", row.severity.as_str();
    id: Text, "D3D12_MESSAGE_ID of a debug message, without its prefix; the rule that a driver violated.", row.id.as_str();
    object: U64, "Handle of the object concerned; null without an object.", row.object;
    description: Text, "Text of the message.", row.description.as_str();
}

view! {
    struct Debug of info mark::DebugMessage {
        severity: MessageSeverity,
        message_id: MessageId,
        description: String,
    } if any {
        object: ObjectId,
    }
}

view! {
    struct Violation of info mark::DriverViolation {
        rule: String,
        description: String,
    } if any {
        lint: bool,
    }
}

/// Marks that the rows come from, and the trace's names of their enum values.
struct Marks<'a> {
    debug: Option<Found<Debug>>,
    violation: Option<Found<Violation>>,
    severities: ValueNames<'a, MessageSeverity>,
    ids: ValueNames<'a, MessageId>,
}

/// A row of the table.
struct Message {
    stamp: u64,
    thread: u32,
    call: Option<u64>,
    kind: &'static str,
    /// Severity of a message; `lint` or `violation` for a driver.
    severity: String,
    /// Name of the message id, or the rule that the driver violated.
    id: String,
    object: Option<u64>,
    description: String,
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let schema = &analysis.trace().header().schema;
    let mut selecting = Selecting::new(schema);
    let marks = Marks {
        debug: Found::select(&mut selecting)?,
        violation: Found::select(&mut selecting)?,
        severities: ValueNames::new(schema),
        ids: ValueNames::new(schema),
    };
    let codes = [marks.debug.as_ref().map(|mark| mark.code), marks.violation.as_ref().map(|mark| mark.code)];
    let mut first = true;
    CallStream::new(analysis.source(), selecting, codes.into_iter().flatten()).each(|rows| {
        let messages: Vec<Message> = rows.rows.iter().filter_map(|row| marks.message(&rows, row)).collect();
        // Most chunks of a trace hold no message; only the first is emitted empty.
        if messages.is_empty() && !std::mem::take(&mut first) {
            return Ok(ControlFlow::Continue(()));
        }
        first = false;
        let mut frame = parts.frame();
        fill(&MessageRows(&messages), &mut frame)?;
        parts.give(frame)
    })
}

struct MessageRows<'a>(&'a [Message]);

impl<'a> MessageRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a Message> {
        self.0.iter()
    }
}

impl Marks<'_> {
    /// Decodes a mark; `None` for another mark or a call.
    fn message(&self, rows: &CallRows<'_>, row: &CallRow) -> Option<Message> {
        let (code, place, stamp) = (row.joined.code, row.joined.place, row.joined.stamp);
        let (thread, call) = (rows.threads[row.thread_index], row.call);
        if let Some(debug) = self.debug.as_ref().filter(|debug| debug.code == code) {
            let Debug { severity, message_id, description, object } =
                Debug::read(&debug.values(rows.extract(place)), place.row);
            let (severity, id) = (self.severities.of(&severity), self.ids.of(&message_id));
            let object = object.filter(|object| *object != ObjectId::NULL).map(|object| object.0);
            return Some(Message { stamp, thread, call, kind: "debug_message", severity, id, object, description });
        }
        let violation = self.violation.as_ref().filter(|violation| violation.code == code)?;
        let Violation { rule, description, lint } = Violation::read(&violation.values(rows.extract(place)), place.row);
        let severity = if lint == Some(true) { "lint" } else { "violation" }.to_owned();
        let kind = "driver_violation";
        Some(Message { stamp, thread, call, kind, severity, id: rule, object: None, description })
    }
}
