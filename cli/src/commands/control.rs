//! `taut control`: sends a request to a recording in progress, of any process.

use crate::args::{Common, Control, ControlRequest};
use crate::failure::failure;
use serde_json::Value;
use std::path::Path;
use taut_analyze::render::{binary_bytes, grouped};
use taut_app::control::{Answer, AnswerContent, request};
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{escaped, folded, print, print_json};
use taut_console::traces::name;
use taut_schemas::counted;
use taut_traces::Command;

/// Sends the request and prints the answer.
pub fn run(control: &Control, common: Common) -> Outcome {
    let command = match control.request {
        ControlRequest::Status => Command::Status,
        ControlRequest::Snapshot => Command::Snapshot,
        ControlRequest::Enable { provider } => Command::Enable(provider),
        ControlRequest::Disable { provider } => Command::Disable(provider),
        ControlRequest::Stop => Command::Stop,
    };
    let answer = request(&control.file, command, *control.timeout).map_err(failure)?;
    if common.json {
        print_json(&answer.json())?;
    } else {
        print(&folded(&text(&control.file, &answer)))?;
    }
    Ok(Status::Fine)
}

fn text(file: &Path, answer: &Answer) -> String {
    let process = answer.process;
    match &answer.content {
        AnswerContent::Status(document) => status(file, document),
        AnswerContent::Snapshot(document) => snapshot(document),
        AnswerContent::Providers(names) => {
            format!("process {process} records {}\n", if names.is_empty() { "no provider" } else { names })
        }
        AnswerContent::Stop => format!("process {process} ends the recording\n"),
    }
}

fn number(document: &Value, key: &str) -> u64 {
    document[key].as_u64().unwrap_or_default()
}

fn status(file: &Path, document: &Value) -> String {
    let providers = document["providers"].as_array().into_iter().flatten().filter_map(Value::as_str);
    format!(
        "process {} records {}: {} of {} so far, {} of them in blocks; providers {}\n",
        number(document, "process"),
        escaped(&name(file)),
        counted(number(document, "events"), "event"),
        counted(number(document, "threads"), "thread"),
        binary_bytes(number(document, "bytes")),
        escaped(&providers.collect::<Vec<_>>().join(", ")),
    )
}

fn snapshot(document: &Value) -> String {
    format!(
        "{}: {}, {}, {} lost\n",
        escaped(document["file"].as_str().unwrap_or_default()),
        counted(number(document, "events"), "event"),
        binary_bytes(number(document, "bytes")),
        grouped(number(document, "lost_events")),
    )
}
