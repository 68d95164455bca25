//! Depth of expressions: the inner part of a deep expression becomes a column of a step before it.
//!
//! polars derives the type of an expression again for each expression around it, in time that is quadratic in the depth:
//! seconds for a chain of 500 additions. Steps of bounded depth take linear time.

use super::plan_tree::{inputs, map_inputs, schema};
use super::pushdown::{is_row_wise_node, map_children};
use polars::prelude::{DslPlan, Expr, LazyFrame, PlSmallStr, col};

/// Maximum number of levels of an expression in one step: additions have three each.
const MAX_LEVELS: usize = 64;

/// Prefix of the columns that hold parts of deep expressions.
pub(super) const DEEP: &str = "#deep";

/// The plan with no row-wise expression deeper than the limit.
pub(super) fn shallow(plan: &DslPlan) -> DslPlan {
    let plan = map_inputs(plan, &mut shallow);
    let mut split = plan.clone();
    let exprs: Vec<&mut Expr> = match &mut split {
        DslPlan::Filter { predicate, .. } => vec![predicate],
        DslPlan::Select { expr: exprs, .. }
        | DslPlan::HStack { exprs, .. }
        | DslPlan::Sort { by_column: exprs, .. } => exprs.iter_mut().collect(),
        DslPlan::GroupBy { keys, aggs, .. } => keys.iter_mut().chain(aggs).collect(),
        _ => return plan,
    };
    let mut parts = Parts::default();
    for expr in exprs {
        // The name of the column stays outermost.
        *expr = match &*expr {
            Expr::Alias(inner, name) => parts.split(inner).expr.alias(name.clone()),
            expr => parts.split(expr).expr,
        };
    }
    let (false, Some(input)) = (parts.layers.is_empty(), inputs(&plan).first().copied()) else { return plan };
    let with_layer = |input: LazyFrame, layer: Vec<Expr>| input.with_columns(layer);
    let input = parts.layers.into_iter().fold(LazyFrame::from(input.clone()), with_layer).logical_plan;
    let split = map_inputs(&split, &mut |_| input.clone());
    match &plan {
        DslPlan::Filter { .. } | DslPlan::HStack { .. } | DslPlan::Sort { .. } => {
            // Their output has all columns of their input, and those of the parts have to go. Their names are found
            // without polars' schema of the deep plan.
            let Some(own) = names(&plan) else { return plan };
            LazyFrame::from(split).select(own.into_iter().map(col).collect::<Vec<Expr>>()).logical_plan
        }
        _ => split,
    }
}

