//! Number and text literals.

use super::kind::{Kind, Typed};
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::lit;
use sqlparser::ast::Value;
use sqlparser::tokenizer::Span;

/// Translates a literal.
pub(super) fn translate(value: &Value, at: Span) -> Result<Typed, Unsupported> {
    match value {
        Value::Number(text, _) => number(text, at),
        Value::SingleQuotedString(text) => {
            Ok(Typed { text: Some(text.clone()), ..Typed::new(lit(text.as_str()), Kind::Text) })
        }
        Value::Boolean(truth) => Ok(Typed::new(lit(*truth), Kind::Bool)),
        Value::Null => Ok(Typed::null()),
        Value::Placeholder(name) => {
            unsupported(at, format!("`{name}` is a parameter, which is not supported: write the value"))
        }
        _ => unsupported(at, "a text has single quotes: 'text'"),
    }
}

/// Parses an integer, with `_` as separator. `None` beyond 128 bits.
pub(super) fn integer(text: &str) -> Option<i128> {
    text.replace('_', "").parse().ok()
}

fn number(text: &str, at: Span) -> Result<Typed, Unsupported> {
    if let Some(typed) = integer(text).and_then(Typed::integer) {
        return Ok(typed);
    }
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<f64>() {
        Ok(number) if !is_integer && number.is_finite() => Ok(Typed::new(lit(number), Kind::Real)),
        _ => unsupported(at, "this number does not fit into 64 bits"),
    }
}
