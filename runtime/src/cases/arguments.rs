//! The arguments of a step.

use super::found::{Found, Names, number};
use serde_json::{Map, Value};

/// A step's arguments, and the names that they may be.
pub(super) struct Arguments<'s> {
    pub given: &'s Map<String, Value>,
    pub names: &'s Names,
    /// What the step makes has a name.
    pub is_named: bool,
}

fn wrong<T>(name: &str, expected: &str, found: &Value) -> Result<T, String> {
    Err(format!("argument {name}: expected {expected}, found {found}"))
}

impl Arguments<'_> {
    /// Whether it is given as null.
    pub fn is_null(&self, name: &str) -> bool {
        self.given.get(name).is_some_and(Value::is_null)
    }

    /// A truth value, or its default.
    pub fn bool(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.given.get(name) {
            None => Ok(default),
            Some(value) => value.as_bool().map_or_else(|| wrong(name, "true or false", value), Ok),
        }
    }

    fn number(&self, name: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.given.get(name) else { return Ok(None) };
        number(value).map_or_else(|| wrong(name, "a number", value), |number| Ok(Some(number)))
    }

    /// A whole number, or its default.
    pub fn count(&self, name: &str, default: u32) -> Result<u32, String> {
        Ok(self.number(name)?.map_or(default, |number| number as u32))
    }

    /// The bits of a float, or of its default.
    pub fn float(&self, name: &str, default: f32) -> Result<u32, String> {
        Ok(self.number(name)?.map_or(default, |number| number as f32).to_bits())
    }

    /// Numbers; none where they are not given.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, String> {
        let Some(value) = self.given.get(name) else { return Ok(Vec::new()) };
        let numbers = value.as_array().and_then(|all| all.iter().map(number).collect());
        numbers.map_or_else(|| wrong(name, "numbers", value), Ok)
    }

    /// A list of lists of numbers.
    pub fn rows(&self, name: &str) -> Result<Vec<Vec<f64>>, String> {
        let Some(value) = self.given.get(name) else { return Ok(Vec::new()) };
        let row = |row: &Value| row.as_array()?.iter().map(number).collect::<Option<Vec<f64>>>();
        let rows = value.as_array().and_then(|all| all.iter().map(row).collect());
        rows.map_or_else(|| wrong(name, "lists of numbers", value), Ok)
    }

    /// What a word stands for, or its default.
    pub fn word<T>(&self, name: &str, default: Option<T>, parse: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        match (self.given.get(name), default) {
            (None, Some(default)) => Ok(default),
            (None, None) => Err(format!("argument {name} is missing")),
            (Some(value), _) => {
                value.as_str().and_then(parse).map_or_else(|| wrong(name, "one of its words", value), Ok)
            }
        }
    }

    /// The flags that words stand for.
    pub fn flags(&self, name: &str, parse: impl Fn(&str) -> Option<u32>) -> Result<u32, String> {
        let Some(value) = self.given.get(name) else { return Ok(0) };
        let flag = |word: &Value| word.as_str().and_then(&parse);
        let all = value.as_array().and_then(|all| all.iter().map(flag).sum());
        all.map_or_else(|| wrong(name, "a list of its words", value), Ok)
    }

    /// The words of a list.
    pub fn words<T>(&self, name: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
        let Some(value) = self.given.get(name) else { return Ok(Vec::new()) };
        let words = value.as_array().and_then(|all| all.iter().map(|word| word.as_str().and_then(&parse)).collect());
        words.map_or_else(|| wrong(name, "a list of its words", value), Ok)
    }

    fn named(&self, name: &str, value: &Value) -> Result<u64, String> {
        let found = match value {
            Value::Null => return Ok(0),
            Value::String(text) => self.names.get(text),
            _ => None,
        };
        match found {
            Some(Found::Object(object)) => Ok(*object),
            _ => wrong(name, "the name of an object", value),
        }
    }

    /// An object; 0 is null.
    pub fn object(&self, name: &str) -> Result<u64, String> {
        let value = self.given.get(name).ok_or_else(|| format!("argument {name} is missing"))?;
        self.named(name, value)
    }

    /// Objects.
    pub fn objects(&self, name: &str) -> Result<Vec<u64>, String> {
        let value = self.given.get(name).ok_or_else(|| format!("argument {name} is missing"))?;
        let Some(all) = value.as_array() else { return wrong(name, "a list of names", value) };
        all.iter().map(|value| self.named(name, value)).collect()
    }
}
