//! LIMIT and OFFSET applied to a result that arrives in chunks.

use polars::prelude::{DataFrame, DslPlan};

/// Row window over a sequence of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sql) struct RowWindow {
    skip_rows: u64,
    left_rows: u64,
}

impl RowWindow {
    /// Splits the outermost LIMIT/OFFSET off a plan; returns the window and the plan below it.
    pub fn from_plan(plan: &DslPlan) -> (RowWindow, &DslPlan) {
        match plan {
            DslPlan::IR { dsl, .. } => RowWindow::from_plan(dsl),
            // A negative offset counts from the end, which is unknown before the last chunk.
            DslPlan::Slice { input, offset, len } if *offset >= 0 => {
                (RowWindow { skip_rows: offset.unsigned_abs(), left_rows: u64::from(*len) }, input)
            }
            plan => (RowWindow { skip_rows: 0, left_rows: u64::MAX }, plan),
        }
    }

    /// Returns the rows of the next chunk that are inside the window.
    pub fn cut(&mut self, part: DataFrame) -> DataFrame {
        let height = part.height() as u64;
        let skipped = self.skip_rows.min(height);
        let taken = self.left_rows.min(height - skipped);
        self.skip_rows -= skipped;
        self.left_rows -= taken;
        if taken == height { part } else { part.slice(skipped as i64, taken as usize) }
    }

    /// True once no further rows are wanted.
    pub fn is_over(&self) -> bool {
        self.left_rows == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::df;
    use polars::prelude::IntoLazy;

    #[test]
    fn rows_are_taken_across_parts_as_of_one_table() {
        let parts = [0..3, 3..3, 3..4, 4..10];
        let whole: Vec<i64> = (0..10).collect();
        for (offset, len) in [(0, 0), (0, 2), (2, 2), (3, 1), (4, 100), (10, 1), (9, 5), (0, 10)] {
            let plan = df!("x" => [0_i64]).unwrap().lazy().slice(offset, len).logical_plan;
            let (mut window, _) = RowWindow::from_plan(&plan);
            let mut found: Vec<i64> = Vec::new();
            for part in parts.clone() {
                let part = window.cut(df!("x" => part.collect::<Vec<i64>>()).unwrap());
                found.extend(part.column("x").unwrap().i64().unwrap().into_no_null_iter());
            }
            let expected = whole.iter().skip(offset as usize).take(len as usize).copied();
            assert_eq!(found, expected.collect::<Vec<_>>(), "OFFSET {offset} LIMIT {len}");
            assert_eq!(window.is_over(), u64::from(len) == found.len() as u64);
        }
    }
}
