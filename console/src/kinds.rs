//! Guess of a file's kind from its first bytes, for messages about wrong inputs.

/// File kinds with their first bytes.
const KINDS: [(&[u8], &str); 21] = [
    (b"RDOC", "a RenderDoc capture, which no command reads"),
    (b"GFXR", "a GFXReconstruct capture; gfxrecon-convert --format jsonl converts it for `taut record`"),
    (b"\x89PNG\r\n\x1a\n", "a PNG"),
    (b"\xff\xd8\xff", "a JPEG"),
    (b"GIF8", "a GIF"),
    (b"DDS ", "a DDS texture"),
    (b"\xabKTX ", "a KTX texture"),
    (b"\x1f\x8b", "a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\0", "an xz file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF-", "a PDF"),
    (b"\x7fELF", "an ELF program"),
    (b"MZ", "a Windows program"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"glTF", "a GLB scene"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
];

/// Maximum number of bytes that [`begins_like`] reads.
pub(crate) const LOOKED_AT_BYTES: usize = 512;

/// Kind that a file's first bytes match; `None` if unknown.
pub(crate) fn begins_like(bytes: &[u8]) -> Option<&'static str> {
    let bytes = &bytes[..bytes.len().min(LOOKED_AT_BYTES)];
    if let Some((_, kind)) = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    let text = text(bytes)?.trim_start_matches('\u{feff}').trim_start();
    let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    Some(match text.chars().next() {
        Some('{') if text.contains("\"d3d12-calls\"") => "a call log; `taut record` takes it",
        Some('{') if text.contains("\"asset\"") => "a glTF scene; `taut record` takes it",
        Some('{' | '[') => "JSON",
        Some('<') if begins("<!doctype html") || begins("<html") => "HTML",
        Some('<') => "XML",
        _ => "text",
    })
}

/// Returns the bytes as text if they are text; a character cut off at the end is dropped.
fn text(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let is_text = |character: char| !character.is_control() || "\n\r\t\u{c}".contains(character);
    (!text.is_empty() && text.chars().all(is_text)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn common_kinds_are_known_by_their_first_bytes() {
        let kinds = [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], Some("a PNG")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", Some("a JPEG")),
            (b"\x1f\x8b\x08\0", Some("a gzip file")),
            (b"\xef\xbb\xbf  {\"a\": 1}", Some("JSON")),
            (b"{\"asset\": {\"version\": \"2.0\"}}", Some("a glTF scene; `taut record` takes it")),
            (b"<!DOCTYPE html><html>", Some("HTML")),
            (b"limits = []\n", Some("text")),
            (b"caf\xc3", Some("text")),
            (b"\x89TAUT", None),
            (b"", None),
            (b"\0\0\0\0", None),
        ];
        for (bytes, kind) in kinds {
            assert_eq!(begins_like(bytes), kind, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_looked_at(bytes in prop::collection::vec(any::<u8>(), 0..700), text in any::<String>()) {
            begins_like(&bytes);
            let printable = text.chars().all(|c| !c.is_control()) && !text.is_empty();
            prop_assert!(!printable || begins_like(text.as_bytes()).is_some(), "{text:?}");
        }
    }
}
