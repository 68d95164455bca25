//! Aggregation class by class. Columns that follow from a record's class are evaluated once per class; only the
//! remaining columns are read per record, in runs of one class each.

use super::class_scan::ClassScan;
use super::flat::Flat;
use super::row_wise::{columns, map_children};
use crate::error::TableError;
use crate::sql::plan_tree::schema;
use crate::sql::scan::{BLOCK, ClassColumns, Conditions, TableScan};
use crate::tables::{CLASS, PLACE, RECORDS, Take};
use polars::error::PolarsResult;
use polars::prelude::{
    AggExpr, DataFrame, DataType, DslPlan, Expr, FunctionExpr, IdxCa, IntoLazy, PlSmallStr, SchemaRef,
    SortMultipleOptions, UInt32Chunked, col, len, lit, when,
};
use std::sync::Arc;

/// Aggregate query over records grouped by class.
pub(super) struct ClassAggregate {
    schema: SchemaRef,
    conditions: Conditions,
    /// Keys and aggregates that have one value per class, over the class columns.
    classes: Vec<(PlSmallStr, Expr)>,
    /// Aggregates over each class's records, over the table's columns.
    aggregates: Vec<(PlSmallStr, Expr)>,
    /// Class columns that the record aggregates and record conditions also read.
    joined_columns: Vec<String>,
}

impl ClassAggregate {
    /// Plans an aggregate (groups, or all rows) over a chunk's rows such that the chunks' results can be combined.
    /// `None` if the plan needs anything else.
    pub fn new(table: &Arc<TableScan>, of_part: &DslPlan) -> Option<ClassAggregate> {
        let classes = ClassScan::new(table.clone())?;
        let (input, keys, aggregates) = match of_part {
            // Plans per chunk have no HAVING: it is applied to the combined groups.
            DslPlan::GroupBy { input, keys, aggs, predicates, .. } if predicates.is_empty() => {
                (input, keys.as_slice(), aggs)
            }
            DslPlan::Select { expr, input, .. } => (input, [].as_slice(), expr),
            _ => return None,
        };
        let (flat, rows) = (Flat::from_plan(input)?, schema(input)?);
        let mut request = ClassAggregate {
            schema: schema(of_part)?,
            conditions: flat.conditions(&classes),
            classes: Vec::new(),
            aggregates: Vec::new(),
            joined_columns: Vec::new(),
        };
        for (name, key) in flat.named(keys, &rows)? {
            // Grouped by a record column, nearly every record of a class could be a group of its own: no gain over
            // rows.
            if !classes.has_all_of(&key) {
                return None;
            }
            request.classes.push((name, key));
        }
        for aggregate in aggregates {
            let name = aggregate.to_field(&rows).ok()?.name;
            request.add(name, &rewrite(&flat, aggregate)?, &classes)?;
        }
        // Output names must not collide with the class columns and helper columns that the groups are joined with.
        let is_known = |name: &&PlSmallStr| classes.has(name) || [CLASS, PLACE, BLOCK].contains(&name.as_str());
        if request.schema.iter_names().any(|name| is_known(&name)) {
            return None;
        }
        let aggregates = request.aggregates.iter().map(|(_, expr)| expr);
        for name in request.conditions.of_records.iter().chain(aggregates).flat_map(columns) {
            if classes.has(name) && !request.joined_columns.iter().any(|known| known == name) {
                request.joined_columns.push(name.to_owned());
            }
        }
        Some(request)
    }

    fn add(&mut self, name: PlSmallStr, aggregate: &Expr, classes: &ClassScan) -> Option<()> {
        let kind = self.schema.get(&name)?.clone();
        match of_one_class(aggregate, &kind, classes) {
            Some(evaluated) => self.classes.push((name, evaluated)),
            None => self.aggregates.push((name, aggregate.clone())),
        }
        Some(())
    }

