//! How the tables of a lake are made of its files. What follows from other columns of its row stands in no file, nor does a table
//! whose rows are those of others: `fleet/views.sql` says the same to other engines.

use super::made::{FIRST_STAMP, Made, TICKS_PER_SECOND};
use crate::tables::{TABLES, TableColumn};
use polars::error::PolarsResult;
use polars::prelude::{Column, DataFrame, IntoColumn, NamedFrom, Series};

/// The file with the records that are neither start nor stop of a call or DDI call.
pub(super) const OTHER_EVENTS: &str = "other_events";

/// Rows of a table, as one file has them.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// The file.
    pub file: &'static str,
    /// Only those rows count in which this is not null.
    only: Option<&'static str>,
    /// Columns that are made; the table's others are the file's of the same name.
    made: &'static [(&'static str, Made)],
    /// The file's columns that no table has are the table's too, like the fields of calls; but for those that others are made of.
    with_others: bool,
}

/// The columns of files that no table has.
const HIDDEN: &[&str] = &["duration_ticks", FIRST_STAMP, TICKS_PER_SECOND];

const OF_CALLS: &[(&str, Made)] =
    &[("stop_stamp", Made::Sum("start_stamp", "duration_ticks")), ("duration_ns", Made::Time("duration_ticks"))];

const OF_RESOURCES: &[(&str, Made)] = &[
    ("created_ns", Made::TimeAt("created_stamp")),
    ("released_ns", Made::TimeAt("released_stamp")),
    ("lifetime_ns", Made::TimeBetween("created_stamp", "released_stamp")),
];

const OF_MEMORY: &[(&str, Made)] = &[("at_ns", Made::TimeAt("at_stamp"))];

const OF_PLACEMENTS: &[(&str, Made)] = &[
    ("end_bytes", Made::Sum("heap_offset_bytes", "size_bytes")),
    ("created_ns", Made::TimeAt("created_stamp")),
    ("released_ns", Made::TimeAt("released_stamp")),
];

/// Starts or stops of the calls of a layer, as records.
macro_rules! records {
    ($layer:literal, start) => {
        &[("stamp", Made::Stored("start_stamp")), ("layer", Made::Word($layer)), ("opcode", Made::Word("start"))]
    };
    ($layer:literal, stop) => {
        &[
            ("stamp", Made::Sum("start_stamp", "duration_ticks")),
            ("code", Made::OneMore("code")),
            ("layer", Made::Word($layer)),
            ("opcode", Made::Word("stop")),
        ]
    };
}

impl View {
    /// The files that a table is made of: of each these rows.
    pub fn all_of(table: &'static str) -> Vec<View> {
        let whole = |file, made| View { file, only: None, made, with_others: true };
        let some = |file, only, made| View { file, only, made, with_others: false };
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

    /// Whether not all rows of the file count.
    pub fn is_of_some(&self) -> bool {
        self.only.is_some()
    }

    /// Its columns of a file that has these, in the order of the table.
    pub fn columns(&self, table: &str, stored: &[TableColumn]) -> Vec<TableColumn> {
        let said = TABLES.iter().find(|known| known.name == table).map_or(&[][..], |table| table.columns);
        let has = |name: &str| stored.iter().find(|column| column.name == name);
        let mut columns: Vec<TableColumn> = Vec::with_capacity(stored.len() + self.made.len());
        for column in said {
            if self.made.iter().any(|(name, _)| *name == column.name) {
                columns.push(TableColumn::new(column.name, column.kind, ""));
            } else {
                columns.extend(has(column.name).cloned());
            }
        }
        let is_new = |column: &&TableColumn| {
            let is_hidden = !self.made.is_empty() && HIDDEN.contains(&column.name.as_str());
            !is_hidden && said.iter().all(|known| known.name != column.name)
        };
        if self.with_others {
            columns.extend(stored.iter().filter(is_new).cloned());
        }
        columns
    }

    /// The columns of the file that these are made of, those among them that it has; and that which says which rows count.
    pub fn needed(&self, wanted: &[String], stored: &[TableColumn]) -> Vec<String> {
        let made = |name: &String| self.made.iter().find(|(made, _)| made == name);
        let mut needed: Vec<String> = Vec::new();
        for name in wanted {
            match made(name) {
                Some((_, made)) => needed.extend(made.sources().into_iter().map(ToOwned::to_owned)),
                None => needed.push(name.clone()),
            }
        }
        needed.extend(self.only.map(ToOwned::to_owned));
        needed.sort_unstable();
        needed.dedup();
        needed.retain(|name| stored.iter().any(|column| column.name == *name));
        needed
    }

    /// The columns named, of rows of the file.
    ///
    /// # Errors
    /// The file lacks a column that it must have.
    pub fn make(&self, file: DataFrame, wanted: &[String]) -> PolarsResult<DataFrame> {
        let file = match self.only {
            Some(only) => file.filter(&file.column(only)?.is_not_null())?,
            None => file,
        };
        let mut columns: Vec<Column> = Vec::with_capacity(wanted.len());
        for name in wanted {
            match self.made.iter().find(|(made, _)| made == name) {
                Some((name, made)) => columns.push(made.column(name, &file)?),
                None => columns.extend(file.column(name).ok().cloned()),
            }
        }
        DataFrame::new(file.height(), columns)
    }

    /// Which of a table's columns have to be made to write its own file.
    pub fn to_write(self, columns: Vec<TableColumn>) -> Vec<String> {
        let follows = |name: &str| {
            let made = self.made.iter().find(|(made, _)| *made == name);
            made.is_some_and(|(_, made)| !matches!(made, Made::Sum(..) | Made::Stored(_)))
        };
        columns.into_iter().map(|column| column.name).filter(|name| !follows(name)).collect()
    }

    /// Rows of a table as its own file has them.
    ///
    /// # Errors
    /// A column is not there.
    pub fn stored(&self, mut rows: DataFrame, clock: Clock) -> PolarsResult<DataFrame> {
        for (name, made) in self.made {
            // Of a sum the second is kept, which is small.
            let Made::Sum(first, second) = made else { continue };
            let both = rows.column(name)?.i64()?.iter().zip(rows.column(first)?.i64()?.iter());
            let differences: Vec<Option<i64>> = both.map(|(sum, first)| Some(sum?.wrapping_sub(first?))).collect();
            rows.drop_in_place(name)?;
            rows.with_column(Series::new((*second).into(), differences).into_column())?;
        }
        if self.made.iter().any(|(_, made)| made.sources().contains(&TICKS_PER_SECOND)) {
            let height = rows.height();
            for (name, value) in [(FIRST_STAMP, clock.first_stamp), (TICKS_PER_SECOND, Some(clock.ticks_per_second))] {
                rows.with_column(Series::new(name.into(), vec![value; height]).into_column())?;
            }
        }
        Ok(rows)
    }
}

/// What times are reckoned by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    /// The trace's first stamp.
    pub first_stamp: Option<i64>,
    /// 0 where it is not known.
    pub ticks_per_second: i64,
}

/// The files of each trace, in the order of writing: the file of `traces` comes last.
pub(super) fn files() -> impl DoubleEndedIterator<Item = &'static str> {
    let (last, others) = TABLES.split_last().map_or(("", TABLES), |(last, others)| (last.name, others));
    let own = others.iter().map(|table| table.name).filter(|name| !is_of_others(name));
    own.chain([OTHER_EVENTS, last])
}

/// Whether a table has no file, as its rows are in those of others.
pub(super) fn is_of_others(table: &str) -> bool {
    matches!(table, "events" | "placements")
}
