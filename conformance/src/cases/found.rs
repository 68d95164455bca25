//! Results of calls, and their comparison with expectations.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A value in a call's result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    /// A number, a word, or a list of numbers or words.
    Plain(Value),
    /// An object; 0 is null.
    Object(u64),
    Objects(Vec<u64>),
    /// The output parameter was not written.
    Unchanged,
    /// Colours, compared within 1/255.
    Colour([f32; 4]),
    /// Words in any order; all must be expected.
    Set(Vec<String>),
    /// Words of which some are expected.
    Superset(Vec<String>),
    /// A value given at creation.
    AsCreated(Value),
}

/// Result of a call: its fields, and the value of its name.
#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    pub fields: BTreeMap<&'static str, Found>,
    /// An object, or a number.
    pub gives: Option<Found>,
}

impl Answer {
    /// Adds a field.
    pub fn with(mut self, name: &'static str, found: Found) -> Answer {
        self.fields.insert(name, found);
        self
    }

    /// Adds a plain field.
    pub fn plain(self, name: &'static str, value: impl Into<Value>) -> Answer {
        self.with(name, Found::Plain(value.into()))
    }

    /// Sets the resulting object.
    pub fn giving(self, object: u64) -> Answer {
        Answer { gives: Some(Found::Object(object)), ..self }
    }
}

/// Named results of earlier steps.
pub(super) type Names = BTreeMap<String, Found>;

fn named(names: &Names, expected: &Value) -> Option<u64> {
    match expected {
        Value::Null => Some(0),
        Value::String(name) => match names.get(name)? {
            Found::Object(object) => Some(*object),
            _ => None,
        },
        _ => None,
    }
}

/// Parses a number, written as such or as a string.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) if text == "FLT_MAX" => Some(f32::MAX.into()),
        Value::String(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok().map(|number| number as f64),
        value => value.as_f64(),
    }
}

/// Parses an expected number, possibly relative to an earlier result.
fn expected_number(names: &Names, expected: &Value) -> Option<f64> {
    let Value::String(text) = expected else { return number(expected) };
    let (name, more) = text.split_once('+').unwrap_or((text, "0"));
    match names.get(name) {
        Some(Found::Plain(known)) => Some(number(known)? + more.parse::<f64>().ok()?),
        _ => number(expected),
    }
}

fn equal(found: &Value, expected: &Value, names: &Names) -> bool {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            // For mapped memory, an expectation lists the first elements.
            found.len() >= expected.len()
                && found.iter().zip(expected).all(|(found, expected)| equal(found, expected, names))
        }
        (Value::Number(_), _) => {
            let numbers = number(found).zip(expected_number(names, expected));
            numbers.is_some_and(|(found, expected)| found == expected || found as f32 == expected as f32)
        }
        _ => found == expected,
    }
}

/// Returns the words of a list; for another value, a word that no list contains.
fn words_of(expected: &Value) -> Vec<&str> {
    let words = expected.as_array().map(|all| all.iter().map(|word| word.as_str().unwrap_or("")).collect());
    words.unwrap_or_else(|| vec![""])
}

impl Found {
    /// True if the value matches the expectation.
    pub fn is(&self, expected: &Value, names: &Names) -> bool {
        match self {
            Found::Unchanged => expected == "unchanged",
            Found::Object(object) if expected == "not null" => *object != 0,
            Found::Object(object) => named(names, expected) == Some(*object),
            Found::Objects(objects) => {
                let expected: Option<Vec<u64>> =
                    expected.as_array().and_then(|all| all.iter().map(|one| named(names, one)).collect());
                expected.as_ref() == Some(objects)
            }
            Found::Colour(colour) => {
                let expected: Vec<f64> =
                    expected.as_array().map_or(Vec::new(), |all| all.iter().filter_map(number).collect());
                let near = |(found, expected): (&f32, &f64)| (f64::from(*found) - expected).abs() <= 1.0 / 255.0;
                expected.len() == 4 && colour.iter().zip(&expected).all(near)
            }
            Found::Set(words) => {
                let expected = words_of(expected);
                expected.len() == words.len() && expected.iter().all(|word| words.iter().any(|one| one == word))
            }
            Found::Superset(words) => words_of(expected).iter().all(|word| words.iter().any(|one| one == word)),
            Found::AsCreated(value) => expected == "as created" || value == expected,
            Found::Plain(found) if expected == "bool" => found.is_boolean(),
            Found::Plain(found) => equal(found, expected, names),
        }
    }

    /// Returns the value for a difference, with objects by name.
    pub fn to_json(&self, names: &Names) -> Value {
        let name = |object: &u64| {
            let known = names.iter().find(|(_, found)| **found == Found::Object(*object));
            match (object, known) {
                (0, _) => Value::Null,
                (_, Some((name, _))) => json!(name),
                (object, None) => json!(format!("object {object}")),
            }
        };
        match self {
            Found::Unchanged => json!("unchanged"),
            Found::Object(object) => name(object),
            Found::Objects(objects) => objects.iter().map(name).collect(),
            Found::Colour(colour) => json!(colour),
            Found::Set(words) | Found::Superset(words) => json!(words),
            Found::Plain(value) | Found::AsCreated(value) => value.clone(),
        }
    }
}
