//! Conversion of a line and column in a JSON text to a path of keys.

/// Size in bytes from which on a path is cut.
const MAX_PATH_BYTES: usize = 512;

/// Object or list that is open at a position of a text.
enum Open {
    /// Object, with its last key before the position.
    Object(String),
    /// List, with the number of elements before the position.
    List(usize),
}

/// Returns the path to the value at a line and column, both from 1, such as `bufferViews[12].byteLength`; empty for the
/// whole text. If `inside` is false, the value is the object that ends at the position.
pub(super) fn path_at(text: &[u8], (line, column): (usize, usize), inside: bool) -> String {
    let begin =
        text.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum::<usize>();
    let end = (begin + column.saturating_sub(1)).min(text.len());
    let mut open = open_at(&text[..end]);
    if !inside && let Some(Open::Object(key)) = open.last_mut() {
        key.clear();
    }
    let mut path = String::new();
    for part in open {
        match part {
            Open::Object(key) if key.is_empty() => {}
            Open::Object(key) if path.is_empty() => path = key,
            Open::Object(key) => path += &format!(".{key}"),
            Open::List(index) => path += &format!("[{index}]"),
        }
        // A deep path is cut, so that it stays a part of a message.
        if path.len() > MAX_PATH_BYTES {
            return path + "…";
        }
    }
    path
}

/// Returns the objects and lists that are open at the end of `text`, outermost first.
fn open_at(text: &[u8]) -> Vec<Open> {
    let (mut open, mut last_text) = (Vec::new(), String::new());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' => open.push(Open::Object(String::new())),
            b'[' => open.push(Open::List(0)),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                let length = text_length(&text[at..]);
                last_text = String::from_utf8_lossy(&text[at..at + length]).into_owned();
                at = (at + length + 1).min(text.len());
            }
            b':' => {
                if let Some(Open::Object(key)) = open.last_mut() {
                    key.clone_from(&last_text);
                }
            }
            b',' => {
                if let Some(Open::List(index)) = open.last_mut() {
                    *index += 1;
                }
            }
            _ => {}
        }
    }
    open
}

/// Returns the number of bytes before a text's closing quote, or all remaining bytes if there is none.
fn text_length(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"{\n \"views\": [{\"a\": 1}, {\"a\": 2,\n  \"size\": \"600\"}],\n \"{\\\"\": true\n}";

    #[test]
    fn a_position_has_a_path_of_keys() {
        assert_eq!(path_at(TEXT, (3, 15), true), "views[1].size");
        assert_eq!(path_at(TEXT, (2, 19), true), "views[0].a");
        assert_eq!(path_at(TEXT, (3, 16), false), "views[1]");
        assert_eq!(path_at(TEXT, (4, 10), true), "{\\\"");
        assert_eq!((path_at(TEXT, (1, 0), true), path_at(b"", (1, 0), true)), (String::new(), String::new()));
    }

    #[test]
    fn any_place_of_any_text_is_taken() {
        for line in 0..7 {
            for column in 0..30 {
                path_at(TEXT, (line, column), true);
                path_at(b"]]}\"\\", (line, column), false);
            }
        }
    }
}
