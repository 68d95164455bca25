//! Changes to a scene's JSON, so that the glTF parser accepts constructs that the specification permits.
//!
//! - `extras` may be any value, and animations may target properties that only extensions define. Both keys are renamed
//!   to unknown keys, which the parser ignores, because no memory depends on them.
//! - A whole number may be written `36.0`: the fraction becomes spaces.
//! - A scene may have no `nodes`: an empty list is inserted.
//!
//! All changes but the last keep the length of the text, so that positions in errors are positions in the file.

use std::borrow::Cow;

/// Text for the parser.
pub(super) struct LenientJson<'a> {
    pub text: Cow<'a, [u8]>,
    /// Positions in `text` after each insertion, with the inserted number of bytes.
    insertions: Vec<(usize, usize)>,
}

const NODES: &[u8] = b"\"nodes\":[]";
/// Depth of the keys of a scene: root, list of scenes, scene.
const SCENE_DEPTH: usize = 3;

/// Object or list that is open.
struct Open {
    is_object: bool,
    /// Key of the list or object in its parent.
    key: Vec<u8>,
    has_nodes: bool,
    is_empty: bool,
}

impl<'a> LenientJson<'a> {
    /// Applies the changes. A text that is not JSON is changed little or not at all; the parser reports it.
    pub(super) fn new(json: &'a [u8]) -> LenientJson<'a> {
        let mut editor = Editor { text: json.to_vec(), open: Vec::new(), key: Vec::new(), without_nodes: Vec::new() };
        editor.scan(json);
        let Editor { text, without_nodes, .. } = editor;
        if without_nodes.is_empty() {
            let text = if text == json { Cow::Borrowed(json) } else { Cow::Owned(text) };
            return LenientJson { text, insertions: Vec::new() };
        }
        let (mut longer, mut from, mut insertions) = (Vec::with_capacity(text.len()), 0, Vec::new());
        for (at, is_empty) in without_nodes {
            longer.extend_from_slice(&text[from..at]);
            let before = longer.len();
            if !is_empty {
                longer.push(b',');
            }
            longer.extend_from_slice(NODES);
            insertions.push((longer.len(), longer.len() - before));
            from = at;
        }
        longer.extend_from_slice(&text[from..]);
        LenientJson { text: Cow::Owned(longer), insertions }
    }

    /// Converts a line and column of the changed text, both from 1, to the line and column of the file.
    pub(super) fn position(&self, line: usize, column: usize) -> (usize, usize) {
        let lines = self.text.split_inclusive(|byte| *byte == b'\n');
        let begin = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum::<usize>();
        let inserted = self.insertions.iter().filter(|(end, _)| (begin..begin + column).contains(end));
        (line, column.saturating_sub(inserted.map(|(_, bytes)| bytes).sum()))
    }
}

struct Editor {
    text: Vec<u8>,
    open: Vec<Open>,
    /// String read last.
    key: Vec<u8>,
    /// Positions of the closing braces of scenes without nodes, and whether the scene is empty.
    without_nodes: Vec<(usize, bool)>,
}

impl Editor {
    fn scan(&mut self, json: &[u8]) {
        let mut at = 0;
        while let Some(byte) = json.get(at) {
            let begin = at;
            at += 1;
            match byte {
                b'{' | b'[' => {
                    self.set_not_empty();
                    let key = std::mem::take(&mut self.key);
                    self.open.push(Open { is_object: *byte == b'{', key, has_nodes: false, is_empty: true });
                }
                b'}' | b']' => self.close(begin),
                b'"' => {
                    self.set_not_empty();
                    at = end_of_string(json, at);
                    let content = json.get(begin + 1..at.saturating_sub(1)).unwrap_or_default();
                    let is_key =
                        json[at.min(json.len())..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                    self.key.clear();
                    if is_key && self.open.last().is_some_and(|open| open.is_object) {
                        self.key.extend_from_slice(content);
                        self.on_key(begin + 1);
                    }
                }
                b'-' | b'0'..=b'9' => {
                    self.set_not_empty();
                    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                    at += json[at..].iter().take_while(|byte| is_part(byte)).count();
                    self.on_number(begin, at);
                }
                _ => {}
            }
        }
    }

    fn set_not_empty(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.is_empty = false;
        }
    }

    /// Renames a key whose values are ignored.
    fn on_key(&mut self, begin: usize) {
        let is_ignored = match self.key.as_slice() {
            b"extras" => true,
            b"animations" => self.open.len() == 1,
            _ => false,
        };
        if is_ignored {
            self.text[begin] = b'~';
        }
        if self.key == b"nodes"
            && let Some(open) = self.open.last_mut()
        {
            open.has_nodes = true;
        }
    }

    /// Notes a scene without nodes at its closing brace.
    fn close(&mut self, at: usize) {
        let closed = self.open.pop();
        self.key.clear();
        let is_in_scenes =
            self.open.len() + 1 == SCENE_DEPTH && self.open.last().is_some_and(|open| open.key == b"scenes");
        if let Some(closed) = closed.filter(|closed| is_in_scenes && closed.is_object && !closed.has_nodes) {
            self.without_nodes.push((at, closed.is_empty));
        }
    }

    /// Rewrites a whole number that is written with a fraction or an exponent, if it is no longer then.
    fn on_number(&mut self, begin: usize, end: usize) {
        let written = &self.text[begin..end];
        if !written.iter().any(|byte| b".eE".contains(byte)) {
            return;
        }
        let value = std::str::from_utf8(written).ok().and_then(|text| text.parse::<f64>().ok());
        // Beyond 2^53 neighbouring whole numbers are the same value.
        let Some(value) = value.filter(|value| value.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(value))
        else {
            return;
        };
        let whole = (value as u64).to_string();
        if whole.len() <= end - begin {
            self.text[begin..end].fill(b' ');
            self.text[begin..begin + whole.len()].copy_from_slice(whole.as_bytes());
        }
    }
}

/// Returns the position after the closing quote of a string that begins at `at`.
fn end_of_string(json: &[u8], mut at: usize) -> usize {
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(json: &str) -> String {
        String::from_utf8(LenientJson::new(json.as_bytes()).text.into_owned()).unwrap()
    }

    #[test]
    fn ignored_keys_are_renamed_and_whole_numbers_are_written_as_such() {
        assert_eq!(changed(r#"{"extras": 5, "b": "extras"}"#), r#"{"~xtras": 5, "b": "extras"}"#);
        assert_eq!(
            changed(r#"{"animations": [], "a": {"animations": 1}}"#),
            r#"{"~nimations": [], "a": {"animations": 1}}"#
        );
        assert_eq!(changed("[36.0, 1.5, 2e2, 1.0e3, -1.0, 1e30]"), "[36  , 1.5, 200, 1000 , -1.0, 1e30]");
    }

    #[test]
    fn a_scene_without_nodes_gets_an_empty_list_and_positions_stay() {
        let json = "{\"scenes\": [{}, {\"name\": \"a\"}, {\"nodes\": [1]}], \"x\": {}}";
        let lenient = LenientJson::new(json.as_bytes());
        let text = String::from_utf8(lenient.text.to_vec()).unwrap();
        assert_eq!(text, "{\"scenes\": [{\"nodes\":[]}, {\"name\": \"a\",\"nodes\":[]}, {\"nodes\": [1]}], \"x\": {}}");
        for key in ["name", "\"x\""] {
            assert_eq!(lenient.position(1, text.find(key).unwrap() + 1), (1, json.find(key).unwrap() + 1), "{key}");
        }
    }
}
