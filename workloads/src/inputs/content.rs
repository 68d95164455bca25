//! Content of a file by which its format is detected.

use super::delimited;
use super::json_keys::JsonKeys;
use crate::encoding::Encoding;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// Bytes at the beginning of a file that are decoded.
const HEAD_BYTES: u64 = 64 << 10;
/// Maximum bytes of a text that are searched for a dump.
const SEARCHED_BYTES: u64 = taut_traces::MAX_TEXT_BYTES;
/// First bytes of a gzip stream (RFC 1952, section 2.3.1).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// First bytes of a trace (FORMAT.md).
const TRACE_MAGIC: &[u8] = b"\x89TAUT";
/// Keys and columns that a description names.
const NAMED: usize = 5;

/// Form of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Empty,
    /// Object, or lines of objects, of which the first counts.
    Object(JsonKeys),
    Array,
    /// Heading of a table.
    Delimited(Vec<String>),
    /// Keys and tables of the top level.
    Toml(Vec<String>),
    Text,
    Binary,
}

/// Form of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShapeKind {
    Json,
    Delimited,
    Toml,
}

/// Content of a file.
#[derive(Debug)]
pub(super) struct Content {
    /// First bytes, uncompressed.
    pub bytes: Vec<u8>,
    /// Text of `bytes`.
    pub head: String,
    pub shape: Shape,
    pub is_gzip: bool,
    pub is_unreadable_gzip: bool,
    /// True if a dump of an allocator was found inside a text.
    pub has_dump: bool,
}

impl Content {
    /// Reads the parts of a file that format detection needs.
    pub(super) fn read(path: &Path) -> io::Result<Content> {
        let mut bytes = Vec::new();
        let mut file = File::open(path)?;
        Read::by_ref(&mut file).take(HEAD_BYTES).read_to_end(&mut bytes)?;
        let is_gzip = bytes.starts_with(&GZIP_MAGIC);
        let mut is_unreadable_gzip = false;
        if is_gzip {
            let compressed = std::mem::take(&mut bytes);
            // Only the head of the stream is read, so an error after the first bytes is not damage of the file.
            let _ = MultiGzDecoder::new(&compressed[..]).take(HEAD_BYTES).read_to_end(&mut bytes);
            is_unreadable_gzip = bytes.is_empty();
        }
        let head = Encoding::decode_lossy(&bytes);
        let mut content = Content { bytes, head, shape: Shape::Empty, is_gzip, is_unreadable_gzip, has_dump: false };
        content.shape = content.find_shape()?;
        if let Shape::Object(keys) = &content.shape
            && !keys.is_whole
            && !is_gzip
        {
            content.shape = Shape::Object(JsonKeys::read(File::open(path)?, is_recognized)?);
        }
        let is_searched = match &content.shape {
            Shape::Text | Shape::Array | Shape::Toml(_) => !is_gzip,
            Shape::Delimited(columns) => !is_gzip && !delimited::is_of_presents(columns),
            Shape::Empty | Shape::Object(_) | Shape::Binary => false,
        };
        content.has_dump = is_searched && has_dump(path)?;
        Ok(content)
    }

    fn find_shape(&self) -> io::Result<Shape> {
        if self.bytes.is_empty() {
            return Ok(Shape::Empty);
        }
        let text = self.head.trim_start();
        if text.trim_end_matches('\0').trim().is_empty() && !self.bytes.contains(&0) {
            return Ok(Shape::Empty);
        }
        if text.starts_with('{') {
            return Ok(Shape::Object(JsonKeys::read(Cursor::new(&self.bytes), |_| false)?));
        }
        if is_binary(&self.head) {
            return Ok(Shape::Binary);
        }
        if is_array(text) {
            return Ok(Shape::Array);
        }
        let keys = toml_keys(text);
        if !keys.is_empty() {
            return Ok(Shape::Toml(keys));
        }
        let heading = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with(['#', '/']));
        let columns = delimited::columns(heading.unwrap_or_default());
        Ok(if columns.len() > 1 { Shape::Delimited(columns) } else { Shape::Text })
    }

    pub(super) fn has_key(&self, key: &str) -> bool {
        matches!(&self.shape, Shape::Object(found) if found.keys.iter().any(|found| found == key))
    }

    /// True if the text begins with rows of gfxrecon-convert. Files of single frames may lack the header.
    pub(super) fn is_of_gfxrecon(&self) -> bool {
        let has = |text: &str| self.head.contains(text);
        let is_row = |keys: &[String]| match keys.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["index", "annotation" | "function" | "method" | "meta"] => true,
            ["function" | "method" | "meta"] => has("\"args\""),
            ["state" | "frame"] => has("\"marker_type\""),
            _ => has("\"gfxrecon-version\"") && keys.iter().any(|key| key == "header"),
        };
        match &self.shape {
            Shape::Object(found) => is_row(&found.keys),
            // An array of rows, or messages of the tool before the first row.
            Shape::Array | Shape::Text | Shape::Toml(_) | Shape::Delimited(_) => {
                let is_call = has("\"method\"") && has("\"handle\"") || has("\"function\"") && has("\"thread\"");
                let starts = self.head.trim_start().starts_with('[');
                starts && (has("\"gfxrecon-version\"") || is_call && has("\"index\""))
            }
            Shape::Empty | Shape::Binary => false,
        }
    }

    /// Returns the columns of a table; none for other shapes.
    pub(super) fn columns(&self) -> Vec<String> {
        match &self.shape {
            Shape::Delimited(columns) => columns.clone(),
            _ => Vec::new(),
        }
    }

    /// Returns the keys and tables of TOML; none for other shapes.
    pub(super) fn toml_keys(&self) -> impl Iterator<Item = &str> {
        let keys: &[String] = if let Shape::Toml(keys) = &self.shape { keys } else { &[] };
        keys.iter().map(String::as_str)
    }

    /// Returns a description of the file, with article.
    pub(super) fn describe(&self) -> String {
        let gzip = if self.is_gzip { "a gzip stream of " } else { "" };
        let first = || self.head.trim_start().lines().next().unwrap_or_default().chars().take(40).collect::<String>();
        let found = match &self.shape {
            Shape::Empty => "nothing".to_owned(),
            Shape::Object(found) if found.keys.is_empty() => "a JSON object without keys".to_owned(),
            Shape::Object(found) => format!("a JSON object with the keys {}", named(&found.keys)),
            Shape::Array => "a JSON array".to_owned(),
            Shape::Delimited(columns) => format!("a table with the columns {}", named(columns)),
            Shape::Toml(keys) => format!("TOML with the keys {}", named(keys)),
            Shape::Text => format!("text that begins with \"{}\"", first().escape_debug()),
            Shape::Binary if self.bytes.starts_with(TRACE_MAGIC) => {
                "a trace, which `taut replay` and `taut analyze` read".to_owned()
            }
            Shape::Binary => {
                let first = &self.bytes[..self.bytes.len().min(8)];
                format!("binary data that begins with \"{}\"", first.escape_ascii())
            }
        };
        format!("{gzip}{found}")
    }
}

