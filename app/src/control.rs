//! Requests to a recording in progress, of any process.

use crate::Error;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use taut_traces::{Command, ControlClient};

/// Answer of a recording to a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Process of the recording.
    pub process: u32,
    pub content: AnswerContent,
}

/// Content of an answer, by the request.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerContent {
    /// Progress of the recording.
    Status(Value),
    /// The snapshot that was written.
    Snapshot(Value),
    /// Names of the providers that are recorded from now on, separated by commas.
    Providers(String),
    /// The recording ends.
    Stop,
}

/// Sends a request and waits for the answer.
///
/// # Errors
/// No process is recording to the file, or it does not answer in time.
pub fn request(file: &Path, command: Command, timeout: Duration) -> Result<Answer, Error> {
    let mut recording = ControlClient::open(file).map_err(Error::io)?;
    let answer = recording.request(command, timeout).map_err(Error::io)?;
    let content = match command {
        Command::Status => AnswerContent::Status(parsed(&answer)?),
        Command::Snapshot => AnswerContent::Snapshot(parsed(&answer)?),
        Command::Enable(_) | Command::Disable(_) => AnswerContent::Providers(answer),
        Command::Stop => AnswerContent::Stop,
    };
    Ok(Answer { process: recording.process(), content })
}

fn parsed(answer: &str) -> Result<Value, Error> {
    serde_json::from_str(answer).map_err(|error| Error::io(error).context("the recorder's answer"))
}

impl Answer {
    /// The answer as JSON.
    pub fn json(&self) -> Value {
        let process = self.process;
        match &self.content {
            AnswerContent::Status(document) | AnswerContent::Snapshot(document) => document.clone(),
            AnswerContent::Providers(names) => {
                let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).collect();
                json!({ "process": process, "providers": names })
            }
            AnswerContent::Stop => json!({ "process": process }),
        }
    }
}
