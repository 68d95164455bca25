//! What a lake knows of a trace that it has: enough to tell whether it is to be written again.

use crate::formats::Footer;
use crate::hash::hashed;
use crate::tables::TABLES;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use taut_analyze::Analysis;
use taut_traces::Trace;

/// What is said of a trace from outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Where it lies.
    pub path: String,
    /// Tags: keys, of which none comes twice, and values.
    pub tags: Vec<(String, String)>,
}

/// A trace that is in the lake, as the metadata of its row in `traces` has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Identity of the recording.
    recording: String,
    /// That identity is random: no other recording has it.
    is_one: bool,
    /// The tables it was written with.
    layout: String,
    path: String,
    tags: BTreeMap<String, String>,
    /// It could be read without damage.
    is_sound: bool,
}

/// Goes up when files are made otherwise: from 2 on, each has the sum of its bytes; from 3 on, what follows from others is left out.
const FILES: u32 = 3;

const RECORDING: &str = "tautline.recording";
const IS_ONE: &str = "tautline.one_recording";
const LAYOUT: &str = "tautline.tables";
const PATH: &str = "tautline.path";
const TAGS: &str = "tautline.tags";
const IS_SOUND: &str = "tautline.sound";

impl Entry {
    /// That of a trace whose tables were made.
    pub fn of(analysis: &Analysis, told: &Told) -> Entry {
        let identity = &analysis.trace().header().identity;
        Entry {
            recording: identity.id.clone(),
            is_one: identity.recording.is_some(),
            layout: layout(),
            path: told.path.clone(),
            tags: told.tags.iter().cloned().collect(),
            is_sound: analysis.damage_met().is_empty(),
        }
    }

    /// That in a file; none if there is no file, or one that is damaged or not of a lake.
    pub fn read(mark: &Path) -> Option<Entry> {
        let file = File::open(mark).ok()?;
        // One without a sum may be of another version, which is told.
        if Footer::of(&file).ok()? == Footer::Damaged {
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

    /// Whether this build would write the same tables.
    pub fn is_of_this_build(&self) -> bool {
        self.layout == layout()
    }

    /// Whether the trace could be read without damage.
    pub fn is_sound(&self) -> bool {
        self.is_sound
    }

    /// As metadata of a file.
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

    /// Whether writing the trace again would change nothing. One with damage is written again: it may be another copy.
    pub fn is_of(&self, trace: &Trace, told: &Told) -> bool {
        let tags = told.tags.iter().cloned().collect::<BTreeMap<_, _>>();
        self.is_sound
            && self.recording == trace.header().identity.id
            && self.is_of_this_build()
            && (tags.is_empty() || tags == self.tags)
    }

    /// Whether `before` is the same recording as it was before. Identities that follow from the header are shared by recordings that
    /// begin alike: there the path must agree too.
    pub fn replaces(&self, before: &Entry) -> bool {
        let is_named = !self.recording.is_empty() && self.recording == before.recording;
        is_named && (self.is_one || self.path == before.path)
    }
}

/// What follows from the tables' names and columns, how files are made, and the version that fills them.
pub(crate) fn layout() -> String {
    let columns = |table: &crate::tables::Table| {
        let columns = table.columns.iter().map(|column| format!(" {}:{}", column.name, column.kind.name()));
        format!("{}{};", table.name, columns.collect::<String>())
    };
    let text: String = TABLES.iter().map(columns).collect();
    let hash = hashed(&text);
    format!("{}-{FILES}-{hash:016x}", env!("CARGO_PKG_VERSION"))
}
