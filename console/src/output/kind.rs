//! Kinds of outputs, and recognition of existing files of a kind.

use std::io::Read;
use std::path::Path;
use taut_traces::open_regular;

/// Number of bytes at the file's start that are examined.
const BEGINNING_BYTES: u64 = 1 << 14;

/// Kind of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Trace,
    /// An HTML page.
    Page,
    /// Markdown; this program's files begin with a comment that identifies them.
    Markdown,
    /// Text tables.
    Text,
    /// Comma-separated values.
    Csv,
    /// One JSON document: reports, or the rows of a query result.
    Json,
    /// A trace's records as JSON lines.
    Records,
    /// The changes of a what-if replay as JSON lines.
    Changes,
    Parquet,
    /// A Perfetto timeline.
    Perfetto,
    /// A Windows trace.
    Etl,
    /// JUnit XML.
    Junit,
    Manual,
    /// An SVG picture.
    Picture,
}

impl Kind {
    /// Name of the kind in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Trace => "a trace",
            Kind::Page => "a page",
            Kind::Markdown => "a report in Markdown",
            Kind::Text => "a table for people",
            Kind::Csv => "CSV",
            Kind::Json => "a JSON result",
            Kind::Records => "a trace's records as JSON lines",
            Kind::Changes => "the changes of a what-if replay",
            Kind::Parquet => "Parquet",
            Kind::Perfetto => "a timeline for Perfetto",
            Kind::Etl => "a Windows trace",
            Kind::Junit => "JUnit XML",
            Kind::Manual => "a manual page",
            Kind::Picture => "a picture as SVG",
        }
    }

    /// True if the kind is unsuitable for a terminal.
    pub fn is_binary(self) -> bool {
        matches!(self, Kind::Trace | Kind::Parquet | Kind::Perfetto | Kind::Etl)
    }

    /// Whether it is JSON, or lines of JSON.
    pub(super) fn is_json(self) -> bool {
        matches!(self, Kind::Json | Kind::Records | Kind::Changes)
    }

    /// True if the file at `path` is empty or of this kind.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_at(self, path: &Path) -> std::io::Result<bool> {
        let mut beginning = Vec::new();
        open_regular(path)?.take(BEGINNING_BYTES).read_to_end(&mut beginning)?;
        Ok(beginning.is_empty() || self.begins(&beginning, path))
    }

    fn begins(self, bytes: &[u8], path: &Path) -> bool {
        let text = text(bytes);
        let has = |words: &[&str]| text.is_some_and(|text| words.iter().all(|word| text.contains(word)));
        let starts = |start: &str| text.is_some_and(|text| text.starts_with(start));
        let named = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        match self {
            Kind::Trace => bytes.starts_with(taut_traces::MAGIC),
            Kind::Parquet => bytes.starts_with(b"PAR1"),
            Kind::Page => text
                .and_then(|text| text.trim_start().get(..14))
                .is_some_and(|t| t.eq_ignore_ascii_case("<!doctype html")),
            Kind::Markdown => starts("<!-- taut"),
            // The rule under a table's heading, which a user's own text files do not have.
            Kind::Text => has(&["──"]),
            Kind::Csv => starts("trace,report,figure,") || named("csv") && !starts("{") && !starts("<"),
            // An array holds a query's rows, or the reports of several traces.
            Kind::Json => starts("[\n") || starts("{\n") && has(&["\"file\":", "\"reports\":"]) || reports(text),
            Kind::Records => starts("{\"stamp\":") && has(&["\"opcode\":"]),
            Kind::Changes => starts("{\"resource\":") && has(&["\"recorded\":", "\"live\":"]),
            Kind::Perfetto => starts("{\"displayTimeUnit\":") || is_packet(bytes),
            Kind::Etl => is_own_windows_trace(bytes),
            Kind::Junit => starts("<?xml") && has(&["<testsuites"]),
            Kind::Picture => starts("<svg "),
            Kind::Manual => starts(".ie \\n(.g") && has(&[".TH "]),
        }
    }
}

/// Keys that a report document can begin with.
const REPORTS_BEGIN: [&str; 5] = ["baseline", "budget", "file", "health", "reports"];

fn reports(text: Option<&str>) -> bool {
    let begins = |key: &str| text.is_some_and(|text| text.starts_with(&format!("{{\n  \"{key}\":")));
    REPORTS_BEGIN.iter().any(|key| begins(key))
}

/// Returns the bytes as text, without a character cut off at the end; `None` if they are not text.
fn text(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}

/// Tags that a packet of a Perfetto trace may begin with, by their numbers in trace_packet.proto: clock_snapshot,
/// timestamp, trusted_packet_sequence_id, track_event, interned_data, sequence_flags, compressed_packets,
/// trace_packet_defaults, track_descriptor.
const PACKET_TAGS: [&[u8]; 9] =
    [&[0x32], &[0x40], &[0x50], &[0x5a], &[0x62], &[0x68], &[0x92, 0x03], &[0xda, 0x03], &[0xe2, 0x03]];

