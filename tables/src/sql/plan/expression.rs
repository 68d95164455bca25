//! Translation of SQL expressions into polars expressions.

use super::grouping::{Grouping, RowExpressions};
use super::junction::Junction;
use super::kind::{Kind, Typed, common};
use super::literal;
use super::scope::{Named, Scope, same};
use super::windows::Windows;
use super::{Planner, branches, operators, pattern, size};
use crate::sql::error::{Unsupported, missing, unsupported};
use polars::prelude::{Expr as Column, NULL, coalesce, lit};
use sqlparser::ast::{BinaryOperator, CaseWhen, Expr, Ident, Spanned, UnaryOperator, Value};

/// Translator of expressions within one `SELECT`.
pub(super) struct Expressions<'a> {
    pub planner: &'a Planner<'a>,
    pub named: &'a Named,
    pub scope: &'a Scope,
    /// Scopes of the enclosing queries; used only to report correlated names, which are not supported.
    pub outer: &'a [Scope],
    /// Aliases that `SELECT` defines, with their expressions.
    pub aliases: &'a [(Ident, Expr)],
    /// True if an alias takes precedence over a column of the same name.
    pub alias_first: bool,
    /// Grouping of the query, if any: then only its keys and aggregates can be named.
    pub grouping: Option<Grouping>,
    /// Window functions collected so far; `None` where window functions are not allowed.
    pub windows: Option<Windows>,
    /// Number of alias lookups in progress.
    depth: usize,
    /// Number of expressions around the current one.
    nesting: usize,
    /// Expressions over rows, to be compared with the keys of the grouping.
    pub(super) of_rows: RowExpressions,
}

impl<'a> Expressions<'a> {
    /// Translator over the columns in scope, without aliases, groups and windows.
    pub fn new(planner: &'a Planner<'a>, named: &'a Named, scope: &'a Scope, outer: &'a [Scope]) -> Expressions<'a> {
        Expressions {
            planner,
            named,
            scope,
            outer,
            aliases: &[],
            alias_first: false,
            grouping: None,
            windows: None,
            depth: 0,
            nesting: 0,
            of_rows: RowExpressions::default(),
        }
    }
}

impl Expressions<'_> {
    pub fn of(&mut self, expr: &Expr) -> Result<Typed, Unsupported> {
        if let Some(known) = self.of_rows.known(expr) {
            return known;
        }
        // Held for its `Drop`, which leaves the level on every return path.
        let _level = self.planner.expressions.enter(expr)?;
        self.nesting += 1;
        let typed = self.planned(expr);
        self.nesting -= 1;
        self.of_rows.add(expr, &typed);
        let typed = typed?;
        // Inner expressions are shared, so the outermost alone can be too large: counting each would be quadratic.
        if self.nesting == 0 {
            size::check_expression(&typed.expr)?;
        }
        Ok(typed)
    }

