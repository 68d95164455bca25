//! Lake entry of a trace: the metadata that decides whether the trace has to be exported again.

use crate::hash::hashed;
use crate::tables::TABLES;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use std::collections::BTreeMap;
use std::path::Path;
use taut_analyze::Analysis;
use taut_console::parquet_footer::Footer;
use taut_traces::{Trace, open_regular};

/// Information about a trace that comes from the exporting command, not from the trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceSource {
    /// Path of the trace.
    pub path: String,
    /// Tags: unique keys, and values.
    pub tags: Vec<(String, String)>,
}

/// Entry of a trace, as stored in the metadata of its file in `traces`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Identity of the recording.
    recording: String,
    /// True if the identity is random, so that no other recording has it.
    is_one: bool,
    /// Layout of the tables that were written, see [`layout`].
    layout: String,
    path: String,
    tags: BTreeMap<String, String>,
    /// True if the trace was read without damage.
    is_sound: bool,
}

/// Version of the file format within a lake: 2 added checksums, 3 leaves out derivable columns. Without an increment,
/// existing files of the old format would count as current.
const FILES: u32 = 3;

const RECORDING: &str = "tautline.recording";
const IS_ONE: &str = "tautline.one_recording";
const LAYOUT: &str = "tautline.tables";
const PATH: &str = "tautline.path";
const TAGS: &str = "tautline.tags";
const IS_SOUND: &str = "tautline.sound";

impl Entry {
    /// Entry for a trace whose tables were computed.
    pub fn new(analysis: &Analysis, source: &TraceSource) -> Entry {
        let identity = &analysis.trace().header().identity;
        Entry {
            recording: identity.id.clone(),
            is_one: identity.recording.is_some(),
            layout: layout(),
            path: source.path.clone(),
            tags: source.tags.iter().cloned().collect(),
            is_sound: analysis.damage_met().is_empty(),
        }
    }

    /// Reads the entry from a file; `None` if the file does not exist, is damaged, or is not part of a lake.
    pub fn read(mark: &Path) -> Option<Entry> {
        let file = open_regular(mark).ok()?;
        // A file without checksum may be of another version, which the caller reports as such.
        if Footer::verify(&file).ok()? == Footer::Damaged {
            return None;
        }
        let mut reader = ParquetReader::new(file);
        let metadata = reader.get_metadata().ok()?;
        let pairs = metadata.key_value_metadata().iter().flatten();
        let mut keys: BTreeMap<String, String> =
            pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect();
        let mut take = |key: &str| keys.remove(key);
        Some(Entry {
            recording: take(RECORDING)?,
            is_one: take(IS_ONE)? == "true",
            layout: take(LAYOUT)?,
            path: take(PATH)?,
            tags: serde_json::from_str(&take(TAGS)?).ok()?,
            is_sound: take(IS_SOUND)? == "true",
        })
    }

    /// True if this build would write the same tables.
    pub fn is_of_this_build(&self) -> bool {
        self.layout == layout()
    }

    /// True if the trace was read without damage.
    pub fn is_sound(&self) -> bool {
        self.is_sound
    }

    /// Returns the entry as key-value metadata.
    pub fn keys(&self) -> Vec<(String, String)> {
        let tags = serde_json::json!(self.tags).to_string();
        let pairs = [
            (RECORDING, self.recording.clone()),
            (IS_ONE, self.is_one.to_string()),
            (LAYOUT, self.layout.clone()),
            (PATH, self.path.clone()),
            (TAGS, tags),
            (IS_SOUND, self.is_sound.to_string()),
        ];
        pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// True if exporting the trace again would change nothing. A damaged trace is always exported again: the file may
    /// be a better copy.
    pub fn is_of(&self, trace: &Trace, source: &TraceSource) -> bool {
        let tags = source.tags.iter().cloned().collect::<BTreeMap<_, _>>();
        self.is_sound
            && self.recording == trace.header().identity.id
            && self.is_of_this_build()
            && (tags.is_empty() || tags == self.tags)
    }

    /// True if `before` is an earlier state of the same recording. Identities derived from the header are shared by
    /// recordings with equal headers: for those the path must agree too.
    pub fn replaces(&self, before: &Entry) -> bool {
        let is_named = !self.recording.is_empty() && self.recording == before.recording;
        is_named && (self.is_one || self.path == before.path)
    }
}

/// Fingerprint of the tables' names and columns, the file format version, and the program version.
pub(crate) fn layout() -> String {
    let columns = |table: &crate::tables::Table| {
        let columns = table.columns.iter().map(|column| format!(" {}:{}", column.name, column.kind.name()));
        format!("{}{};", table.name, columns.collect::<String>())
    };
    let text: String = TABLES.iter().map(columns).collect();
    let hash = hashed(&text);
    format!("{}-{FILES}-{hash:016x}", env!("CARGO_PKG_VERSION"))
}
