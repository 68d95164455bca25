//! Expressions of a question as expressions over columns.

use super::grouping::Grouping;
use super::kind::{Kind, Typed, common};
use super::literal;
use super::refusal::{Refused, missing, refuse};
use super::scope::{Named, Scope, same};
use super::windows::Windows;
use super::{Planner, operators, pattern};
use polars::prelude::{Expr as Column, NULL, coalesce, lit, when};
use sqlparser::ast::{CaseWhen, Expr, Ident, Spanned, UnaryOperator, Value};

/// Turns expressions into columns, within one `SELECT`.
pub(super) struct Expressions<'a> {
    pub planner: &'a Planner<'a>,
    pub named: &'a Named,
    pub scope: &'a Scope,
    /// The columns of the questions around this one, which it cannot use.
    pub outer: &'a [Scope],
    /// What `SELECT` calls its expressions.
    pub aliases: &'a [(Ident, Expr)],
    /// An alias comes before a column of that name.
    pub alias_first: bool,
    /// There are groups: what is neither of their keys nor an aggregate cannot be named.
    pub grouping: Option<Grouping>,
    /// Window functions; none where there cannot be any.
    pub windows: Option<Windows>,
    /// Aliases that are being looked up.
    pub depth: usize,
}

impl Expressions<'_> {
    pub fn of(&mut self, expr: &Expr) -> Result<Typed, Refused> {
        if let Some(key) = self.key(expr) {
            return Ok(key);
        }
        match expr {
            Expr::Identifier(name) => self.name(name),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, name] => self.qualified(table, name),
                _ => refuse(expr.span(), "a column is named `column` or `table.column`"),
            },
            Expr::Nested(inner) => self.of(inner),
            Expr::Value(value) => literal::of(&value.value, value.span),
            Expr::UnaryOp { op, expr: inner } => self.unary(*op, inner, expr),
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
            Expr::Ceil { .. }
            | Expr::Floor { .. }
            | Expr::Position { .. }
            | Expr::Substring { .. }
            | Expr::Trim { .. } => self.spelled_function(expr),
            Expr::Tuple(_) | Expr::Array(_) => {
                refuse(expr.span(), "a list stands only after IN; here one value is meant")
            }
            Expr::Wildcard(_) | Expr::QualifiedWildcard(..) => {
                refuse(expr.span(), "`*` stands only after SELECT and in count(*)")
            }
            Expr::Interval(_) | Expr::TypedString(_) | Expr::Extract { .. } | Expr::AtTimeZone { .. } => {
                refuse(expr.span(), "the tables have no dates; times are in ticks and nanoseconds")
            }
            _ => refuse(expr.span(), "this kind of expression is not supported"),
        }
    }

    /// A condition.
    pub fn truth(&mut self, expr: &Expr) -> Result<Column, Refused> {
        let typed = self.of(expr)?;
        match typed.to(Kind::Bool) {
            Some(truth) => Ok(truth),
            None => refuse(expr.span(), format!("a condition is meant here, and this is {}", typed.kind.word())),
        }
    }

    fn name(&mut self, name: &Ident) -> Result<Typed, Refused> {
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
            return refuse(name.span, format!("there is no column `{}`: text stands in single quotes", name.value));
        }
        missing(name.span, "column", &name.value, known)
    }

    fn qualified(&mut self, table: &Ident, name: &Ident) -> Result<Typed, Refused> {
        if !self.scope.has_table(&table.value) && self.outer.iter().any(|outer| outer.has_table(&table.value)) {
            return correlated(name);
        }
        let found = self.scope.qualified(table, name)?;
        if self.grouping.is_some() { ungrouped(name) } else { Ok(found) }
    }

    /// What `SELECT` calls by this name.
    fn alias(&mut self, name: &Ident) -> Result<Option<Typed>, Refused> {
        let Some((_, expr)) = self.aliases.iter().find(|(alias, _)| same(&alias.value, &name.value)) else {
            return Ok(None);
        };
        // `SELECT width * 2 AS width`: within, the name is the column's.
        if self.depth > 8 {
            return refuse(name.span, format!("`{}` is defined by itself", name.value));
        }
        let first = std::mem::replace(&mut self.alias_first, false);
        self.depth += 1;
        let found = self.of(expr);
        self.depth -= 1;
        self.alias_first = first;
        found.map(Some)
    }

    fn unary(&mut self, op: UnaryOperator, inner: &Expr, whole: &Expr) -> Result<Typed, Refused> {
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
                operators::binary(&zero, &sqlparser::ast::BinaryOperator::Minus, &typed, whole)
            }
            _ => refuse(whole.span(), "this operator is not supported"),
        }
    }

    fn distinct(&mut self, left: &Expr, right: &Expr, distinct: bool, whole: &Expr) -> Result<Typed, Refused> {
        let (left, right) = (self.of(left)?, self.of(right)?);
        let (left, right) = operators::compared(&left, &right, whole)?;
        let same = left.clone().eq(right.clone()).fill_null(lit(false)).or(left.is_null().and(right.is_null()));
        Ok(Typed::new(negated_if(same, distinct), Kind::Bool))
    }

    fn like(&mut self, inner: &Expr, pattern: &Expr, negated: bool, any_case: bool) -> Result<Typed, Refused> {
        let (text, like) = (self.of(inner)?, self.of(pattern)?);
        let Some(column) = text.to(Kind::Text) else {
            return refuse(inner.span(), format!("LIKE is for text, and this is {}", text.kind.word()));
        };
        let Some(like) = like.text else {
            return refuse(pattern.span(), "the pattern of LIKE must be a text in quotes");
        };
        Ok(Typed::new(negated_if(pattern::matches(column, &like, any_case), negated), Kind::Bool))
    }

    fn in_list(&mut self, inner: &Expr, list: &[Expr], negated: bool) -> Result<Typed, Refused> {
        let value = self.of(inner)?;
        let mut equals = Vec::with_capacity(list.len());
        for one in list {
            let typed = self.of(one)?;
            let (left, right) = operators::compared(&value, &typed, one)?;
            equals.push(left.eq(right));
        }
        let any = any_of(equals).unwrap_or_else(|| lit(false));
        Ok(Typed::new(negated_if(any, negated), Kind::Bool))
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        other: Option<&Expr>,
        whole: &Expr,
    ) -> Result<Typed, Refused> {
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
        let whole = branches.iter().rev().fold(other.to(kind), |other, (truth, result)| {
            Some(when(truth.clone()).then(result.to(kind)?).otherwise(other?))
        });
        Ok(Typed::new(whole.unwrap_or_else(|| lit(NULL)), kind))
    }

    /// The first of several that is not null.
    pub fn first_known(values: &[Typed], whole: &Expr) -> Result<Typed, Refused> {
        let Some(kind) = common(values) else { return unlike(whole, &values.iter().collect::<Vec<_>>()) };
        let all: Vec<Column> = values.iter().filter_map(|value| value.to(kind)).collect();
        Ok(Typed::new(coalesce(&all), kind))
    }
}

