//! The file `other_events`: records that no other file of a lake holds, that is, those that are neither the start nor
//! the stop of a call or DDI call in its table.

use crate::error::TableError;
use crate::tables::{Classes, SelectedClasses, TABLES, Table, Take, table};
use polars::error::PolarsResult;
use polars::prelude::{BooleanChunked, DataFrame, Int64Chunked, NewChunkedArray};
use std::collections::HashMap;
use std::ops::ControlFlow;
use taut_analyze::Analysis;

/// Number of records per code that the files of calls hold.
#[derive(Debug, Default)]
pub(super) struct Joined(HashMap<i64, u64>);

/// Key of a record: thread, code, stamp.
type Key = (Option<i64>, i64, Option<i64>);

impl Joined {
    /// Counts rows of `calls` or `ddi_calls` as they are written.
    ///
    /// # Errors
    /// A column is missing.
    pub fn count(&mut self, rows: &DataFrame) -> PolarsResult<()> {
        for (code, duration) in rows.column("code")?.i64()?.iter().zip(rows.column("duration_ticks")?.i64()?.iter()) {
            let Some(code) = code else { continue };
            *self.0.entry(code).or_default() += 1;
            if duration.is_some() {
                // The code of a stop is that of its start plus one.
                *self.0.entry(code + 1).or_default() += 1;
            }
        }
        Ok(())
    }

    /// Passes the remaining records to `take` in chunks, at least one.
    ///
    /// # Errors
    /// A table cannot be computed from this trace, or `take` failed.
    pub fn others(&self, analysis: &Analysis, take: &mut Take<'_>) -> Result<(), TableError> {
        let classes = Classes::read(analysis);
        let mut records = HashMap::<i64, u64>::new();
        for (code, count) in classes.blocks().iter().flat_map(|(_, codes)| codes) {
            *records.entry(i64::from(code.0)).or_default() += u64::from(*count);
        }
        let is_whole = |code: i64| self.0.get(&code).is_some_and(|joined| records.get(&code) == Some(joined));
        let selection =
            classes.blocks().iter().flat_map(|(_, codes)| codes).map(|(code, _)| !is_whole(i64::from(code.0)));
        let selection: Vec<bool> = selection.collect();
        // For calls with lost starts or stops, only some records of the code are in the files: those have to be looked
        // up one by one.
        let in_part = |code: &i64| self.0.contains_key(code) && !is_whole(*code);
        let mut known = if records.keys().any(in_part) { keys(analysis, &in_part)? } else { HashMap::new() };
        let all: Vec<String> = table("events")?.columns.iter().map(|column| column.name.to_owned()).collect();
        let selected = SelectedClasses { classes: &classes, selection: Some(&selection) };
        table("events")?.selected_parts(analysis, Some(&all), Some(selected), &Ok, &mut |part| {
            take(if known.is_empty() { part } else { without(part, &mut known)? })
        })
    }
}

/// Counts the records of the selected codes that the tables of calls hold.
fn keys(analysis: &Analysis, is_selected: &dyn Fn(&i64) -> bool) -> Result<HashMap<Key, u32>, TableError> {
    let wanted = ["thread", "start_stamp", "stop_stamp", "code"].map(ToOwned::to_owned);
    let mut parts = Vec::new();
    for table in TABLES.iter().filter(|table: &&Table| table.fields_of.is_some()) {
        table.parts(analysis, Some(&wanted), &Ok, &mut |part| {
            parts.push(part);
            Ok(ControlFlow::Continue(()))
        })?;
    }
    let mut keys = HashMap::<Key, u32>::new();
    for part in parts {
        let [thread, start, stop, code] = columns(&part, ["thread", "start_stamp", "stop_stamp", "code"])?;
        for (((thread, start), stop), code) in thread.iter().zip(start.iter()).zip(stop.iter()).zip(code.iter()) {
            let Some(code) = code else { continue };
            if is_selected(&code) {
                *keys.entry((thread, code, start)).or_default() += 1;
            }
            if stop.is_some() && is_selected(&(code + 1)) {
                *keys.entry((thread, code + 1, stop)).or_default() += 1;
            }
        }
    }
    Ok(keys)
}

fn columns<'a, const N: usize>(part: &'a DataFrame, names: [&str; N]) -> PolarsResult<[&'a Int64Chunked; N]> {
    let found: Vec<&Int64Chunked> =
        names.iter().map(|name| part.column(name)?.i64()).collect::<PolarsResult<Vec<_>>>()?;
    found.try_into().map_err(|_| polars::error::PolarsError::NoData("columns".into()))
}

/// Removes known records, each as often as it is known.
fn without(part: DataFrame, known: &mut HashMap<Key, u32>) -> PolarsResult<DataFrame> {
    let [thread, code, stamp] = columns(&part, ["thread", "code", "stamp"])?;
    let mut is_new = |key: Key| match known.get_mut(&key) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    let rows = thread.iter().zip(code.iter()).zip(stamp.iter());
    let selection: Vec<bool> =
        rows.map(|((thread, code), stamp)| is_new((thread, code.unwrap_or(-1), stamp))).collect();
    part.filter(&BooleanChunked::from_slice("".into(), &selection))
}
