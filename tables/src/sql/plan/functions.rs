//! Scalar functions with DuckDB's semantics.

use super::expression::{Expressions, unlike};
use super::kind::{Kind, Typed, common};
use super::{letter_case, operators, pattern};
use crate::sql::error::{Unsupported, missing, unsupported};
use polars::lazy::dsl::{max_horizontal, min_horizontal};
use polars::prelude::{DataType, Expr as Column, NULL, RoundMode, concat_str, lit, when};
use sqlparser::ast::{
    BinaryOperator, CeilFloorKind, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned,
    TrimWhereField,
};

/// Names of the scalar functions.
pub(crate) const ROW_FUNCTIONS: &[&str] = &[
    "abs",
    "ceil",
    "coalesce",
    "concat",
    "contains",
    "ends_with",
    "floor",
    "greatest",
    "if",
    "ifnull",
    "least",
    "left",
    "length",
    "ln",
    "lower",
    "ltrim",
    "mod",
    "nullif",
    "prefix",
    "regexp_matches",
    "replace",
    "right",
    "round",
    "rtrim",
    "sign",
    "sqrt",
    "starts_with",
    "substr",
    "substring",
    "suffix",
    "trim",
    "upper",
];

/// Returns the arguments of a function that takes plain expressions only.
pub(super) fn arguments<'a>(function: &'a Function, whole: &Expr) -> Result<Vec<&'a Expr>, Unsupported> {
    match &function.args {
        FunctionArguments::None => Ok(Vec::new()),
        FunctionArguments::List(list) if list.clauses.is_empty() => {
            let plain = list.args.iter().map(|argument| match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                _ => None,
            });
            let plain: Option<Vec<&Expr>> = plain.collect();
            plain.map_or_else(
                || unsupported(whole.span(), format!("`{}` does not take these arguments", function.name)),
                Ok,
            )
        }
        _ => unsupported(whole.span(), format!("`{}` does not take these arguments", function.name)),
    }
}

/// Returns the arguments of a function that is no aggregate.
pub(super) fn plain_arguments<'a>(function: &'a Function, whole: &Expr) -> Result<Vec<&'a Expr>, Unsupported> {
    let is_distinct = matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment.is_some());
    let nulls = function.null_treatment.as_ref().map(ToString::to_string);
    let words = [
        is_distinct.then_some("DISTINCT"),
        nulls.as_deref(),
        function.filter.as_ref().map(|_| "FILTER"),
        (!function.within_group.is_empty()).then_some("WITHIN GROUP"),
    ];
    match words.into_iter().flatten().next() {
        Some(word) => unsupported(whole.span(), format!("`{word}` is not supported in `{}`", function.name)),
        None => arguments(function, whole),
    }
}

pub(super) fn name_of(function: &Function) -> String {
    function.name.to_string().to_ascii_lowercase()
}

