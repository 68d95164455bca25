//! Derived columns: columns that no file stores, computed from stored ones.

use polars::error::PolarsResult;
use polars::prelude::{AnyValue, Column, DataFrame, DataType, Int64Chunked, IntoColumn, NamedFrom, Scalar, Series};
use taut_analyze::ticks_to_ns;

/// Column with the trace's first stamp, the same in each row; null without records.
pub(super) const FIRST_STAMP: &str = "first_stamp";

/// Column with the frequency of the trace's clock, the same in each row; 0 if the clock has none.
pub(super) const TICKS_PER_SECOND: &str = "ticks_per_second";

/// Derivation of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Derivation {
    /// Stored in the file under this name.
    Stored(&'static str),
    /// A constant text.
    Word(&'static str),
    /// A stored column plus one.
    OneMore(&'static str),
    /// The sum of two stored columns.
    Sum(&'static str, &'static str),
    /// The duration of a number of ticks.
    Time(&'static str),
    /// The time between two stamps.
    TimeBetween(&'static str, &'static str),
    /// The time since the trace's first stamp.
    TimeAt(&'static str),
}

impl Derivation {
    /// Stored columns that the derivation reads.
    pub fn sources(self) -> Vec<&'static str> {
        match self {
            Derivation::Word(_) => Vec::new(),
            Derivation::Stored(one) | Derivation::OneMore(one) => vec![one],
            Derivation::Sum(one, other) => vec![one, other],
            Derivation::Time(ticks) => vec![ticks, TICKS_PER_SECOND],
            Derivation::TimeBetween(from, to) => vec![from, to, TICKS_PER_SECOND],
            Derivation::TimeAt(stamp) => vec![stamp, FIRST_STAMP, TICKS_PER_SECOND],
        }
    }

    /// Computes the column from a file's columns.
    ///
    /// # Errors
    /// A source column is missing.
    pub fn column(self, name: &str, file: &DataFrame) -> PolarsResult<Column> {
        let numbers = |name: &str| -> PolarsResult<&Int64Chunked> { file.column(name)?.i64() };
        let per_second = || -> PolarsResult<i64> { Ok(numbers(TICKS_PER_SECOND)?.first().unwrap_or_default()) };
        let two = |one: &str, other: &str, of: &dyn Fn(i64, i64) -> Option<i64>| -> PolarsResult<Vec<Option<i64>>> {
            let both = numbers(one)?.iter().zip(numbers(other)?.iter());
            Ok(both.map(|(one, other)| of(one?, other?)).collect())
        };
        let one = |name: &str, of: &dyn Fn(i64) -> Option<i64>| -> PolarsResult<Vec<Option<i64>>> {
            Ok(numbers(name)?.iter().map(|value| of(value?)).collect())
        };
        let values = match self {
            Derivation::Stored(stored) => return Ok(file.column(stored)?.clone().with_name(name.into())),
            Derivation::Word(word) => {
                let word = Scalar::new(DataType::String, AnyValue::StringOwned(word.into()));
                return Ok(Column::new_scalar(name.into(), word, file.height()));
            }
            Derivation::OneMore(stored) => one(stored, &|value| value.checked_add(1))?,
            Derivation::Sum(first, second) => two(first, second, &|first, second| Some(first.wrapping_add(second)))?,
            Derivation::Time(ticks) => {
                let per_second = per_second()?;
                one(ticks, &|ticks| time_ns(ticks, per_second))?
            }
            Derivation::TimeBetween(from, to) => {
                let per_second = per_second()?;
                two(from, to, &|from, to| time_ns(to.checked_sub(from)?, per_second))?
            }
            Derivation::TimeAt(stamp) => {
                let (per_second, first) = (per_second()?, numbers(FIRST_STAMP)?.first());
                one(stamp, &|stamp| time_ns(stamp.checked_sub(first?)?.max(0), per_second))?
            }
        };
        Ok(Series::new(name.into(), values).into_column())
    }
}

/// Converts ticks to nanoseconds.
fn time_ns(ticks: i64, per_second: i64) -> Option<i64> {
    let ns = ticks_to_ns(u64::try_from(ticks).ok()?, u64::try_from(per_second).ok()?)?;
    i64::try_from(ns).ok()
}
