//! JSON of CapFrameX: `Runs`, each with the columns of its capture as lists in `CaptureData`.

use super::columns::Columns;
use super::error::{PresentLogError, PresentLogFault};
use super::log::{Collector, PresentReading};
use super::row_reader::{FileDefaults, RowReader};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};
use taut_traces::MAX_TEXT_BYTES;

/// Number of entries by which the unit of times is found.
const SAMPLE_ROWS: usize = 256;
const ACCEPTED: &str = "the JSON of CapFrameX, with Runs and in each CaptureData";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Document {
    #[serde(default)]
    info: Info,
    runs: Vec<Run>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Info {
    #[serde(default)]
    process_name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Run {
    capture_data: Lists,
}

/// Lists of the columns that are read, by name; others are skipped.
struct Lists(BTreeMap<String, Value>);

impl<'de> Deserialize<'de> for Lists {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lists, D::Error> {
        deserializer.deserialize_map(ListsVisitor)
    }
}

struct ListsVisitor;

impl<'de> Visitor<'de> for ListsVisitor {
    type Value = Lists;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with lists")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Lists, A::Error> {
        let mut lists = BTreeMap::new();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            if Columns::is_read(&name) {
                lists.insert(name.into_owned(), map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Lists(lists))
    }
}

/// Reads a document. Its runs follow each other; each begins at its own time 0, so it is a swap chain of its own.
pub(super) fn read(input: impl Read, origin: &str) -> Result<PresentReading, PresentLogError> {
    let unreadable = |source| PresentLogError::Read { origin: origin.to_owned(), source };
    let mut text = String::new();
    if input.take(MAX_TEXT_BYTES + 1).read_to_string(&mut text).map_err(unreadable)? as u64 > MAX_TEXT_BYTES {
        return Err(unreadable(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 64 MiB")));
    }
    // A program's string may end with a zero.
    let text = text.trim_end_matches(['\0', '\r', '\n', ' ']);
    let document: Document = serde_json::from_str(text).map_err(|error| PresentLogFault {
        origin: origin.to_owned(),
        line: error.line() as u64,
        column: error.column() as u64,
        expected: ACCEPTED.to_owned(),
        found: error.to_string(),
    })?;
    let mut collector = Collector::new(origin);
    for (number, run) in document.runs.into_iter().enumerate() {
        let defaults = FileDefaults {
            application: document.info.process_name.clone().unwrap_or_default(),
            swap_chain: format!("run {}", number + 1),
        };
        read_run(run, defaults, origin, &mut collector)?;
    }
    Ok(collector.finish())
}

/// Reads a run. In errors, the line is the number of the entry and the column is the number of the list.
fn read_run(
    run: Run,
    defaults: FileDefaults,
    origin: &str,
    collector: &mut Collector<'_>,
) -> Result<(), PresentLogFault> {
    let lists = run.capture_data.0.into_iter().filter_map(|(name, list)| match list {
        Value::Array(list) if !list.is_empty() => Some((name, list)),
        _ => None,
    });
    let lists: Vec<(String, Vec<Value>)> = lists.collect();
    let names: Vec<&str> = lists.iter().map(|(name, _)| name.as_str()).collect();
    let columns = Columns::new(&names).map_err(|(column, expected, found)| {
        let (origin, column) = (origin.to_owned(), column as u64);
        PresentLogFault { origin, line: 1, column, expected, found }
    })?;
    let entries = lists.iter().map(|(_, list)| list.len()).max().unwrap_or(0);
    let row = |entry: usize| -> Vec<String> {
        let cell = |(_, list): &(String, Vec<Value>)| match list.get(entry) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(value) => value.to_string(),
        };
        lists.iter().map(cell).collect()
    };
    let mut reader = RowReader::new(columns, defaults);
    let sample: Vec<Vec<String>> = (0..entries.min(SAMPLE_ROWS)).map(row).collect();
    reader.find_unit(&sample.iter().map(Vec::as_slice).collect::<Vec<_>>());
    for (line, entry) in (1..).zip(0..entries) {
        let cells = row(entry);
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        collector.add(line, reader.read(cells.as_slice(), line));
    }
    Ok(())
}
