//! `taut control`: asks a recording under way, of whichever process.

use crate::args::{Common, Control, ControlRequest};
use serde_json::{Value, json};
use taut_analyze::render::{binary_bytes, grouped};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{escaped, folded, print, print_json};
use taut_console::traces::name;
use taut_schemas::counted;
use taut_traces::{Command, Controller};

/// Asks, and tells the answer.
pub fn run(control: &Control, common: Common) -> Outcome {
    let failed = |error| Failure::io(error);
    let mut recording = Controller::open(&control.file).map_err(failed)?;
    let command = match control.request {
        ControlRequest::Status => Command::Status,
        ControlRequest::Snapshot => Command::Snapshot,
        ControlRequest::Enable { provider } => Command::Enable(provider),
        ControlRequest::Disable { provider } => Command::Disable(provider),
        ControlRequest::Stop => Command::Stop,
    };
    let answer = recording.ask(command, *control.timeout).map_err(failed)?;
    let process = recording.process();
    let (text, document) = match command {
        Command::Status => status(control, &parsed(&answer)?),
        Command::Snapshot => snapshot(&parsed(&answer)?),
        Command::Enable(_) | Command::Disable(_) => (
            format!("process {process} records {}\n", if answer.is_empty() { "no provider" } else { &answer }),
            json!({ "process": process, "providers": names(&answer) }),
        ),
        Command::Stop => (format!("process {process} ends the recording\n"), json!({ "process": process })),
    };
    if common.json {
        print_json(&document)?;
    } else {
        print(&folded(&text))?;
    }
    Ok(Status::Fine)
}

fn parsed(answer: &str) -> Result<Value, Failure> {
    serde_json::from_str(answer).map_err(|error| Failure::io(error).context("the recorder's answer"))
}

fn names(answer: &str) -> Vec<&str> {
    answer.split(',').filter(|name| !name.is_empty()).collect()
}

fn number(document: &Value, key: &str) -> u64 {
    document[key].as_u64().unwrap_or_default()
}

fn status(control: &Control, document: &Value) -> (String, Value) {
    let providers = document["providers"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let text = format!(
        "process {} records {}: {} of {} so far, {} of them in blocks; providers {}\n",
        number(document, "process"),
        escaped(&name(&control.file)),
        counted(number(document, "events"), "event"),
        counted(number(document, "threads"), "thread"),
        binary_bytes(number(document, "bytes")),
        escaped(&providers.collect::<Vec<_>>().join(", ")),
    );
    (text, document.clone())
}

fn snapshot(document: &Value) -> (String, Value) {
    let text = format!(
        "{}: {}, {}, {} lost\n",
        escaped(document["file"].as_str().unwrap_or_default()),
        counted(number(document, "events"), "event"),
        binary_bytes(number(document, "bytes")),
        grouped(number(document, "lost_events")),
    );
    (text, document.clone())
}
