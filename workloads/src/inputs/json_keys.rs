//! Keys of the first JSON object in a stream, without parsing its values.

use std::io::{self, Read};

/// Maximum number of keys that are collected, as a limit on memory.
const MAX_KEYS: usize = 64;
/// Maximum length of a collected key in bytes. No known format has a longer key.
const MAX_KEY_BYTES: usize = 64;
/// Size of the reads in bytes.
const BLOCK_BYTES: usize = 64 << 10;

/// Keys of an object, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct JsonKeys {
    pub keys: Vec<String>,
    /// True if the closing brace was found.
    pub is_whole: bool,
}

/// Scanner of an object. It starts before the opening brace.
#[derive(Default)]
struct Scanner {
    found: JsonKeys,
    depth: u64,
    text: Option<Vec<u8>>,
    escaped: bool,
    /// String read last at depth 1, until it proves to be a key or a value.
    last: Option<Vec<u8>>,
}

impl JsonKeys {
    /// Reads the first object of a stream. Stops at its end, or once `is_enough` holds for the keys so far, because the
    /// values may be large.
    pub(super) fn read(mut source: impl Read, is_enough: impl Fn(&[String]) -> bool) -> io::Result<JsonKeys> {
        let mut scanner = Scanner::default();
        let mut block = vec![0; BLOCK_BYTES];
        loop {
            let bytes = match source.read(&mut block) {
                Ok(0) => return Ok(scanner.found),
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            for byte in &block[..bytes] {
                if *byte != 0 && scanner.take(*byte) {
                    return Ok(scanner.found);
                }
            }
            if scanner.found.keys.len() >= MAX_KEYS || is_enough(&scanner.found.keys) {
                return Ok(scanner.found);
            }
        }
    }
}

impl Scanner {
    /// Takes the next byte; returns `true` at the end of the object.
    fn take(&mut self, byte: u8) -> bool {
        if let Some(text) = &mut self.text {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.last = self.text.take();
                    return false;
                }
                _ => {}
            }
            if self.depth == 1 && text.len() <= MAX_KEY_BYTES {
                text.push(byte);
            }
            return false;
        }
        match byte {
            b'"' => self.text = Some(Vec::new()),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.found.is_whole = self.depth == 0;
                return self.found.is_whole;
            }
            b':' if self.depth == 1 => {
                let key = self.last.take().filter(|key| key.len() <= MAX_KEY_BYTES);
                self.found.keys.extend(key.map(|key| String::from_utf8_lossy(&key).into_owned()));
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_of_the_outer_object_are_found() {
        let text = br#"{"a": {"b": [":", {"c": 1}]}, "d\"": "x:y", "e": [1, 2]} {"f": 1}"#;
        let found = JsonKeys::read(&text[..], |_| false).unwrap();
        assert_eq!(found, JsonKeys { keys: ["a", "d\\\"", "e"].map(str::to_owned).into(), is_whole: true });
        let cut = JsonKeys::read(&text[..40], |_| false).unwrap();
        assert_eq!((cut.keys.len(), cut.is_whole), (2, false));
    }
}