/// True if the bytes begin a Perfetto trace: field 1, a length, and a packet's field.
fn is_packet(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(&[0x0a]) else { return false };
    let length_bytes = rest.iter().take_while(|byte| **byte >= 0x80).count() + 1;
    let packet = rest.get(length_bytes..).unwrap_or_default();
    length_bytes <= 5 && PACKET_TAGS.iter().any(|tag| packet.starts_with(tag))
}

/// Name of the session of an exported Windows trace, in UTF-16, and its offset: behind the headers of the buffer and of
/// the first record, and the record's fields.
const WINDOWS_SESSION: &[u8; 18] = b"t\0a\0u\0t\0l\0i\0n\0e\0\0\0";
const WINDOWS_SESSION_OFFSET: usize = 0x180;
/// Version, type and marker of the first record, and their offset.
const WINDOWS_RECORD: &[u8; 4] = b"\x02\0\x02\xc0";
const WINDOWS_RECORD_OFFSET: usize = 0x48;

/// True if the bytes begin a Windows trace that this program exported. A capture of Windows has another session.
fn is_own_windows_trace(bytes: &[u8]) -> bool {
    let has = |offset: usize, part: &[u8]| bytes.get(offset..).is_some_and(|bytes| bytes.starts_with(part));
    has(WINDOWS_RECORD_OFFSET, WINDOWS_RECORD) && has(WINDOWS_SESSION_OFFSET, WINDOWS_SESSION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One beginning of each kind.
    const BEGINNINGS: [(Kind, &[u8]); 13] = [
        (Kind::Trace, b"\x89TAUT\r\n\x1a\0\0"),
        (Kind::Page, b"<!DOCTYPE html><html>"),
        (Kind::Markdown, b"<!-- taut analyze -->\n# Memory"),
        (Kind::Text, "heap  size\n──────────\n".as_bytes()),
        (Kind::Csv, b"trace,report,figure,value\n"),
        (Kind::Json, b"{\n  \"file\": \"a.taut\",\n  \"reports\": {}\n}\n"),
        (Kind::Records, b"{\"stamp\":1,\"thread\":0,\"event\":\"CreateDevice\",\"opcode\":\"start\"}\n"),
        (Kind::Changes, b"{\"resource\":3,\"name\":\"\",\"recorded\":{},\"live\":{}}\n"),
        (Kind::Parquet, b"PAR1\x15\x04"),
        (Kind::Perfetto, b"\x0a\x10\x40\x01\x50\x02"),
        (Kind::Etl, &windows_trace()),
        (Kind::Junit, b"<?xml version=\"1.0\"?>\n<testsuites>"),
        (Kind::Manual, b".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n.TH taut 1\n"),
    ];

    /// Beginning of an exported Windows trace.
    const fn windows_trace() -> [u8; 0x192] {
        let mut bytes = [0; 0x192];
        let mut at = 0;
        while at < WINDOWS_SESSION.len() {
            bytes[WINDOWS_SESSION_OFFSET + at] = WINDOWS_SESSION[at];
            at += 1;
        }
        at = 0;
        while at < WINDOWS_RECORD.len() {
            bytes[WINDOWS_RECORD_OFFSET + at] = WINDOWS_RECORD[at];
            at += 1;
        }
        bytes
    }

    /// Users' files, none of which may be mistaken for a result.
    const THEIRS: [&[u8]; 8] = [
        b"Buy milk, and call Anna.\n",
        b"# README\n\nHello\n",
        b"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[]}",
        b"{\"format\":\"d3d12-calls\",\"version\":1}\n",
        b"\x89PNG\r\n\x1a\n",
        b"name = \"mine\"\n",
        b"\nA note that begins with an empty line\n",
        b"<?xml version=\"1.0\"?><svg/>",
    ];

    #[test]
    fn every_kind_knows_its_own_and_no_other() {
        for (kind, _) in BEGINNINGS {
            for (other, bytes) in BEGINNINGS {
                assert_eq!(kind.begins(bytes, Path::new("x")), kind == other, "{kind:?} of {other:?}");
            }
            for bytes in THEIRS {
                assert!(!kind.begins(bytes, Path::new("x")), "{kind:?} of {:?}", String::from_utf8_lossy(bytes));
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_looked_at(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            for (kind, beginning) in BEGINNINGS {
                let _ = kind.begins(&bytes, Path::new("x.csv"));
                // Cut anywhere, including within a character.
                (0..beginning.len()).for_each(|end| {
                    let _ = kind.begins(&beginning[..end], Path::new("x"));
                });
            }
        }
    }
}
