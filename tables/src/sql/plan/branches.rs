//! `CASE` with many branches.

use super::junction::balanced;
use polars::prelude::{Expr, when};

/// Branches that stay a chain. polars works on a chain once for each of its levels, which takes seconds from a thousand on.
const CHAIN: usize = 32;

/// The result of the first branch whose condition is true, or `other`.
///
/// Many branches are a tree: where none of the first half's conditions is true, the second half decides.
pub(super) fn first_true(branches: &[(Expr, Expr)], other: Expr) -> Expr {
    if branches.len() <= CHAIN {
        let chain = |other, (truth, result): &(Expr, Expr)| when(truth.clone()).then(result.clone()).otherwise(other);
        return branches.iter().rev().fold(other, chain);
    }
    let (first, second) = branches.split_at(branches.len() / 2);
    // Unknown conditions are passed over by `CASE` and by `OR` alike.
    let any = balanced(first.iter().map(|(truth, _)| truth.clone()).collect(), Expr::or);
    match (any, first.split_last()) {
        // Where any condition of the first half is true and none before the last, the last is.
        (Some(any), Some(((_, last), before))) => {
            when(any).then(first_true(before, last.clone())).otherwise(first_true(second, other))
        }
        _ => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::prelude::{DataType, IntoLazy, NULL, NamedFrom, Series, col, lit};

    #[test]
    fn the_first_true_branch_decides_however_many_there_are_and_unknown_is_not_true() {
        let values: Vec<i64> = (-2..2 * CHAIN as i64 + 9).collect();
        let frame = Series::new("a".into(), &values).into_frame();
        let other = || lit(-1i64).cast(DataType::Int64);
        for count in [0, 1, CHAIN, CHAIN + 1, 2 * CHAIN + 5] {
            // Each value has a branch of its own, and each odd one a second branch later, which is never reached.
            let branch = |number: usize| {
                let (number, unknown) = (number as i64, lit(NULL).cast(DataType::Boolean));
                let truth = if number % 5 == 4 { unknown } else { col("a").eq(lit(number / 2)) };
                (truth, lit(number).cast(DataType::Int64))
            };
            let branches: Vec<(Expr, Expr)> = (0..count).map(branch).collect();
            let found = frame.clone().lazy().with_columns([first_true(&branches, other()).alias("found")]);
            let found = found.collect().unwrap();
            let found: Vec<i64> = found.column("found").unwrap().i64().unwrap().iter().flatten().collect();
            let first = |value: &i64| (0..count as i64).find(|number| number % 5 != 4 && number / 2 == *value);
            let expected: Vec<i64> = values.iter().map(|value| first(value).unwrap_or(-1)).collect();
            assert_eq!(found, expected, "{count}");
        }
    }
}
