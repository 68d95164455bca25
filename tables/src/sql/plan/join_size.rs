//! Estimated size of joins, before they start: the pairs of rows of both sides, with equal keys if there are any.

use super::Planner;
use super::joins::Source;
use crate::sql::QueryError;
use polars::prelude::{DataType, Expr as Column, JoinType, LazyFrame, col, len};
use taut_analyze::render::{binary_bytes, grouped};

/// Bytes that a pair of rows takes at a minimum: the number of each row.
const PAIR_BYTES: u64 = 8;

impl Planner<'_> {
    /// Refuses a join whose pairs of rows exceed the memory of the query. `keys` are the equal expressions of both sides;
    /// without them, each row is compared with each, and the number of pairs is returned if it is known.
    ///
    /// # Errors
    /// The join is too large, or a side cannot be read.
    pub(super) fn check_join(
        &self,
        left: &Source,
        right: &Source,
        of_right: &[Column],
        keys: (&[Column], &[Column]),
    ) -> Result<Option<f64>, QueryError> {
        // An explained query reads nothing.
        let (Some(memory), None) = (self.memory, &self.explained) else { return Ok(None) };
        let right_rows = if of_right.is_empty() { right.rows } else { None };
        let right = of_right.iter().cloned().fold(right.frame.clone(), LazyFrame::filter);
        let rows = |known: Option<f64>, frame: &LazyFrame| {
            known.map_or_else(|| self.number(frame.clone().select([len().cast(DataType::Float64)])), Ok)
        };
        let sides = (rows(left.rows, &left.frame)?, rows(right_rows, &right)?);
        let limit = memory / PAIR_BYTES;
        let is_equal = !keys.0.is_empty();
        let mut pairs = sides.0 * sides.1;
        if is_equal && pairs > limit as f64 {
            pairs = self.number(equal_pairs(&left.frame, &right, keys))?;
        }
        if pairs <= limit as f64 {
            return Ok((!is_equal).then_some(pairs));
        }
        let [left, right, pairs] = [sides.0, sides.1, pairs].map(|count| grouped(count as u64));
        let found = if is_equal { "have equal keys" } else { "are to be compared, because no key is equal" };
        Err(QueryError::Limit(format!(
            "this query needs more than {}: of {left} and {right} rows, {pairs} pairs {found}, and --memory allows {}; \
             raise --memory or select less",
            binary_bytes(memory),
            grouped(limit),
        )))
    }

    /// The number that a plan has as its only value; 0 if it is null.
    fn number(&self, frame: LazyFrame) -> Result<f64, QueryError> {
        let found = self.collect(frame)?;
        Ok(found.columns().first().and_then(|column| column.f64().ok()?.get(0)).unwrap_or_default())
    }
}

/// Plan of the number of pairs with equal keys: the sum over keys of the rows of one side by those of the other.
fn equal_pairs(left: &LazyFrame, right: &LazyFrame, keys: (&[Column], &[Column])) -> LazyFrame {
    let counted = |frame: &LazyFrame, keys: &[Column], count: &str| {
        let named = keys.iter().enumerate().map(|(place, key)| key.clone().alias(format!("#key{place}")));
        frame.clone().group_by(named.collect::<Vec<Column>>()).agg([len().cast(DataType::Float64).alias(count)])
    };
    let on: Vec<Column> = (0..keys.0.len()).map(|place| col(format!("#key{place}"))).collect();
    let both = counted(left, keys.0, "#left").join_builder().with(counted(right, keys.1, "#right"));
    let both = both.left_on(on.clone()).right_on(on).how(JoinType::Inner).finish();
    both.select([(col("#left") * col("#right")).sum()])
}
