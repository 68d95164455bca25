//! What is asked of a recording under way, and what it answers, in the first page of its sidecar. Who asks writes the request;
//! the recorder looks for it several times a second. Writer and reader side by side.

use crate::parse::{Parsed, checksum, miss};
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};
use taut_schemas::Provider;

/// Where the request stands in the page.
pub(crate) const REQUEST_AT: u64 = 512;

/// Size of a request.
pub(crate) const REQUEST_BYTES: usize = 20;

/// Where the answer stands in the page.
pub(crate) const ANSWER_AT: u64 = 1024;

/// Most bytes of an answer's text.
pub(crate) const TEXT_BYTES: usize = 2048;

/// Size of an answer without its text.
const ANSWER_BYTES: usize = 20;

/// Most bytes of an answer.
pub(crate) const MOST_ANSWER_BYTES: usize = ANSWER_BYTES + TEXT_BYTES;

/// What a recording under way can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// How it stands, as a JSON object.
    Status,
    /// A trace of what it has so far.
    Snapshot,
    /// To record a provider from now on.
    Enable(Provider),
    /// Not to record a provider from now on.
    Disable(Provider),
    /// To end.
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

    fn of_numbers(command: u32, argument: u32) -> Option<Command> {
        let providers = Provider::ALL.into_iter().flat_map(|it| [Command::Enable(it), Command::Disable(it)]);
        let mut all = [Command::Status, Command::Snapshot, Command::Stop].into_iter().chain(providers);
        all.find(|known| known.numbers() == (command, argument))
    }
}

/// A request; the ticket, which is not 0, is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request {
    pub ticket: u64,
    /// None for what this version does not know.
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

    /// Reads a request. One that is being written has no right checksum; neither has the page of one that never was.
    pub fn parse(input: &[u8]) -> Parsed<'_, Request> {
        let (rest, (ticket, command, argument)) = (le_u64, le_u32, le_u32).parse(input)?;
        let (rest, ()) = checksum(rest, &input[..REQUEST_BYTES - 4])?;
        if ticket == 0 {
            return miss(input, "a ticket", ticket);
        }
        Ok((rest, Request { ticket, command: Command::of_numbers(command, argument) }))
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Of the request.
    pub ticket: u64,
    /// What was asked for, or why it was refused.
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

    /// Reads an answer; none has a right checksum while it is being written.
    pub fn parse(input: &[u8]) -> Parsed<'_, Answer> {
        let (rest, (ticket, status, length)) = (le_u64, le_u32, le_u32).parse(input)?;
        let length = length as usize;
        if length > TEXT_BYTES {
            return miss(rest, format!("at most {TEXT_BYTES} bytes of text"), length);
        }
        let Some((text, behind)) = rest.split_at_checked(length) else {
            return miss(rest, format!("{length} bytes of text"), rest.len());
        };
        let (behind, ()) = checksum(behind, &input[..ANSWER_BYTES - 4 + length])?;
        let text = String::from_utf8_lossy(text).into_owned();
        Ok((behind, Answer { ticket, text: if status == 0 { Ok(text) } else { Err(text) } }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::run;

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
            assert!(bytes.len() <= MOST_ANSWER_BYTES);
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
    fn an_unknown_command_is_a_request_and_a_page_of_nothing_is_none() {
        let mut bytes = 7u64.to_le_bytes().to_vec();
        bytes.extend_from_slice(&[99, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
        assert_eq!(run(0, "request", &bytes, Request::parse), Ok(Request { ticket: 7, command: None }));
        assert!(run(0, "request", &[0; REQUEST_BYTES], Request::parse).is_err());
        assert!(run(0, "answer", &[0; 10], Answer::parse).is_err());
    }
}
