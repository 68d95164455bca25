//! Requests to an active recording and their answers, in the control page of its sidecar. The client writes a request;
//! the recorder polls for it. Encoder and parser are in this file so that they stay in step.

use crate::format::parse::{Parsed, checksum, miss};
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};
use taut_schemas::Provider;

/// Offset of the request in the page.
pub(crate) const REQUEST_AT: u64 = 512;

/// Size of a request, in bytes.
pub(crate) const REQUEST_BYTES: usize = 20;

/// Offset of the answer in the page.
pub(crate) const ANSWER_AT: u64 = 1024;

/// Max size of an answer's text, in bytes.
pub(crate) const TEXT_BYTES: usize = 2048;

/// Size of an answer without its text, in bytes.
const ANSWER_BYTES: usize = 20;

/// Max size of an answer, in bytes.
pub(crate) const MAX_ANSWER_BYTES: usize = ANSWER_BYTES + TEXT_BYTES;

/// Command for an active recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Report the recording's state as a JSON object.
    Status,
    /// Write a trace of the events recorded so far.
    Snapshot,
    /// Start recording a provider.
    Enable(Provider),
    /// Stop recording a provider.
    Disable(Provider),
    /// End the recording.
    Stop,
}

impl Command {
    fn numbers(self) -> (u32, u32) {
        match self {
            Command::Status => (1, 0),
            Command::Snapshot => (2, 0),
            Command::Enable(provider) => (3, provider as u32),
            Command::Disable(provider) => (4, provider as u32),
            Command::Stop => (5, 0),
        }
    }

    fn from_numbers(command: u32, argument: u32) -> Option<Command> {
        let providers = Provider::ALL.into_iter().flat_map(|it| [Command::Enable(it), Command::Disable(it)]);
        let mut all = [Command::Status, Command::Snapshot, Command::Stop].into_iter().chain(providers);
        all.find(|known| known.numbers() == (command, argument))
    }
}

/// A request with its ticket, a unique number other than 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request {
    pub ticket: u64,
    /// Command; `None` if this version does not know it.
    pub command: Option<Command>,
}

impl Request {
    pub fn write(ticket: u64, command: Command) -> Vec<u8> {
        let mut out = ticket.to_le_bytes().to_vec();
        let (command, argument) = command.numbers();
        out.extend_from_slice(&command.to_le_bytes());
        out.extend_from_slice(&argument.to_le_bytes());
        out.extend_from_slice(&crc32c::crc32c(&out).to_le_bytes());
        out
    }

    /// Parses a request. The checksum fails while a request is being written, and for a page that never had one.
    pub fn parse(input: &[u8]) -> Parsed<'_, Request> {
        let (rest, (ticket, command, argument)) = (le_u64, le_u32, le_u32).parse(input)?;
        let (rest, ()) = checksum(rest, &input[..REQUEST_BYTES - 4])?;
        if ticket == 0 {
            return miss(input, "a ticket", ticket);
        }
        Ok((rest, Request { ticket, command: Command::from_numbers(command, argument) }))
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Ticket of the answered request.
    pub ticket: u64,
    /// Requested text, or the reason for a refusal.
    pub text: Result<String, String>,
}

impl Answer {
    pub fn write(&self) -> Vec<u8> {
        let (status, text) = match &self.text {
            Ok(text) => (0u32, text),
            Err(text) => (1, text),
        };
        let text = &text[..text.floor_char_boundary(TEXT_BYTES)];
        let mut out = self.ticket.to_le_bytes().to_vec();
        out.extend_from_slice(&status.to_le_bytes());
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
        out.extend_from_slice(&crc32c::crc32c(&out).to_le_bytes());
        out
    }

    /// Parses an answer. The checksum fails while an answer is being written.
    pub fn parse(input: &[u8]) -> Parsed<'_, Answer> {
        let (rest, (ticket, status, length)) = (le_u64, le_u32, le_u32).parse(input)?;
        let length = length as usize;
        if length > TEXT_BYTES {
            return miss(rest, format!("at most {TEXT_BYTES} bytes of text"), length);
        }
        let Some((text, remaining)) = rest.split_at_checked(length) else {
            return miss(rest, format!("{length} bytes of text"), rest.len());
        };
        let (remaining, ()) = checksum(remaining, &input[..ANSWER_BYTES - 4 + length])?;
        let text = String::from_utf8_lossy(text).into_owned();
        Ok((remaining, Answer { ticket, text: if status == 0 { Ok(text) } else { Err(text) } }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse::run;

    #[test]
    fn requests_and_answers_come_back_and_a_changed_bit_is_noticed() {
        let providers = Provider::ALL.into_iter().flat_map(|it| [Command::Enable(it), Command::Disable(it)]);
        for command in [Command::Status, Command::Snapshot, Command::Stop].into_iter().chain(providers) {
            let mut bytes = Request::write(7, command);
            assert_eq!(bytes.len(), REQUEST_BYTES);
            assert_eq!(run(0, "request", &bytes, Request::parse), Ok(Request { ticket: 7, command: Some(command) }));
            for bit in 0..8 * bytes.len() {
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(run(0, "request", &bytes, Request::parse).is_err(), "bit {bit}");
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        for text in [Ok("{}".to_owned()), Err("ü".repeat(TEXT_BYTES)), Ok(String::new())] {
            let mut bytes = Answer { ticket: 9, text: text.clone() }.write();
            assert!(bytes.len() <= MAX_ANSWER_BYTES);
            let Ok(back) = run(0, "answer", &bytes, Answer::parse) else { panic!("{text:?}") };
            assert!(back.ticket == 9 && back.text.is_ok() == text.is_ok());
            assert!(text.unwrap_or_else(|text| text).starts_with(&back.text.unwrap_or_else(|text| text)));
            for bit in (0..8 * bytes.len()).step_by(13) {
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(run(0, "answer", &bytes, Answer::parse).is_err(), "bit {bit}");
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }

    #[test]
    fn an_unknown_command_parses_and_an_empty_page_does_not() {
        let mut bytes = 7u64.to_le_bytes().to_vec();
        bytes.extend_from_slice(&[99, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
        assert_eq!(run(0, "request", &bytes, Request::parse), Ok(Request { ticket: 7, command: None }));
        assert!(run(0, "request", &[0; REQUEST_BYTES], Request::parse).is_err());
        assert!(run(0, "answer", &[0; 10], Answer::parse).is_err());
    }
}
