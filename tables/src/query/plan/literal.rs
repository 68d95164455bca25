//! Numbers and text as a question writes them.

use super::kind::{Kind, Typed};
use super::refusal::{Refused, refuse};
use polars::prelude::lit;
use sqlparser::ast::Value;
use sqlparser::tokenizer::Span;

/// A literal.
pub(super) fn of(value: &Value, at: Span) -> Result<Typed, Refused> {
    match value {
        Value::Number(text, _) => number(text, at),
        Value::SingleQuotedString(text) => {
            Ok(Typed { text: Some(text.clone()), ..Typed::new(lit(text.as_str()), Kind::Text) })
        }
        Value::Boolean(truth) => Ok(Typed::new(lit(*truth), Kind::Bool)),
        Value::Null => Ok(Typed::null()),
        Value::Placeholder(_) => refuse(at, "write the value itself: there are no parameters"),
        _ => refuse(at, "text stands in single quotes: 'text'"),
    }
}

/// An integer of any length.
pub(super) fn integer(text: &str) -> Option<i128> {
    text.replace('_', "").parse().ok()
}

fn number(text: &str, at: Span) -> Result<Typed, Refused> {
    if let Some(typed) = integer(text).and_then(Typed::integer) {
        return Ok(typed);
    }
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<f64>() {
        Ok(number) if !is_integer && number.is_finite() => Ok(Typed::new(lit(number), Kind::Real)),
        _ => refuse(at, "this number does not fit into 64 bits"),
    }
}
