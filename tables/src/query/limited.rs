//! LIMIT and OFFSET around a plan whose answer comes a part at a time.

use polars::prelude::{DataFrame, DslPlan};

/// Which rows of the parts are wanted, one part after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limited {
    skip_rows: u64,
    left_rows: u64,
}

impl Limited {
    /// What the outermost step leaves of the plan under it.
    pub fn of(plan: &DslPlan) -> (Limited, &DslPlan) {
        match plan {
            DslPlan::IR { dsl, .. } => Limited::of(dsl),
            DslPlan::Slice { input, offset, len } if *offset >= 0 => {
                (Limited { skip_rows: offset.unsigned_abs(), left_rows: u64::from(*len) }, input)
            }
            plan => (Limited { skip_rows: 0, left_rows: u64::MAX }, plan),
        }
    }

    /// What is wanted of the next part.
    pub fn cut(&mut self, part: DataFrame) -> DataFrame {
        let height = part.height() as u64;
        let skipped = self.skip_rows.min(height);
        let taken = self.left_rows.min(height - skipped);
        self.skip_rows -= skipped;
        self.left_rows -= taken;
        if taken == height { part } else { part.slice(skipped as i64, taken as usize) }
    }

    /// Nothing is wanted any more.
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
            let (mut limited, _) = Limited::of(&plan);
            let mut found: Vec<i64> = Vec::new();
            for part in parts.clone() {
                let part = limited.cut(df!("x" => part.collect::<Vec<i64>>()).unwrap());
                found.extend(part.column("x").unwrap().i64().unwrap().into_no_null_iter());
            }
            let expected = whole.iter().skip(offset as usize).take(len as usize).copied();
            assert_eq!(found, expected.collect::<Vec<_>>(), "OFFSET {offset} LIMIT {len}");
            assert_eq!(limited.is_over(), u64::from(len) == found.len() as u64);
        }
    }
}
