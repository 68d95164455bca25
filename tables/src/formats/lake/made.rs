//! Columns that stand in no file, as they follow from others.

use polars::error::PolarsResult;
use polars::prelude::{AnyValue, Column, DataFrame, DataType, Int64Chunked, IntoColumn, NamedFrom, Scalar, Series};
use taut_analyze::ticks_to_ns;

/// The trace's first stamp, in each row: null without records.
pub(super) const FIRST_STAMP: &str = "first_stamp";

/// The frequency of the trace's clock, in each row: 0 where it has none.
pub(super) const TICKS_PER_SECOND: &str = "ticks_per_second";

/// How a column of a table is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// It stands in the file under this name.
    Stored(&'static str),
    /// It is always this word.
    Word(&'static str),
    /// It is one more than that.
    OneMore(&'static str),
    /// It is both together.
    Sum(&'static str, &'static str),
    /// It is the time that so many ticks take.
    Time(&'static str),
    /// It is the time from one stamp to another.
    TimeBetween(&'static str, &'static str),
    /// It is the time since the trace's first stamp.
    TimeAt(&'static str),
}

impl Made {
    /// The columns of the file that it is made of.
    pub fn sources(self) -> Vec<&'static str> {
        match self {
            Made::Word(_) => Vec::new(),
            Made::Stored(one) | Made::OneMore(one) => vec![one],
            Made::Sum(one, other) => vec![one, other],
            Made::Time(ticks) => vec![ticks, TICKS_PER_SECOND],
            Made::TimeBetween(from, to) => vec![from, to, TICKS_PER_SECOND],
            Made::TimeAt(stamp) => vec![stamp, FIRST_STAMP, TICKS_PER_SECOND],
        }
    }

    /// The column, of those of the file.
    ///
    /// # Errors
    /// One is not there.
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
            Made::Stored(stored) => return Ok(file.column(stored)?.clone().with_name(name.into())),
            Made::Word(word) => {
                let word = Scalar::new(DataType::String, AnyValue::StringOwned(word.into()));
                return Ok(Column::new_scalar(name.into(), word, file.height()));
            }
            Made::OneMore(stored) => one(stored, &|value| value.checked_add(1))?,
            Made::Sum(first, second) => two(first, second, &|first, second| Some(first.wrapping_add(second)))?,
            Made::Time(ticks) => {
                let per_second = per_second()?;
                one(ticks, &|ticks| time_ns(ticks, per_second))?
            }
            Made::TimeBetween(from, to) => {
                let per_second = per_second()?;
                two(from, to, &|from, to| time_ns(to.checked_sub(from)?, per_second))?
            }
            Made::TimeAt(stamp) => {
                let (per_second, first) = (per_second()?, numbers(FIRST_STAMP)?.first());
                one(stamp, &|stamp| time_ns(stamp.checked_sub(first?)?.max(0), per_second))?
            }
        };
        Ok(Series::new(name.into(), values).into_column())
    }
}

/// The time that ticks take, in nanoseconds.
fn time_ns(ticks: i64, per_second: i64) -> Option<i64> {
    let ns = ticks_to_ns(u64::try_from(ticks).ok()?, u64::try_from(per_second).ok()?)?;
    i64::try_from(ns).ok()
}