/// Names of the columns of a step that keeps those of its input; `None` if they cannot be determined.
fn names(plan: &DslPlan) -> Option<Vec<PlSmallStr>> {
    let input = schema(inputs(plan).first()?)?;
    let mut names: Vec<PlSmallStr> = input.iter_names().cloned().collect();
    if let DslPlan::HStack { exprs, .. } = plan {
        for expr in exprs {
            let name = expr.to_field(&input).ok()?.name;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Some(names)
}

/// Columns that hold parts of expressions; those of a layer read the layers before it.
#[derive(Default)]
struct Parts {
    layers: Vec<Vec<Expr>>,
    columns: usize,
}

/// An expression whose deep parts are columns.
struct Split {
    expr: Expr,
    levels: usize,
    /// Number of layers that it reads.
    layers: usize,
    is_row_wise: bool,
}

impl Parts {
    fn split(&mut self, expr: &Expr) -> Split {
        let (mut levels, mut layers, mut is_row_wise) = (0, 0, is_row_wise_node(expr));
        let mapped = map_children(expr, &mut |input| {
            let input = self.split(input);
            levels = levels.max(input.levels);
            layers = layers.max(input.layers);
            is_row_wise &= input.is_row_wise;
            Some(input.expr)
        });
        let split = Split { expr: mapped.unwrap_or_else(|| expr.clone()), levels: levels + 1, layers, is_row_wise };
        if !split.is_row_wise || split.levels < MAX_LEVELS {
            return split;
        }
        let name = format!("{DEEP}{}", self.columns);
        self.columns += 1;
        if self.layers.len() == layers {
            self.layers.push(Vec::new());
        }
        self.layers[layers].push(split.expr.alias(name.as_str()));
        Split { expr: col(name), levels: 1, layers: layers + 1, is_row_wise: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Query;
    use polars::df;
    use polars::prelude::AnyValue;

    /// Number of levels of the deepest expression of a plan, and number of all expressions.
    fn levels_and_count(plan: &DslPlan) -> (usize, usize) {
        fn levels(expr: &Expr) -> usize {
            let mut deepest = 0;
            let _ = map_children(expr, &mut |input| {
                deepest = deepest.max(levels(input));
                Some(input.clone())
            });
            deepest + 1
        }
        let exprs: Vec<&Expr> = match plan {
            DslPlan::Filter { predicate, .. } => vec![predicate],
            DslPlan::Select { expr: exprs, .. } | DslPlan::HStack { exprs, .. } => exprs.iter().collect(),
            DslPlan::GroupBy { keys, aggs, .. } => keys.iter().chain(aggs).collect(),
            _ => Vec::new(),
        };
        let own = exprs.into_iter().map(|expr| (levels(expr), expr.into_iter().count()));
        let all = own.chain(inputs(plan).into_iter().map(levels_and_count));
        all.fold((0, 0), |all, one| (all.0.max(one.0), all.1 + one.1))
    }

    fn frame() -> Query {
        let rows = df!("a" => [1_i64], "r" => [1.5_f64], "t" => ["x"]).unwrap();
        Query::from_frames(vec![("f".to_owned(), rows)])
    }

    /// Work of planning a query: expressions that are translated, levels of the deepest one that polars gets, and number
    /// of all.
    fn work(sql: &str) -> [usize; 3] {
        let query = frame();
        let planner = query.planner();
        let plan = shallow(&planner.plan(sql).unwrap_or_else(|error| panic!("{error}: {sql}")).frame.logical_plan);
        let (levels, count) = levels_and_count(&plan);
        [planner.expressions.count(), levels, count]
    }

    /// Queries with a chain or nest of a length, and their result.
    fn chains(length: usize) -> Vec<(String, AnyValue<'static>)> {
        let of = |link: &str| link.repeat(length);
        // The parser reads nested expressions up to 50 levels.
        let levels = length.min(12);
        let nested = |open: &str, inner: &str, close: &str| open.repeat(levels) + inner + &close.repeat(levels);
        let sum = AnyValue::Int64(length as i64 + 1);
        let case = nested("CASE WHEN a = 2 THEN 7 ELSE ", "a", " END");
        vec![
            (format!("SELECT 1{} AS x", of("+1")), sum.clone()),
            (format!("SELECT a{} AS x FROM f", of("+a")), sum.clone()),
            (format!("SELECT a AS x FROM f WHERE a{} > 3", of("+a")), AnyValue::Int64(1)),
            (format!("SELECT a = 1{} AS x FROM f", of(" AND a = 1")), AnyValue::Boolean(true)),
            (format!("SELECT a = 2{} AS x FROM f", of(" OR a = 2")), AnyValue::Boolean(false)),
            (format!("SELECT length(t{}) AS x FROM f", of("||t")), sum.clone()),
            (format!("SELECT {case} AS x FROM f"), AnyValue::Int64(1)),
            (format!("SELECT CASE{} ELSE a END AS x FROM f", of(" WHEN a = 2 THEN 7")), AnyValue::Int64(1)),
            (format!("SELECT {} AS x FROM f", nested("abs(", "a", ")")), AnyValue::Int64(1)),
            (format!("SELECT {} AS x FROM f", nested("floor(", "r", ")")), AnyValue::Float64(1.0)),
            (format!("SELECT length({}) AS x FROM f", nested("replace(", "t", ", 'y', 'z')")), AnyValue::Int64(1)),
            (format!("SELECT max(a){} AS x FROM f", of("+1")), sum.clone()),
            (format!("SELECT max(a{}) AS x FROM f", of("+a")), sum.clone()),
            (format!("SELECT a{} AS x FROM f GROUP BY a", of("+a")), sum.clone()),
            (format!("SELECT a{0} AS x FROM f GROUP BY a{0}", of("+a")), sum),
            (format!("SELECT a AS x FROM f GROUP BY a HAVING a = 1{}", of(" AND max(a) = 1")), AnyValue::Int64(1)),
        ]
    }

    /// On a stack as large as that of the program's thread.
    fn on_large_stack(test: fn()) {
        std::thread::Builder::new().stack_size(256 << 20).spawn(test).unwrap().join().unwrap();
    }

    #[test]
    fn work_grows_with_the_length_of_a_chain_and_expressions_get_no_deeper() {
        on_large_stack(|| {
            for ((short, _), (long, _)) in chains(60).into_iter().zip(chains(240)) {
                let ([visits, _, count], [more_visits, levels, more_count]) = (work(&short), work(&long));
                assert!(levels <= MAX_LEVELS + 3, "{levels} levels: {short}");
                assert!(more_visits <= 4 * visits + 10, "{visits} to {more_visits} visits: {short}");
                // Branches of CASE are a tree, of n log n expressions; n² would be 16 times as many.
                assert!(more_count <= 7 * count, "{count} to {more_count} expressions: {short}");
            }
        });
    }

    #[test]
    fn deep_expressions_have_the_values_of_shallow_ones() {
        on_large_stack(|| {
            for (sql, value) in [3, 30, 200].into_iter().flat_map(chains) {
                let found = frame().run(&sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
                let column = found.frame().column("x").unwrap();
                assert_eq!((column.len(), column.get(0).unwrap()), (1, value), "{sql}");
            }
        });
    }
}
