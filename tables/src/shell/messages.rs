//! Messages from a worker to its shell: a tag byte, a length of four bytes, and the payload.

use serde_json::{Value, json};
use std::io::{Error as IoError, ErrorKind, Read, Result as IoResult, Write};

/// Maximum size of a payload. The worker splits longer results into several messages.
const MAX_BYTES: u32 = 64 << 20;

/// Size of the payloads that a result is split into.
const CHUNK_BYTES: usize = 1 << 16;

/// A message from a worker.
#[derive(Debug, PartialEq)]
pub enum Message {
    /// First rows of a result: `headings`, indices of `right`-aligned columns, `rows`, and the total `height`.
    Table(Value),
    /// Part of a result in another format.
    Bytes(Vec<u8>),
    /// The request failed, with an exit code and a reason.
    Failed(u8, String),
    /// The request is complete; the result has this number of rows.
    Done(u64),
}

impl Message {
    /// Writes the message.
    ///
    /// # Errors
    /// The message is too large, or the shell has closed the pipe.
    pub fn write(&self, out: &mut impl Write) -> IoResult<()> {
        let (tag, bytes) = match self {
            Message::Table(table) => (b'T', table.to_string().into_bytes()),
            Message::Bytes(bytes) => (b'B', bytes.clone()),
            Message::Failed(code, why) => (b'E', json!([code, why]).to_string().into_bytes()),
            Message::Done(height) => (b'D', json!(height).to_string().into_bytes()),
        };
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if length > MAX_BYTES {
            return Err(IoError::new(ErrorKind::FileTooLarge, "a row set of more than 64 MiB: show fewer rows"));
        }
        out.write_all(&[tag])?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(&bytes)?;
        out.flush()
    }

    /// Reads the next message.
    ///
    /// # Errors
    /// The worker has ended, or the message is invalid.
    pub fn read(from: &mut impl Read) -> IoResult<Message> {
        let mut head = [0; 5];
        from.read_exact(&mut head)?;
        let [tag, length @ ..] = head;
        let length = u32::from_le_bytes(length);
        if length > MAX_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length as usize];
        from.read_exact(&mut bytes)?;
        let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).map_err(IoError::from);
        Ok(match tag {
            b'T' => Message::Table(value(&bytes)?),
            b'B' => Message::Bytes(bytes),
            b'E' => match value(&bytes)?.as_array().map(Vec::as_slice) {
                Some([code, Value::String(why)]) => {
                    Message::Failed(code.as_u64().and_then(|code| u8::try_from(code).ok()).unwrap_or(4), why.clone())
                }
                _ => return Err(ErrorKind::InvalidData.into()),
            },
            b'D' => Message::Done(value(&bytes)?.as_u64().unwrap_or_default()),
            _ => return Err(ErrorKind::InvalidData.into()),
        })
    }
}

/// Writer that splits its bytes into messages.
pub struct ByteMessages<'a, W: Write>(pub &'a mut W);

impl<W: Write> Write for ByteMessages<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        let some = &bytes[..bytes.len().min(CHUNK_BYTES)];
        Message::Bytes(some.to_vec()).write(self.0)?;
        Ok(some.len())
    }

    fn flush(&mut self) -> IoResult<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let messages = [
            Message::Table(json!({"rows": [["a"]]})),
            Message::Bytes(b"a,b\n".to_vec()),
            Message::Failed(2, "no\nquery".to_owned()),
            Message::Done(7),
        ];
        let mut written = Vec::new();
        messages.iter().for_each(|message| message.write(&mut written).unwrap());
        let mut from = written.as_slice();
        for message in &messages {
            assert_eq!(&Message::read(&mut from).unwrap(), message);
        }
        assert!(Message::read(&mut from).is_err());
        assert!(Message::read(&mut [b'B', 255, 255, 255, 255].as_slice()).is_err());
    }
}
