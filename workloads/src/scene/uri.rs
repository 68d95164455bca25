//! URIs in glTF: data in the URI itself, or a path relative to the scene's folder.

use std::path::PathBuf;

/// Target of a URI.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UriTarget {
    /// Data in the URI.
    Data(Vec<u8>),
    /// File, by its path relative to the scene's folder.
    File(PathBuf),
    /// Location on another machine, or an invalid URI.
    Unavailable,
}

/// Resolves a URI; of data, at most the first `max_bytes` are decoded.
pub(super) fn resolve(uri: &str, max_bytes: usize) -> UriTarget {
    if let Some(data) = uri.strip_prefix("data:") {
        let bytes = data.split_once(";base64,").and_then(|(_, text)| from_base64(text, max_bytes));
        return bytes.map_or(UriTarget::Unavailable, UriTarget::Data);
    }
    // A relative path may contain a colon only after its first slash (RFC 3986, 4.2).
    let has_scheme = uri.split('/').next().is_some_and(|first| first.contains(':'));
    match percent_decoded(uri) {
        Some(path) if !has_scheme && !path.is_empty() && !path.starts_with(['/', '\\']) => {
            UriTarget::File(PathBuf::from(path))
        }
        _ => UriTarget::Unavailable,
    }
}

/// Decodes percent-encoding (`%20`); `None` if the result is not UTF-8.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match digits {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Decodes the first `max_bytes` bytes of base64 text (RFC 4648, 4); `None` if it is invalid.
fn from_base64(text: &str, max_bytes: usize) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(max_bytes.min(text.len()));
    for group in text.chunks(4) {
        let mut word = 0_u32;
        for digit in group {
            word = word << 6 | base64_digit(*digit)?;
        }
        let word = word << (6 * (4 - group.len()));
        bytes.extend_from_slice(&word.to_be_bytes()[1..group.len()]);
        if bytes.len() >= max_bytes {
            break;
        }
    }
    bytes.truncate(max_bytes);
    Some(bytes)
}

fn base64_digit(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_gives_the_published_bytes() {
        // RFC 4648, 10.
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(from_base64(text, 100).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(from_base64("Zm9vYmFy", 4).as_deref(), Some(b"foob".as_slice()));
        assert_eq!(from_base64("Zm9v*", 100), None);
        assert_eq!(from_base64("Z", 100), Some(Vec::new()));
    }

    #[test]
    fn a_uri_names_data_or_a_file_in_the_folder_of_the_scene() {
        assert_eq!(resolve("wood%20%C3%A9.png", 9), UriTarget::File("wood é.png".into()));
        assert_eq!(resolve("../100%", 9), UriTarget::File("../100%".into()));
        assert_eq!(resolve("data:image/png;base64,Zm9v", 9), UriTarget::Data(b"foo".to_vec()));
        for elsewhere in ["data:image/png,foo", "https://example.com/a.png", "/etc/passwd", "C:/a.png", "", "%ff"] {
            assert_eq!(resolve(elsewhere, 9), UriTarget::Unavailable, "{elsewhere}");
        }
    }
}
