//! `messages`: what the debug layer said, and what drivers did wrong.

use super::Table;
use super::column::columns;
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::{Events, Records, Selecting};
use crate::error::AnalyzeError;

pub(super) const TABLE: Table = Table {
    name: "messages",
    description: "One message of the debug layer or one driver violation, in the order of all threads.",
    columns: columns![
        stamp: U64, "When it was said, in ticks.";
        thread: U32, "The thread it was said on.";
        call: U64, "The API call it was said in, by its number in the table `calls`; null outside any, also in what the machine does by itself.";
        kind: Text, "`debug_message` or `driver_violation`.";
        severity: Text, "D3D12_MESSAGE_SEVERITY of a message; `violation` or `lint` (advice) of a driver.";
        id: Text, "D3D12_MESSAGE_ID without its prefix; the rule that a driver broke.";
        object: U64, "Handle of the object it is about; null if it is about none.";
        description: Text, "What was said.";
    ],
    fields_of: None,
    make,
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

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), AnalyzeError> {
    let mut messages = read(analysis)?;
    messages.sort_by_key(|message| (message.stamp, message.thread));
    let all = || messages.iter();
    frame.column("stamp", || all().map(|message| message.stamp).collect::<Vec<_>>());
    frame.column("thread", || all().map(|message| message.thread).collect::<Vec<_>>());
    frame.column("call", || all().map(|message| message.call).collect::<Vec<_>>());
    frame.column("kind", || all().map(|message| message.kind).collect::<Vec<&str>>());
    frame.column("severity", || all().map(|message| message.severity.as_str()).collect::<Vec<&str>>());
    frame.column("id", || all().map(|message| message.id.as_str()).collect::<Vec<&str>>());
    frame.column("object", || all().map(|message| message.object).collect::<Vec<_>>());
    frame.column("description", || all().map(|message| message.description.as_str()).collect::<Vec<&str>>());
    Ok(())
}

fn read(analysis: &Analysis) -> Result<Vec<Message>, AnalyzeError> {
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
    let records = Records::read(analysis.trace(), selecting)?;
    analysis.met(records.damage());
    let calls = records.api_calls();
    let mut messages = Vec::new();
    for ((thread, fields), calls) in records.threads.iter().zip(records.fields()).zip(calls) {
        for mark in &thread.marks {
            let number = |field| fields.numbers(mark.code, field).get(mark.row);
            let (kind, severity, id, object) = if Some(mark.code) == debug.map(|event| event.code) {
                let severity = events.value_name("MessageSeverity", number("severity").unwrap_or_default());
                let id = events.value_name("MessageId", number("message_id").unwrap_or_default());
                ("debug_message", severity, id, number("object").filter(|object| *object != 0))
            } else if Some(mark.code) == violation.map(|event| event.code) {
                let severity = if number("lint") == Some(1) { "lint" } else { "violation" };
                ("driver_violation", severity.to_owned(), fields.text(mark.code, "rule", mark.row), None)
            } else {
                continue;
            };
            let call = mark.parent.and_then(|parent| calls[parent as usize]);
            let description = fields.text(mark.code, "description", mark.row);
            let (stamp, thread) = (mark.stamp, thread.thread);
            messages.push(Message { stamp, thread, call, kind, severity, id, object, description });
        }
    }
    Ok(messages)
}