    /// Evaluates the wanted columns of each chunk and passes them to `take`, until `take` breaks.
    ///
    /// # Errors
    /// A trace cannot be read, or `take` failed.
    pub fn each(&self, table: &TableScan, wanted: Option<&[PlSmallStr]>, take: &mut Take<'_>) -> PolarsResult<()> {
        // With a record filter, the first record that remains of a class may not be its first one, so its place is
        // needed for the order of the groups.
        let places = self.conditions.of_records.is_some();
        let mut names = self.joined_columns.clone();
        for name in self.classes.iter().flat_map(|(_, expr)| columns(expr)) {
            if name != RECORDS && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let request = ClassColumns { names: &names, conditions: &self.conditions, places };
        table.class_aggregate(&request, &|classes, part| self.evaluated(classes, part, places, wanted), take)
    }

    /// Output of one chunk; `classes` holds the columns of all classes and the block number of each.
    fn evaluated(
        &self,
        classes: &DataFrame,
        mut part: DataFrame,
        places: bool,
        wanted: Option<&[PlSmallStr]>,
    ) -> Result<DataFrame, TableError> {
        if !self.joined_columns.is_empty() {
            let joined_columns = classes.select(self.joined_columns.iter().map(String::as_str))?;
            part.hstack_mut(gathered(&joined_columns, part.column(CLASS)?.u32()?)?.columns())?;
        }
        let mut rows = part.lazy();
        if let Some(condition) = &self.conditions.of_records {
            rows = rows.filter(condition.clone());
        }
        let named = |(name, expr): &(PlSmallStr, Expr)| expr.clone().alias(name.clone());
        let mut aggregates: Vec<Expr> = self.aggregates.iter().map(named).collect();
        aggregates.push(len().cast(DataType::Int64).alias(RECORDS));
        aggregates.extend(places.then(|| col(PLACE).min()));
        let groups = rows.group_by([col(CLASS)]).agg(aggregates).collect()?;
        let groups = groups.hstack(gathered(classes, groups.column(CLASS)?.u32()?)?.columns())?;
        // Groups are output in the order of their first records.
        let order = if places { [BLOCK, PLACE].as_slice() } else { &[CLASS] };
        let groups = groups.sort(order.iter().copied(), SortMultipleOptions::default().with_maintain_order(true))?;
        let is_wanted = |name: &&PlSmallStr| wanted.is_none_or(|wanted| wanted.contains(*name));
        let output: Vec<Expr> = self.schema.iter_names().filter(is_wanted).cloned().map(col).collect();
        let of_classes: Vec<Expr> = self.classes.iter().filter(|(name, _)| is_wanted(&name)).map(named).collect();
        Ok(groups.lazy().with_columns(of_classes).select(output).collect()?)
    }
}

/// Returns the rows of a frame at the given indices.
fn gathered(frame: &DataFrame, places: &UInt32Chunked) -> PolarsResult<DataFrame> {
    frame.take(&IdxCa::from_vec(PlSmallStr::EMPTY, places.into_no_null_iter().collect()))
}

/// Rewrites a combinable aggregate in terms of the table's own columns. `None` for other aggregates.
fn rewrite(flat: &Flat, aggregate: &Expr) -> Option<Expr> {
    match aggregate {
        Expr::Alias(..) => map_children(aggregate, &mut |inner| rewrite(flat, inner)),
        Expr::Len
        | Expr::Agg(AggExpr::Count { .. } | AggExpr::Sum(_) | AggExpr::Min { .. } | AggExpr::Max { .. })
        | Expr::Function { function: FunctionExpr::NullCount, .. } => {
            map_children(aggregate, &mut |input| flat.rewrite(input))
        }
        _ => None,
    }
}

/// Rewrites an aggregate over one class's records as an expression over the class. `None` if it needs more of the
/// records than their count.
fn of_one_class(aggregate: &Expr, kind: &DataType, classes: &ClassScan) -> Option<Expr> {
    let records = || col(RECORDS).cast(kind.clone());
    let records_where = |truth: Expr| when(truth).then(records()).otherwise(lit(0).cast(kind.clone()));
    match aggregate {
        Expr::Alias(inner, _) => of_one_class(inner, kind, classes),
        Expr::Len => Some(records()),
        Expr::Agg(AggExpr::Count { input, include_nulls }) if classes.has_all_of(input) => {
            if *include_nulls {
                Some(records())
            } else {
                Some(records_where(input.as_ref().clone().is_not_null()))
            }
        }
        Expr::Agg(AggExpr::Sum(input)) if classes.has_all_of(input) => {
            let fits = matches!(kind, DataType::Int64 | DataType::Int128);
            fits.then(|| input.as_ref().clone().cast(kind.clone()) * records())
        }
        Expr::Agg(AggExpr::Min { input, .. } | AggExpr::Max { input, .. }) if classes.has_all_of(input) => {
            Some(input.as_ref().clone())
        }
        Expr::Function { input, function: FunctionExpr::NullCount } => {
            let input = input.first().filter(|input| classes.has_all_of(input))?;
            Some(records_where(input.clone().is_null()))
        }
        _ => None,
    }
}
