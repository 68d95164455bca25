//! Views: derivation of a lake's tables from its files. Columns that follow from other columns of their row are not
//! stored, nor are tables whose rows other tables hold. `fleet/views.sql` defines the same views for other engines.

use super::derived::{Derivation, FIRST_STAMP, TICKS_PER_SECOND};
use crate::tables::{TABLES, TableColumn};
use polars::error::PolarsResult;
use polars::prelude::{Column, DataFrame, IntoColumn, NamedFrom, Series};

/// File with the records that are neither start nor stop of a call or DDI call.
pub(super) const OTHER_EVENTS: &str = "other_events";

/// Rows of a table, derived from one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub file: &'static str,
    /// Column that selects the rows: those in which it is not null.
    only: Option<&'static str>,
    /// Derived columns; the table's other columns are stored under their own names.
    derived: &'static [(&'static str, Derivation)],
    /// True if the table also has the file's columns that are not declared, such as the fields of calls; helper columns
    /// are excluded.
    with_others: bool,
}

/// Stored helper columns, which no table shows.
const HIDDEN: &[&str] = &["duration_ticks", FIRST_STAMP, TICKS_PER_SECOND];

const OF_CALLS: &[(&str, Derivation)] = &[
    ("stop_stamp", Derivation::Sum("start_stamp", "duration_ticks")),
    ("duration_ns", Derivation::Time("duration_ticks")),
];

const OF_RESOURCES: &[(&str, Derivation)] = &[
    ("created_ns", Derivation::TimeAt("created_stamp")),
    ("released_ns", Derivation::TimeAt("released_stamp")),
    ("lifetime_ns", Derivation::TimeBetween("created_stamp", "released_stamp")),
];

const OF_MEMORY: &[(&str, Derivation)] = &[("at_ns", Derivation::TimeAt("at_stamp"))];

const OF_PLACEMENTS: &[(&str, Derivation)] = &[
    ("end_bytes", Derivation::Sum("heap_offset_bytes", "size_bytes")),
    ("created_ns", Derivation::TimeAt("created_stamp")),
    ("released_ns", Derivation::TimeAt("released_stamp")),
];

/// Derived columns of the starts or stops of a layer's calls, as records.
macro_rules! records {
    ($layer:literal, start) => {
        &[
            ("stamp", Derivation::Stored("start_stamp")),
            ("layer", Derivation::Word($layer)),
            ("opcode", Derivation::Word("start")),
        ]
    };
    ($layer:literal, stop) => {
        &[
            ("stamp", Derivation::Sum("start_stamp", "duration_ticks")),
            ("code", Derivation::OneMore("code")),
            ("layer", Derivation::Word($layer)),
            ("opcode", Derivation::Word("stop")),
        ]
    };
}

impl View {
    /// The files that a table is derived from, with a view for each.
    pub fn all_of(table: &'static str) -> Vec<View> {
        let whole = |file, derived| View { file, only: None, derived, with_others: true };
        let some = |file, only, derived| View { file, only, derived, with_others: false };
        let stopped = Some("duration_ticks");
        match table {
            "calls" | "ddi_calls" => vec![whole(table, OF_CALLS)],
            "resources" => vec![whole(table, OF_RESOURCES)],
            "memory" => vec![whole(table, OF_MEMORY)],
            "placements" => vec![some("resources", Some("outlives_heap"), OF_PLACEMENTS)],
            "events" => vec![
                some("calls", None, records!("api", start)),
                some("calls", stopped, records!("api", stop)),
                some("ddi_calls", None, records!("ddi", start)),
                some("ddi_calls", stopped, records!("ddi", stop)),
                whole(OTHER_EVENTS, &[]),
            ],
            _ => vec![whole(table, &[])],
        }
    }

    /// True if only some rows of the file belong to the table.
    pub fn is_of_some(&self) -> bool {
        self.only.is_some()
    }

    /// Columns of the view over a file with the stored columns `stored`, in the order of the table.
    pub fn columns(&self, table: &str, stored: &[TableColumn]) -> Vec<TableColumn> {
        let declared = TABLES.iter().find(|known| known.name == table).map_or(&[][..], |table| table.columns);
        let has = |name: &str| stored.iter().find(|column| column.name == name);
        let mut columns: Vec<TableColumn> = Vec::with_capacity(stored.len() + self.derived.len());
        for column in declared {
            if self.derived.iter().any(|(name, _)| *name == column.name) {
                columns.push(TableColumn::new(column.name, column.kind, ""));
            } else {
                columns.extend(has(column.name).cloned());
            }
        }
        let is_new = |column: &&TableColumn| {
            let is_hidden = !self.derived.is_empty() && HIDDEN.contains(&column.name.as_str());
            !is_hidden && declared.iter().all(|known| known.name != column.name)
        };
        if self.with_others {
            columns.extend(stored.iter().filter(is_new).cloned());
        }
        columns
    }