impl Shape {
    /// True if this may be a damaged document of the format `of`, whose reader can report a position: JSON that ends
    /// early, or any text for TOML, because only its keys identify TOML.
    pub(super) fn is_damaged(&self, of: ShapeKind) -> bool {
        match self {
            Shape::Object(found) => of == ShapeKind::Json && !found.is_whole,
            Shape::Toml(_) | Shape::Text | Shape::Delimited(_) => of == ShapeKind::Toml,
            Shape::Empty | Shape::Array | Shape::Binary => false,
        }
    }
}

/// True if the keys of an object decide its format, so that the rest need not be read.
fn is_recognized(keys: &[String]) -> bool {
    const DECISIVE: [&str; 5] = ["asset", "format", "General", "Runs", "traceEvents"];
    keys.iter().any(|key| DECISIVE.contains(&key.as_str()))
}

/// True if a text has control characters that no text has.
fn is_binary(head: &str) -> bool {
    let is_wrong =
        |letter: char| letter == char::REPLACEMENT_CHARACTER || letter.is_control() && !letter.is_whitespace();
    let mut first = head.chars().take(512);
    // The escape of terminal colors occurs in logs, and a zero ends a string.
    first.any(|letter| is_wrong(letter) && !['\u{1b}', '\0'].contains(&letter)) || head.starts_with('\0')
}

/// True if a text begins like a JSON array, not like a table of TOML or a log line with its time in brackets.
fn is_array(text: &str) -> bool {
    let Some(after) = text.strip_prefix('[').map(str::trim_start) else { return false };
    let after_number = after.trim_start_matches(|letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter));
    let is_number = after_number.len() < after.len() && after_number.trim_start().starts_with(',');
    is_number || after.starts_with(['{', ']', '"']) || after.starts_with('[') && !text.starts_with("[[")
}

/// Returns the keys and tables of a TOML text; none if its first line is of another form.
fn toml_keys(text: &str) -> Vec<String> {
    let is_key = |key: &str| {
        !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.\"".contains(letter))
    };
    let key = |line: &str| {
        let table =
            line.trim_start_matches('[').split(']').next().filter(|_| line.starts_with('[') && line.contains(']'));
        let name = table.or_else(|| line.split_once('=').map(|(key, _)| key)).map(str::trim);
        name.filter(|name| is_key(name)).map(str::to_owned)
    };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(first) = lines.next().and_then(key) else { return Vec::new() };
    let mut keys = vec![first];
    for key in lines.filter_map(key) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// True if a text contains a brace and, after it, the first key of an allocator's dump.
fn has_dump(path: &Path) -> io::Result<bool> {
    const KEY: &[u8] = b"\"General\"";
    let mut source = File::open(path)?.take(SEARCHED_BYTES);
    let mut block = vec![0; HEAD_BYTES as usize];
    // Number of matched bytes: the brace, then the bytes of the key.
    let mut matched = 0;
    loop {
        let bytes = source.read(&mut block)?;
        if bytes == 0 {
            return Ok(false);
        }
        // Zeros are the upper halves of UTF-16 units.
        for byte in block[..bytes].iter().copied().filter(|byte| *byte != 0) {
            matched = match byte {
                b'{' => 1,
                byte if matched == 1 && byte.is_ascii_whitespace() => 1,
                byte if matched > 0 && KEY[matched - 1] == byte => matched + 1,
                _ => 0,
            };
            if matched > KEY.len() {
                return Ok(true);
            }
        }
    }
}

/// Returns the first names in quotes, and the number of others.
fn named(names: &[String]) -> String {
    let quoted = names.iter().take(NAMED).map(|name| {
        let short: String = name.chars().take(40).collect();
        format!("`{}`", short.escape_debug())
    });
    let quoted = quoted.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => quoted,
        more => format!("{quoted} and {more} more"),
    }
}