impl Expressions<'_> {
    pub fn function(&mut self, function: &Function, whole: &Expr) -> Result<Typed, Unsupported> {
        let name = name_of(function);
        if function.over.is_some() {
            return self.window(function, &name, whole);
        }
        if super::aggregates::NAMES.contains(&name.as_str()) {
            return self.aggregate(function, &name, whole);
        }
        if super::windows::ONLY.contains(&name.as_str()) {
            return unsupported(whole.span(), format!("{name} needs OVER (…)"));
        }
        if !ROW_FUNCTIONS.contains(&name.as_str()) {
            return no_function(&function.name.to_string(), whole);
        }
        let call_args = plain_arguments(function, whole)?;
        self.row_function(&name, &call_args, whole)
    }

    /// Translates functions with a syntax of their own, such as `TRIM(x)` and `SUBSTRING(x FROM 1)`.
    pub fn spelled_function(&mut self, whole: &Expr) -> Result<Typed, Unsupported> {
        match whole {
            Expr::Ceil { expr, field: CeilFloorKind::DateTimeField(_) } => self.row_function("ceil", &[expr], whole),
            Expr::Floor { expr, field: CeilFloorKind::DateTimeField(_) } => self.row_function("floor", &[expr], whole),
            Expr::Substring { expr, substring_from: Some(from), substring_for, .. } => {
                let mut call_args: Vec<&Expr> = vec![expr, from];
                call_args.extend(substring_for.as_deref());
                self.row_function("substr", &call_args, whole)
            }
            Expr::Trim { trim_where, trim_what: None, expr, trim_characters: None } => {
                let name = match trim_where {
                    Some(TrimWhereField::Leading) => "ltrim",
                    Some(TrimWhereField::Trailing) => "rtrim",
                    _ => "trim",
                };
                self.row_function(name, &[expr], whole)
            }
            _ => unsupported(whole.span(), format!("`{whole}` is not supported")),
        }
    }

    fn row_function(&mut self, name: &str, call_args: &[&Expr], whole: &Expr) -> Result<Typed, Unsupported> {
        if !ROW_FUNCTIONS.contains(&name) {
            return no_function(name, whole);
        }
        let values: Vec<Typed> = call_args.iter().map(|one| self.of(one)).collect::<Result<_, _>>()?;
        let found = match values.as_slice() {
            [one] => number_function(name, one).or_else(|| text_function(name, one)),
            [one, two] => two_values(name, one, two, whole)?,
            _ => None,
        };
        if let Some(found) = found {
            return Ok(found);
        }
        match (name, values.as_slice()) {
            ("coalesce", [_, ..]) => Expressions::first_known(&values, whole),
            ("concat", [_, ..]) => {
                let texts: Option<Vec<Column>> = values.iter().map(|value| value.to(Kind::Text)).collect();
                let Some(texts) = texts else { return wrong(name, &values, whole) };
                // concat skips nulls; `||` does not.
                let texts: Vec<Column> = texts.into_iter().map(|text| text.fill_null(lit(""))).collect();
                Ok(Typed::new(concat_str(texts, "", false), Kind::Text))
            }
            ("greatest" | "least", [_, ..]) => {
                let Some(kind) = common(&values).filter(|kind| matches!(kind, Kind::Int | Kind::Id | Kind::Real))
                else {
                    return unlike(whole, &values.iter().collect::<Vec<_>>());
                };
                let all: Vec<Column> = values.iter().filter_map(|value| value.to(kind)).collect();
                let extreme = if name == "greatest" { max_horizontal(all) } else { min_horizontal(all) };
                extreme.map_or_else(|_| wrong(name, &values, whole), |extreme| Ok(Typed::new(extreme, kind)))
            }
            ("if", [condition, then, other]) => {
                let (Some(truth), Some(kind)) = (condition.to(Kind::Bool), common([then, other])) else {
                    return wrong(name, &values, whole);
                };
                match (then.to(kind), other.to(kind)) {
                    (Some(then), Some(other)) => Ok(Typed::new(when(truth).then(then).otherwise(other), kind)),
                    _ => wrong(name, &values, whole),
                }
            }
            ("substr" | "substring", [text, from, rest @ ..]) if rest.len() <= 1 => {
                let length = match rest {
                    [] => Some(u32::MAX.into()),
                    [length, ..] => length.number.filter(|length| *length >= 0),
                };
                match (text.to(Kind::Text), from.number.filter(|from| *from > 0), length) {
                    (Some(text), Some(from), Some(length)) => {
                        let length = length.min(u32::MAX.into()) as u64;
                        Ok(Typed::new(text.str().slice(lit(from as i64 - 1), lit(length)), Kind::Text))
                    }
                    _ => {
                        unsupported(whole.span(), "substr takes a text, a constant start from 1 and a constant length")
                    }
                }
            }
            ("regexp_matches", [text, pattern]) => regexp_matches(text, pattern, whole),
            ("replace", [text, from, to]) => match (text.to(Kind::Text), &from.text, &to.text) {
                (Some(text), Some(from), Some(to)) if !from.is_empty() => {
                    let replaced = text.str().replace_all(lit(from.as_str()), lit(to.as_str()), true);
                    Ok(Typed::new(replaced, Kind::Text))
                }
                _ => unsupported(whole.span(), "replace takes a text and two quoted texts"),
            },
            _ => wrong(name, &values, whole),
        }
    }
}

/// Condition that a part of a text matches a quoted pattern.
fn regexp_matches(text: &Typed, pattern: &Typed, whole: &Expr) -> Result<Typed, Unsupported> {
    let (Some(text), Some(pattern)) = (text.to(Kind::Text), &pattern.text) else {
        return unsupported(whole.span(), "`regexp_matches` takes a text and a quoted pattern");
    };
    match pattern::regular_expression(pattern) {
        Some(regular) => Ok(Typed::new(text.str().contains(lit(regular), true), Kind::Bool)),
        None => unsupported(whole.span(), format!("the pattern `{pattern}` of regexp_matches is not supported")),
    }
}