    /// Stored columns needed to derive the wanted ones, as far as the file has them, and the column that selects the
    /// rows.
    pub fn needed(&self, wanted: &[String], stored: &[TableColumn]) -> Vec<String> {
        let derived = |name: &String| self.derived.iter().find(|(derived, _)| derived == name);
        let mut needed: Vec<String> = Vec::new();
        for name in wanted {
            match derived(name) {
                Some((_, derived)) => needed.extend(derived.sources().into_iter().map(ToOwned::to_owned)),
                None => needed.push(name.clone()),
            }
        }
        needed.extend(self.only.map(ToOwned::to_owned));
        needed.sort_unstable();
        needed.dedup();
        needed.retain(|name| stored.iter().any(|column| column.name == *name));
        needed
    }

    /// Derives the named columns from rows of the file.
    ///
    /// # Errors
    /// The file lacks a required column.
    pub fn make(&self, file: DataFrame, wanted: &[String]) -> PolarsResult<DataFrame> {
        let file = match self.only {
            Some(only) => file.filter(&file.column(only)?.is_not_null())?,
            None => file,
        };
        let mut columns: Vec<Column> = Vec::with_capacity(wanted.len());
        for name in wanted {
            match self.derived.iter().find(|(derived, _)| derived == name) {
                Some((name, derived)) => columns.push(derived.column(name, &file)?),
                None => columns.extend(file.column(name).ok().cloned()),
            }
        }
        DataFrame::new(file.height(), columns)
    }

    /// Columns of the table that must be computed to write the file.
    pub fn to_write(self, columns: Vec<TableColumn>) -> Vec<String> {
        let follows = |name: &str| {
            let derived = self.derived.iter().find(|(derived, _)| *derived == name);
            derived.is_some_and(|(_, derived)| !matches!(derived, Derivation::Sum(..) | Derivation::Stored(_)))
        };
        columns.into_iter().map(|column| column.name).filter(|name| !follows(name)).collect()
    }

    /// Converts rows of the table to rows of its file.
    ///
    /// # Errors
    /// A column is missing.
    pub fn stored(&self, mut rows: DataFrame, clock: Clock) -> PolarsResult<DataFrame> {
        for (name, derived) in self.derived {
            // The smaller term of the sum is stored instead of the sum: it compresses better.
            let Derivation::Sum(first, second) = derived else { continue };
            let both = rows.column(name)?.i64()?.iter().zip(rows.column(first)?.i64()?.iter());
            let differences: Vec<Option<i64>> = both.map(|(sum, first)| Some(sum?.wrapping_sub(first?))).collect();
            rows.drop_in_place(name)?;
            rows.with_column(Series::new((*second).into(), differences).into_column())?;
        }
        if self.derived.iter().any(|(_, derived)| derived.sources().contains(&TICKS_PER_SECOND)) {
            let height = rows.height();
            for (name, value) in [(FIRST_STAMP, clock.first_stamp), (TICKS_PER_SECOND, Some(clock.ticks_per_second))] {
                rows.with_column(Series::new(name.into(), vec![value; height]).into_column())?;
            }
        }
        Ok(rows)
    }
}

/// Parameters of the conversion from stamps to time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    /// The trace's first stamp.
    pub first_stamp: Option<i64>,
    /// Frequency of the clock; 0 if unknown.
    pub ticks_per_second: i64,
}

/// Files of each trace, in the order of writing: the file of `traces` comes last.
pub(super) fn files() -> impl DoubleEndedIterator<Item = &'static str> {
    let (last, others) = TABLES.split_last().map_or(("", TABLES), |(last, others)| (last.name, others));
    let own = others.iter().map(|table| table.name).filter(|name| !is_derived(name));
    own.chain([OTHER_EVENTS, last])
}

/// True if a table has no file, because other files hold its rows.
pub(super) fn is_derived(table: &str) -> bool {
    matches!(table, "events" | "placements")
}
