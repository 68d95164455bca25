//! Where in a JSON text a line and column are, as a path of keys.

/// An object or list that is open at a place of a text.
enum Open {
    /// An object, and its key before the place.
    Object(String),
    /// A list, and the elements before the place.
    List(usize),
}

/// The path to the value at a line and column, both from 1, such as `bufferViews[12].byteLength`; empty for the whole text.
/// With `inside` false the value is the object that ends there.
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
    }
    path
}

/// What is open behind a beginning of a text, outermost first.
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

/// Bytes of a text before its closing quote; all that is left if there is none.
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
    fn a_place_is_told_by_its_keys() {
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