/// Several values that cannot be of one column.
pub(super) fn unlike<T>(whole: &Expr, values: &[&Typed]) -> Result<T, Refused> {
    let mut words: Vec<&str> = values.iter().map(|value| value.kind.word()).collect();
    words.dedup();
    refuse(whole.span(), format!("the values here must be of one kind, and are {}", words.join(" and ")))
}

/// Whether one of them is true, put together in halves: what is made of a chain goes down it again at every level.
fn any_of(mut all: Vec<Column>) -> Option<Column> {
    match all.len() {
        0 | 1 => all.pop(),
        length => {
            let rest = all.split_off(length / 2);
            Some(any_of(all)?.or(any_of(rest)?))
        }
    }
}

pub(super) fn negated_if(truth: Column, negated: bool) -> Column {
    if negated { truth.not() } else { truth }
}

fn ungrouped<T>(name: &Ident) -> Result<T, Refused> {
    let name_text = &name.value;
    refuse(
        name.span,
        format!("`{name_text}` is neither grouped nor aggregated: add it to GROUP BY, or take max({name_text})"),
    )
}

fn correlated<T>(name: &Ident) -> Result<T, Refused> {
    let message =
        format!("`{}` is of the question around this one, which a subquery cannot use: write a join", name.value);
    refuse(name.span, message)
}
