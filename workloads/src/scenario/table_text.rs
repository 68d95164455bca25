//! Typed access to the keys of a TOML table.

use super::expression::Expression;
use super::expression_text::{Wrong, unknown};
use std::ops::Range;
use taut_runtime::{ProfileError, TomlSource};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Table with its path and position.
pub(super) struct Table<'s, 't> {
    pub source: &'s TomlSource<'s>,
    /// Prefix of its keys: `phase[0].`.
    pub path: String,
    pub table: &'t DeTable<'t>,
    pub span: Range<usize>,
}

impl<'s, 't> Table<'s, 't> {
    /// Converts the value of a key that must be a table.
    pub fn from_value(
        source: &'s TomlSource<'s>,
        path: &str,
        value: &'t Spanned<DeValue<'t>>,
    ) -> Result<Table<'s, 't>, ProfileError> {
        let DeValue::Table(table) = value.get_ref() else {
            return Err(source.error(value.span(), path, "a table".to_owned(), value.get_ref().type_str().to_owned()));
        };
        Ok(Table { source, path: format!("{path}."), table, span: value.span() })
    }

    /// Returns names, full keys and values in the order of the text.
    pub fn entries(&self) -> Vec<(&'t str, String, &'t Spanned<DeValue<'t>>)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let entry = |(key, value): (&'t Spanned<_>, _)| {
            let name: &'t std::borrow::Cow<'t, str> = key.get_ref();
            (name.as_ref(), format!("{}{name}", self.path), value)
        };
        entries.into_iter().map(entry).collect()
    }

    /// Checks that all keys are known.
    pub fn has_only(&self, known: &[&str]) -> Result<(), ProfileError> {
        self.source.check_keys(&self.path, self.table, known)
    }

    pub fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// Creates the error for a key's value.
    pub fn wrong(&self, key: &str, wrong: Wrong) -> ProfileError {
        let span = self.get(key).map_or(self.span.clone(), Spanned::span);
        self.source.error(span, &format!("{}{key}", self.path), wrong.expected, wrong.found)
    }

    fn expected(&self, key: &str, expected: &str) -> ProfileError {
        let found = match self.get(key).map(Spanned::get_ref) {
            None => "none".to_owned(),
            Some(DeValue::String(text)) => format!("\"{text}\""),
            Some(DeValue::Integer(number)) => number.as_str().to_owned(),
            Some(DeValue::Float(number)) => number.as_str().to_owned(),
            Some(other) => other.type_str().to_owned(),
        };
        self.wrong(key, Wrong { expected: expected.to_owned(), found })
    }

    /// Returns a string and its position.
    pub fn text(&self, key: &str) -> Result<Option<(&'t str, Range<usize>)>, ProfileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = value.get_ref().as_str().map(|text| (text, value.span()));
        text.map(Some).ok_or_else(|| self.expected(key, "a string"))
    }

    /// Returns a required string.
    pub fn required_text(&self, key: &str) -> Result<(&'t str, Range<usize>), ProfileError> {
        self.text(key)?.ok_or_else(|| self.expected(key, "a string"))
    }

    pub fn flag(&self, key: &str) -> Result<Option<bool>, ProfileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.get_ref().as_bool().map(Some).ok_or_else(|| self.expected(key, "true or false"))
    }

    /// Returns a whole number from `min` to `max`.
    pub fn number(&self, key: &str, min: u64, max: u64) -> Result<Option<u64>, ProfileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = value.get_ref().as_integer();
        let number = number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        let number = number.filter(|number| (min..=max).contains(number));
        number.map(Some).ok_or_else(|| self.expected(key, &format!("a whole number from {min} to {max}")))
    }

    /// Returns the value of one of several words.
    pub fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, ProfileError> {
        let Some((found, _)) = self.text(key)? else { return Ok(None) };
        let known = words.iter().find(|(word, _)| *word == found).map(|(_, value)| Some(*value));
        known.ok_or_else(|| self.wrong(key, unknown("one of", found, words.iter().map(|(word, _)| *word))))
    }

    /// Returns a number or an expression.
    pub fn expression(&self, key: &str) -> Result<Option<Expression>, ProfileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = |text: &str| text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
        let expression = match value.get_ref() {
            DeValue::Boolean(truth) => Some(Expression::Number(f64::from(*truth))),
            DeValue::Integer(integer) if integer.radix() == 10 => number(integer.as_str()).map(Expression::Number),
            DeValue::Float(float) => number(float.as_str()).map(Expression::Number),
            DeValue::String(text) => Some(Expression::parse(text).map_err(|wrong| self.wrong(key, wrong))?),
            _ => None,
        };
        expression.map(Some).ok_or_else(|| self.expected(key, "a number or an expression"))
    }

    /// Returns a list.
    pub fn list(&self, key: &str) -> Result<Option<&'t DeArray<'t>>, ProfileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.get_ref().as_array().map(Some).ok_or_else(|| self.expected(key, "a list"))
    }

    /// Line of the text on which the table begins.
    pub fn line(&self) -> usize {
        self.source.error(self.span.clone(), "", String::new(), String::new()).line
    }
}