    fn planned(&mut self, expr: &Expr) -> Result<Typed, Unsupported> {
        if let Some(key) = self.key(expr) {
            return Ok(key);
        }
        match expr {
            Expr::Identifier(name) => self.name(name),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, name] => self.qualified(table, name),
                _ => unsupported(expr.span(), "expected a column name: `column` or `table.column`"),
            },
            Expr::Nested(inner) => self.of(inner),
            Expr::Value(value) => literal::translate(&value.value, value.span),
            Expr::UnaryOp { op, expr: inner } => self.unary(*op, inner, expr),
            Expr::BinaryOp { op, .. } if Junction::new(op).is_some() => self.junction(op, expr),
            Expr::BinaryOp { left, op, right } => {
                let (left, right) = (self.of(left)?, self.of(right)?);
                operators::binary(&left, op, &right, expr)
            }
            Expr::IsNull(inner) => Ok(Typed::new(self.of(inner)?.expr.is_null(), Kind::Bool)),
            Expr::IsNotNull(inner) => Ok(Typed::new(self.of(inner)?.expr.is_not_null(), Kind::Bool)),
            Expr::IsTrue(inner) => Ok(Typed::new(self.truth(inner)?.fill_null(lit(false)), Kind::Bool)),
            Expr::IsNotTrue(inner) => Ok(Typed::new(self.truth(inner)?.fill_null(lit(false)).not(), Kind::Bool)),
            Expr::IsFalse(inner) => Ok(Typed::new(self.truth(inner)?.fill_null(lit(true)).not(), Kind::Bool)),
            Expr::IsNotFalse(inner) => Ok(Typed::new(self.truth(inner)?.fill_null(lit(true)), Kind::Bool)),
            Expr::IsDistinctFrom(left, right) => self.distinct(left, right, true, expr),
            Expr::IsNotDistinctFrom(left, right) => self.distinct(left, right, false, expr),
            Expr::Between { expr: inner, negated, low, high } => {
                let (inner, low, high) = (self.of(inner)?, self.of(low)?, self.of(high)?);
                let from = operators::compared(&inner, &low, expr)?;
                let to = operators::compared(&inner, &high, expr)?;
                let within = from.0.gt_eq(from.1).and(to.0.lt_eq(to.1));
                Ok(Typed::new(negated_if(within, *negated), Kind::Bool))
            }
            Expr::InList { expr: inner, list, negated } => self.in_list(inner, list, *negated),
            Expr::InSubquery { expr: inner, subquery, negated } => self.in_subquery(inner, subquery, *negated),
            Expr::Exists { subquery, negated } => self.exists(subquery, *negated),
            Expr::Subquery(query) => self.scalar(query),
            Expr::Like { negated, any: false, expr: inner, pattern, escape_char: None } => {
                self.like(inner, pattern, *negated, false)
            }
            Expr::ILike { negated, any: false, expr: inner, pattern, escape_char: None } => {
                self.like(inner, pattern, *negated, true)
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), expr)
            }
            Expr::Cast { .. } => self.cast(expr),
            Expr::Function(function) => self.function(function, expr),
            Expr::Ceil { .. } | Expr::Floor { .. } | Expr::Substring { .. } | Expr::Trim { .. } => {
                self.spelled_function(expr)
            }
            Expr::Tuple(_) | Expr::Array(_) => unsupported(
                expr.span(),
                format!("`{expr}` is a list, which is allowed only after IN: expected one value"),
            ),
            Expr::Wildcard(_) | Expr::QualifiedWildcard(..) => {
                unsupported(expr.span(), "`*` is allowed only after SELECT and in count(*)")
            }
            Expr::Interval(_) | Expr::TypedString(_) | Expr::Extract { .. } | Expr::AtTimeZone { .. } => unsupported(
                expr.span(),
                format!("{}: the tables have no dates; times are in ticks and nanoseconds", not_supported(expr)),
            ),
            _ => unsupported(expr.span(), not_supported(expr)),
        }
    }

    /// Translates a chain of one associative operator as one expression, whose depth does not grow with the chain.
    fn junction(&mut self, op: &BinaryOperator, whole: &Expr) -> Result<Typed, Unsupported> {
        let Some(junction) = Junction::new(op) else {
            return unsupported(whole.span(), "this operator is not supported");
        };
        let (mut operands, mut rest) = (Vec::new(), whole);
        while let Expr::BinaryOp { left, op: own, right } = rest
            && own == op
            && (operands.is_empty() || self.key(rest).is_none())
        {
            operands.push(right.as_ref());
            rest = left;
        }
        let first = self.of(rest)?;
        let mut all = Vec::with_capacity(operands.len() + 1);
        // Wrong types are reported from left to right, after the errors within the first two operands.
        let mut first = Some(first);
        for operand in operands.into_iter().rev() {
            let typed = self.of(operand)?;
            for one in first.take().iter().chain([&typed]) {
                all.push(junction.operand(one, op, whole)?);
            }
        }
        Ok(junction.column(all))
    }

    /// Translates a condition.
    pub fn truth(&mut self, expr: &Expr) -> Result<Column, Unsupported> {
        let typed = self.of(expr)?;
        match typed.to(Kind::Bool) {
            Some(truth) => Ok(truth),
            None => unsupported(expr.span(), format!("expected a condition, found {}", typed.kind.word())),
        }
    }

    fn name(&mut self, name: &Ident) -> Result<Typed, Unsupported> {
        if self.alias_first
            && let Some(found) = self.alias(name)?
        {
            return Ok(found);
        }
        if self.grouping.is_none() || self.scope.find(&name.value).is_empty() {
            if self.grouping.is_none()
                && let Some(found) = self.scope.bare(name)?
            {
                return Ok(found);
            }
            if let Some(found) = self.alias(name)? {
                return Ok(found);
            }
        }
        if self.scope.bare(name)?.is_some() {
            return ungrouped(name);
        }
        if self.outer.iter().any(|outer| !outer.find(&name.value).is_empty()) {
            return correlated(name);
        }
        let known = self.scope.columns.iter().map(|column| column.name.as_str());
        if name.quote_style == Some('"') && taut_schemas::nearest(&name.value, known.clone()).is_none() {
            return unsupported(name.span, format!("there is no column `{}`: a text has single quotes", name.value));
        }
        missing(name.span, "column", &name.value, known)
    }

    fn qualified(&mut self, table: &Ident, name: &Ident) -> Result<Typed, Unsupported> {
        if !self.scope.has_table(&table.value) && self.outer.iter().any(|outer| outer.has_table(&table.value)) {
            return correlated(name);
        }
        let found = self.scope.qualified(table, name)?;
        if self.grouping.is_some() { ungrouped(name) } else { Ok(found) }
    }

    /// Resolves an alias of `SELECT`.
    fn alias(&mut self, name: &Ident) -> Result<Option<Typed>, Unsupported> {
        let Some((_, expr)) = self.aliases.iter().find(|(alias, _)| same(&alias.value, &name.value)) else {
            return Ok(None);
        };
        // In `SELECT width * 2 AS width`, the inner `width` is the column: aliases are not first while one is resolved.
        // Aliases may use aliases; deeper nesting than this is taken for a circle.
        if self.depth > 8 {
            return unsupported(name.span, format!("`{}` is defined by itself", name.value));
        }
        let first = std::mem::replace(&mut self.alias_first, false);
        self.depth += 1;
        let found = self.of(expr);
        self.depth -= 1;
        self.alias_first = first;
        found.map(Some)
    }

    fn unary(&mut self, op: UnaryOperator, inner: &Expr, whole: &Expr) -> Result<Typed, Unsupported> {
        // Negated as a literal: the positive part of -2^63 does not fit into a signed 64-bit integer.
        if let (UnaryOperator::Minus, Expr::Value(value)) = (op, inner)
            && let Value::Number(text, _) = &value.value
            && let Some(number) = literal::integer(text)
            && let Some(typed) = Typed::integer(-number)
        {
            return Ok(typed);
        }
        match op {
            UnaryOperator::Not => Ok(Typed::new(self.truth(inner)?.not(), Kind::Bool)),
            UnaryOperator::Plus | UnaryOperator::Minus => {
                let typed = self.of(inner)?;
                let zero = Typed::integer(0).unwrap_or_else(Typed::null);
                if op == UnaryOperator::Plus && typed.kind.is_number() {
                    return Ok(typed);
                }
                operators::binary(&zero, &BinaryOperator::Minus, &typed, whole)
            }
            other => unsupported(whole.span(), format!("the operator `{other}` is not supported")),
        }
    }

    fn distinct(&mut self, left: &Expr, right: &Expr, distinct: bool, whole: &Expr) -> Result<Typed, Unsupported> {
        let (left, right) = (self.of(left)?, self.of(right)?);
        let (left, right) = operators::compared(&left, &right, whole)?;
        let same = left.clone().eq(right.clone()).fill_null(lit(false)).or(left.is_null().and(right.is_null()));
        Ok(Typed::new(negated_if(same, distinct), Kind::Bool))
    }

    fn like(&mut self, inner: &Expr, pattern: &Expr, negated: bool, any_case: bool) -> Result<Typed, Unsupported> {
        let (text, like) = (self.of(inner)?, self.of(pattern)?);
        let Some(column) = text.to(Kind::Text) else {
            return unsupported(inner.span(), format!("LIKE takes text, found {}", text.kind.word()));
        };
        let Some(like) = like.text else {
            return unsupported(pattern.span(), "the pattern of LIKE must be a quoted text");
        };
        Ok(Typed::new(negated_if(pattern::matches(column, &like, any_case), negated), Kind::Bool))
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        other: Option<&Expr>,
        whole: &Expr,
    ) -> Result<Typed, Unsupported> {
        let operand = operand.map(|operand| self.of(operand)).transpose()?;
        let mut branches = Vec::new();
        for CaseWhen { condition, result } in conditions {
            let truth = match &operand {
                Some(operand) => {
                    let value = self.of(condition)?;
                    let (left, right) = operators::compared(operand, &value, condition)?;
                    left.eq(right)
                }
                None => self.truth(condition)?,
            };
            branches.push((truth, self.of(result)?));
        }
        let other = other.map_or(Ok(Typed::null()), |other| self.of(other))?;
        let results: Vec<&Typed> = branches.iter().map(|(_, result)| result).chain([&other]).collect();
        let Some(kind) = common(results.iter().copied()) else { return unlike(whole, &results) };
        let branches: Option<Vec<_>> =
            branches.iter().map(|(truth, result)| Some((truth.clone(), result.to(kind)?))).collect();
        let whole = branches.zip(other.to(kind)).map(|(branches, other)| branches::first_true(&branches, other));
        Ok(Typed::new(whole.unwrap_or_else(|| lit(NULL)), kind))
    }

    /// Translates COALESCE: the first value that is not null.
    pub fn first_known(values: &[Typed], whole: &Expr) -> Result<Typed, Unsupported> {
        let Some(kind) = common(values) else { return unlike(whole, &values.iter().collect::<Vec<_>>()) };
        let all: Vec<Column> = values.iter().filter_map(|value| value.to(kind)).collect();
        Ok(Typed::new(coalesce(&all), kind))
    }
}

