//! JSON on its way to a terminal: characters that control a terminal, or the direction of writing, become escapes of JSON.

use crate::printing::json_escaped;

/// Bytes of a character that has not come to its end.
#[derive(Debug, Default)]
pub(super) struct TerminalJson {
    rest: Vec<u8>,
}

impl TerminalJson {
    /// Returns the text of these bytes, up to the last whole character. Bytes that are no UTF-8 are replaced.
    pub fn escape(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let end = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let text = json_escaped(&String::from_utf8_lossy(&self.rest[..end])).into_owned();
        self.rest.drain(..end);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_wherever_the_bytes_are_cut() {
        let text = "{\"name\":\"a\u{9b}31m\u{202e}\u{7f}ü\u{e0041}\"}\n";
        let escaped = "{\"name\":\"a\\u009b31m\\u202e\\u007fü\\udb40\\udc41\"}\n";
        for size in 1..text.len() {
            let mut terminal = TerminalJson::default();
            let found: String = text.as_bytes().chunks(size).map(|part| terminal.escape(part)).collect();
            assert_eq!(found, escaped, "{size}");
        }
        assert_eq!(serde_json::from_str::<serde_json::Value>(escaped).ok(), serde_json::from_str(text).ok());
        assert_eq!(TerminalJson::default().escape(b"a\x9b\xffb"), "a\u{fffd}\u{fffd}b");
    }
}
