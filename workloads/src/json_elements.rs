//! JSON objects of a stream, one after another: lines of objects, or the elements of an array, without the whole text in
//! memory.

use std::io::{self, BufRead, BufReader, Read};

/// Maximum size of an element in bytes, as a limit on memory. Longer ones are read over.
const MAX_ELEMENT_BYTES: usize = 32 << 20;
/// Bytes that remain of an element that is too long.
const HEAD_BYTES: usize = 4 << 10;
/// Size in bytes of the read buffer.
const BUFFER_BYTES: usize = 256 << 10;

/// Result of reading on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// An element, or a text that is none.
    Element,
    /// The text ends inside an element, or inside the array.
    Cut,
    /// The text ends.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing was read yet.
    Begin,
    Lines,
    Array,
    End,
}

/// Reader of the objects.
pub(crate) struct JsonElements {
    source: Box<dyn BufRead + Send>,
    mode: Mode,
    /// Beginning of lines that are messages of a program, not elements.
    message_mark: &'static str,
    messages: u64,
    element: Element,
    start: Position,
    /// Position of the next byte.
    next: Position,
}

/// Line and byte in the line, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub line: u64,
    pub column: u64,
}

impl Position {
    fn advance(&mut self, bytes: &[u8]) {
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => {
                self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
                self.column = (bytes.len() - last) as u64;
            }
            None => self.column += bytes.len() as u64,
        }
    }
}

/// Element in progress.
#[derive(Default)]
struct Element {
    text: Vec<u8>,
    /// Size of the whole element.
    bytes: u64,
    /// True if only the beginning is kept.
    is_too_long: bool,
}

impl Element {
    fn clear(&mut self) {
        self.text.clear();
        (self.bytes, self.is_too_long) = (0, false);
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if self.is_too_long {
            return;
        }
        if self.bytes <= MAX_ELEMENT_BYTES as u64 {
            self.text.extend_from_slice(bytes);
        } else {
            self.is_too_long = true;
            self.text.truncate(HEAD_BYTES);
            self.text.shrink_to_fit();
        }
    }
}

impl JsonElements {
    /// Creates the reader of a text, which is either lines of objects or an array. Lines that begin with `message_mark`
    /// are counted and left out.
    pub(crate) fn new(source: impl Read + Send + 'static, message_mark: &'static str) -> JsonElements {
        let start = Position { line: 1, column: 1 };
        JsonElements {
            source: Box::new(BufReader::with_capacity(BUFFER_BYTES, source)),
            mode: Mode::Begin,
            message_mark,
            messages: 0,
            element: Element::default(),
            start,
            next: start,
        }
    }

    /// Creates the reader of the elements of an array that is the first array of an object.
    ///
    /// # Errors
    /// The source cannot be read.
    pub(crate) fn of_first_array(source: impl Read + Send + 'static) -> io::Result<JsonElements> {
        let mut elements = JsonElements::new(source, "");
        let mut scanner = Scanner::default();
        elements.mode = Mode::End;
        while let Some(byte) = elements.take()? {
            if byte == b'[' && !scanner.in_string {
                elements.mode = Mode::Array;
                break;
            }
            scanner.take(byte);
        }
        Ok(elements)
    }

    /// Number of messages so far.
    pub(crate) fn messages(&self) -> u64 {
        self.messages
    }

    /// Text of the element read last; only its beginning if it is too long.
    pub(crate) fn text(&self) -> &[u8] {
        &self.element.text
    }

    /// Size of the element read last, in bytes, if it was too long to be kept.
    pub(crate) fn too_long_bytes(&self) -> Option<u64> {
        self.element.is_too_long.then_some(self.element.bytes)
    }