/// Scalar functions of one number.
fn number_function(name: &str, one: &Typed) -> Option<Typed> {
    let real = || one.to(Kind::Real);
    match (name, one.kind) {
        ("abs", Kind::Int) => {
            // A result contains each argument once where possible: polars copies an expression for each occurrence, so the size of
            // nested functions would double with each level.
            let size = one.expr.clone().cast(DataType::Int128).abs();
            Some(Typed::new(operators::narrow(size), Kind::Int))
        }
        ("abs", Kind::Real) => Some(Typed::new(one.expr.clone().abs(), Kind::Real)),
        ("sign", Kind::Int) => Some(Typed::new(one.expr.clone().clip(lit(-1i64), lit(1i64)), Kind::Int)),
        ("ceil" | "floor" | "round", Kind::Int) => Some(one.clone()),
        ("ceil", Kind::Real) => Some(Typed::new(one.expr.clone().ceil(), Kind::Real)),
        ("floor", Kind::Real) => Some(Typed::new(one.expr.clone().floor(), Kind::Real)),
        ("round", Kind::Real) => Some(Typed::new(one.expr.clone().round(0, RoundMode::HalfAwayFromZero), Kind::Real)),
        ("sqrt", Kind::Int | Kind::Real) => Some(Typed::new(real()?.sqrt(), Kind::Real)),
        ("ln", Kind::Int | Kind::Real) => Some(Typed::new(real()?.log(lit(std::f64::consts::E)), Kind::Real)),
        _ => None,
    }
}

/// Scalar functions of one text.
fn text_function(name: &str, one: &Typed) -> Option<Typed> {
    let text = one.to(Kind::Text)?;
    Some(match name {
        "lower" => Typed::new(letter_case::lower(text), Kind::Text),
        "upper" => Typed::new(letter_case::upper(text), Kind::Text),
        "length" => Typed::new(text.str().len_chars().cast(DataType::Int64), Kind::Int),
        "trim" => Typed::new(text.str().strip_chars(lit(" ")), Kind::Text),
        "ltrim" => Typed::new(text.str().strip_chars_start(lit(" ")), Kind::Text),
        "rtrim" => Typed::new(text.str().strip_chars_end(lit(" ")), Kind::Text),
        _ => return None,
    })
}

fn two_values(name: &str, one: &Typed, two: &Typed, whole: &Expr) -> Result<Option<Typed>, Unsupported> {
    let texts = || Some((one.to(Kind::Text)?, two.to(Kind::Text)?));
    let truth = |of: fn(Column, Column) -> Column| texts().map(|(one, two)| Typed::new(of(one, two), Kind::Bool));
    Ok(match name {
        "mod" => Some(operators::binary(one, &BinaryOperator::Modulo, two, whole)?),
        "ifnull" => Some(Expressions::first_known(&[one.clone(), two.clone()], whole)?),
        "nullif" => {
            let (left, right) = operators::compared(one, two, whole)?;
            let unequal = when(left.eq(right)).then(lit(NULL)).otherwise(one.expr.clone());
            Some(Typed::new(unequal, one.kind))
        }
        "starts_with" | "prefix" => truth(|one, two| one.str().starts_with(two)),
        "ends_with" | "suffix" => truth(|one, two| one.str().ends_with(two)),
        "contains" => truth(|one, two| one.str().contains_literal(two)),
        "left" | "right" => match (one.to(Kind::Text), two.number.filter(|number| *number >= 0)) {
            (Some(text), Some(length)) => {
                let length = lit(length.min(u32::MAX.into()) as i64);
                let part = if name == "left" { text.str().head(length) } else { text.str().tail(length) };
                Some(Typed::new(part, Kind::Text))
            }
            _ => None,
        },
        "round" => match (one.to(Kind::Real), two.number.filter(|number| (0..=15).contains(number))) {
            (Some(_), Some(_)) if one.kind == Kind::Int => Some(one.clone()),
            (Some(real), Some(places)) => {
                Some(Typed::new(real.round(places as u32, RoundMode::HalfAwayFromZero), Kind::Real))
            }
            _ => None,
        },
        _ => None,
    })
}

/// Error for a function that does not exist.
pub(super) fn no_function<T>(name: &str, whole: &Expr) -> Result<T, Unsupported> {
    let known = ROW_FUNCTIONS.iter().chain(super::aggregates::NAMES).chain(super::windows::ONLY).copied();
    missing(whole.span(), "function", name, known)
}

fn wrong<T>(name: &str, values: &[Typed], whole: &Expr) -> Result<T, Unsupported> {
    let kinds: Vec<&str> = values.iter().map(|value| value.kind.word()).collect();
    let call_args = if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") };
    unsupported(whole.span(), format!("`{name}` does not take {call_args}"))
}