/// Message for an expression of a kind that is not supported, with its word or its text.
fn not_supported(expr: &Expr) -> String {
    let text = expr.to_string();
    let word = match expr {
        Expr::SimilarTo { .. } => "SIMILAR TO",
        Expr::Like { .. } | Expr::ILike { .. } => "ESCAPE",
        Expr::Collate { .. } => "COLLATE",
        Expr::Position { .. } => "POSITION",
        Expr::AtTimeZone { .. } => "AT TIME ZONE",
        Expr::AnyOp { .. } => "ANY",
        Expr::AllOp { .. } => "ALL",
        Expr::Interval(_) | Expr::TypedString(_) | Expr::Extract { .. } | Expr::Rollup(_) | Expr::Cube(_) => {
            text.split([' ', '(']).next().unwrap_or(&text)
        }
        Expr::GroupingSets(_) => "GROUPING SETS",
        _ => &text,
    };
    format!("`{word}` is not supported")
}

/// Error for several values that have no common type.
pub(super) fn unlike<T>(whole: &Expr, values: &[&Typed]) -> Result<T, Unsupported> {
    let mut words: Vec<&str> = values.iter().map(|value| value.kind.word()).collect();
    words.dedup();
    unsupported(whole.span(), format!("expected values of one type, found {}", words.join(" and ")))
}

pub(super) fn negated_if(truth: Column, negated: bool) -> Column {
    if negated { truth.not() } else { truth }
}

fn ungrouped<T>(name: &Ident) -> Result<T, Unsupported> {
    let name_text = &name.value;
    unsupported(
        name.span,
        format!("`{name_text}` is neither grouped nor aggregated: add it to GROUP BY, or use max({name_text})"),
    )
}

fn correlated<T>(name: &Ident) -> Result<T, Unsupported> {
    let message = format!("`{}` is a column of the outer query, which a subquery cannot use: use a join", name.value);
    unsupported(name.span, message)
}