    /// Returns the position of a byte of the element read last.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let mut position = self.start;
        position.advance(&self.text()[..offset.min(self.text().len())]);
        position
    }

    /// Reads the next element.
    ///
    /// # Errors
    /// The source cannot be read.
    pub(crate) fn next(&mut self) -> io::Result<Next> {
        self.element.clear();
        if self.mode == Mode::Begin {
            self.begin()?;
        }
        match self.mode {
            Mode::Lines => self.next_line(),
            Mode::Array => self.next_of_array(),
            Mode::Begin | Mode::End => Ok(Next::End),
        }
    }

    /// Finds out whether the text is lines or an array.
    fn begin(&mut self) -> io::Result<()> {
        self.skip(u8::is_ascii_whitespace)?;
        self.mode = match self.peek()? {
            None => Mode::End,
            Some(b'[') => {
                self.start = self.next;
                self.take()?;
                self.skip(u8::is_ascii_whitespace)?;
                if matches!(self.peek()?, None | Some(b'{' | b']')) {
                    Mode::Array
                } else {
                    // A message begins with a bracket, too; `next_line` appends the rest of its line.
                    self.element.push(b"[");
                    Mode::Lines
                }
            }
            Some(_) => Mode::Lines,
        };
        Ok(())
    }

    fn next_line(&mut self) -> io::Result<Next> {
        loop {
            if self.element.text.is_empty() {
                self.start = self.next;
            }
            let has_end = self.push_line()?;
            if !has_end {
                self.mode = Mode::End;
            }
            let text = self.element.text.trim_ascii_end();
            if self.is_message() {
                self.messages += 1;
            } else if !text.is_empty() {
                // The last line may lack its newline and be whole.
                let is_whole = has_end || text.ends_with(b"}");
                return Ok(if is_whole { Next::Element } else { Next::Cut });
            }
            if !has_end {
                return Ok(Next::End);
            }
            self.element.clear();
        }
    }

    fn is_message(&self) -> bool {
        !self.message_mark.is_empty() && self.text().starts_with(self.message_mark.as_bytes())
    }

    fn next_of_array(&mut self) -> io::Result<Next> {
        loop {
            self.skip(|byte| byte.is_ascii_whitespace() || *byte == b',')?;
            self.start = self.next;
            match self.peek()? {
                None => {
                    self.mode = Mode::End;
                    return Ok(Next::Cut);
                }
                Some(b']') => {
                    self.mode = Mode::End;
                    return Ok(Next::End);
                }
                Some(b'{') => {
                    let mut scanner = Scanner::default();
                    let is_whole = self.push_until(|byte| scanner.take(byte))?;
                    return Ok(if is_whole { Next::Element } else { Next::Cut });
                }
                Some(_) => {
                    // A text that is no object lasts to the end of its line.
                    self.push_line()?;
                    if !self.is_message() {
                        return Ok(Next::Element);
                    }
                    self.messages += 1;
                    self.element.clear();
                }
            }
        }
    }

    /// Appends the rest of the line without its newline; returns `false` if it has none.
    fn push_line(&mut self) -> io::Result<bool> {
        let has_end = self.push_until(|byte| byte == b'\n')?;
        self.element.text.pop_if(|last| *last == b'\n' && has_end);
        Ok(has_end)
    }

    /// Appends bytes to the element until one ends it; returns `false` at the end of the text.
    fn push_until(&mut self, mut is_end: impl FnMut(u8) -> bool) -> io::Result<bool> {
        loop {
            let bytes = match self.source.fill_buf() {
                Ok([]) => return Ok(false),
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = bytes.iter().position(|byte| is_end(*byte));
            let taken = end.map_or(bytes.len(), |last| last + 1);
            self.element.push(&bytes[..taken]);
            self.next.advance(&bytes[..taken]);
            self.source.consume(taken);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    fn skip(&mut self, is_skipped: impl Fn(&u8) -> bool) -> io::Result<()> {
        while self.peek()?.is_some_and(|byte| is_skipped(&byte)) {
            self.take()?;
        }
        Ok(())
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.source.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn take(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.source.consume(1);
            self.next.advance(&[byte]);
        }
        Ok(byte)
    }
}

/// Scanner for the end of an object.
#[derive(Default)]
struct Scanner {
    depth: u64,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    /// Takes the next byte; returns `true` at the end of the object.
    fn take(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            _ if self.in_string => {}
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the elements with their positions, and the end.
    fn all(text: &str) -> (Vec<(String, u64, u64)>, Next, u64) {
        let mut elements = JsonElements::new(io::Cursor::new(text.as_bytes().to_vec()), "[tool]");
        let mut found = Vec::new();
        loop {
            match elements.next().unwrap() {
                Next::Element => {
                    let Position { line, column } = elements.position(0);
                    found.push((String::from_utf8_lossy(elements.text()).trim_end().to_owned(), line, column));
                }
                end => return (found, end, elements.messages()),
            }
        }
    }

    fn element(text: &str, line: u64, column: u64) -> (String, u64, u64) {
        (text.to_owned(), line, column)
    }

    #[test]
    fn lines_and_arrays_give_the_same_elements() {
        let expected = vec![element("{\"a\":1}", 1, 1), element("{}", 3, 1)];
        assert_eq!(all("{\"a\":1}\r\n\r\n{}\r\n"), (expected.clone(), Next::End, 0));
        assert_eq!(all("{\"a\":1}\n[tool] INFO - {\n{}"), (expected, Next::End, 1));
        let array = all("[\n  {\"a\": \"}\\\"\"},\n[tool] x\n  {\n  }\n]\n");
        assert_eq!(array, (vec![element("{\"a\": \"}\\\"\"}", 2, 3), element("{\n  }", 4, 3)], Next::End, 1));
        assert_eq!(all("[tool] x\n{}\n"), (vec![element("{}", 2, 1)], Next::End, 1));
    }

    #[test]
    fn a_cut_text_is_noticed() {
        assert_eq!(all("{}\n{\"a\""), (vec![element("{}", 1, 1)], Next::Cut, 0));
        assert_eq!(all("[{}, {\"a\""), (vec![element("{}", 1, 2)], Next::Cut, 0));
        assert_eq!(all("[{}"), (vec![element("{}", 1, 2)], Next::Cut, 0));
        assert_eq!(all(""), (Vec::new(), Next::End, 0));
    }

    #[test]
    fn an_element_that_is_too_long_keeps_its_beginning() {
        let text = format!("{{\"a\": \"{}\"}}\n{{}}\n", "x".repeat(MAX_ELEMENT_BYTES));
        let mut elements = JsonElements::new(io::Cursor::new(text.into_bytes()), "");
        assert_eq!(elements.next().unwrap(), Next::Element);
        assert_eq!(elements.too_long_bytes(), Some(MAX_ELEMENT_BYTES as u64 + 10));
        assert!(elements.text().len() <= HEAD_BYTES);
        assert_eq!(elements.next().unwrap(), Next::Element);
        assert_eq!(elements.text(), b"{}");
    }
}
