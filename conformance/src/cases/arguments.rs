//! Arguments of a step.

use super::found::{Found, Names, number};
use serde_json::{Map, Value};

/// Arguments of a step, with the named results that they may refer to.
pub(super) struct Arguments<'s> {
    pub values: &'s Map<String, Value>,
    pub names: &'s Names,
    /// The step's result has a name.
    pub is_named: bool,
}

fn wrong<T>(name: &str, expected: &str, found: &Value) -> Result<T, String> {
    Err(format!("argument {name}: expected {expected}, found {found}"))
}

/// Returns a number of 32 bits, written as such or in hexadecimal.
fn whole(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => u32::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        value => value.as_u64().and_then(|number| number.try_into().ok()),
    }
}

impl Arguments<'_> {
    /// True if the argument is null.
    pub fn is_null(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(Value::is_null)
    }

    /// Returns a Boolean argument, or the default.
    pub fn bool(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.values.get(name) {
            None => Ok(default),
            Some(value) => value.as_bool().map_or_else(|| wrong(name, "true or false", value), Ok),
        }
    }

    fn number(&self, name: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        number(value).map_or_else(|| wrong(name, "a number", value), |number| Ok(Some(number)))
    }

    /// Returns an integer argument, or the default.
    pub fn count(&self, name: &str, default: u32) -> Result<u32, String> {
        Ok(self.number(name)?.map_or(default, |number| number as u32))
    }

    /// Returns the bits of a float argument, or of the default.
    pub fn float(&self, name: &str, default: f32) -> Result<u32, String> {
        Ok(self.number(name)?.map_or(default, |number| number as f32).to_bits())
    }

    /// Returns a text argument, or the default.
    pub fn text(&self, name: &str, default: &str) -> Result<String, String> {
        match self.values.get(name) {
            None => Ok(default.to_owned()),
            Some(value) => value.as_str().map_or_else(|| wrong(name, "a text", value), |text| Ok(text.to_owned())),
        }
    }

    /// Returns a list of numbers; empty if the argument is missing.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, String> {
        let Some(value) = self.values.get(name) else { return Ok(Vec::new()) };
        let numbers = value.as_array().and_then(|all| all.iter().map(number).collect());
        numbers.map_or_else(|| wrong(name, "numbers", value), Ok)
    }

    /// Returns a list of lists of numbers.
    pub fn rows(&self, name: &str) -> Result<Vec<Vec<f64>>, String> {
        let Some(value) = self.values.get(name) else { return Ok(Vec::new()) };
        let row = |row: &Value| row.as_array()?.iter().map(number).collect::<Option<Vec<f64>>>();
        let rows = value.as_array().and_then(|all| all.iter().map(row).collect());
        rows.map_or_else(|| wrong(name, "lists of numbers", value), Ok)
    }

    /// Returns a parsed word, or the default.
    pub fn word<T>(&self, name: &str, default: Option<T>, parse: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        match (self.values.get(name), default) {
            (None, Some(default)) => Ok(default),
            (None, None) => Err(format!("argument {name} is missing")),
            (Some(value), _) => {
                value.as_str().and_then(parse).map_or_else(|| wrong(name, "one of its words", value), Ok)
            }
        }
    }

    /// Returns an enumerator, by name or number, or the default.
    pub fn enumerator<T>(
        &self,
        name: &str,
        default: Option<T>,
        parse: impl Fn(&str) -> Option<T>,
        from_number: impl Fn(u32) -> T,
    ) -> Result<T, String> {
        match self.values.get(name).and_then(whole) {
            Some(number) => Ok(from_number(number)),
            None => self.word(name, default, parse),
        }
    }

    /// Returns the union of the flags in a list of names and numbers, or a number.
    pub fn flags(&self, name: &str, parse: impl Fn(&str) -> Option<u32>) -> Result<u32, String> {
        let Some(value) = self.values.get(name) else { return Ok(0) };
        if let Some(bits) = whole(value) {
            return Ok(bits);
        }
        let Some(all) = value.as_array() else { return wrong(name, "a list of its words", value) };
        let flag = |word: &Value| {
            let bits = whole(word).or_else(|| word.as_str().and_then(&parse));
            bits.map_or_else(|| wrong(name, "one of its words", word), Ok)
        };
        all.iter().try_fold(0, |bits, word| Ok(bits | flag(word)?))
    }

    /// Returns a list of enumerators, by name or number.
    pub fn enumerators<T>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Option<T>,
        from_number: impl Fn(u32) -> T,
    ) -> Result<Vec<T>, String> {
        let Some(value) = self.values.get(name) else { return Ok(Vec::new()) };
        let Some(all) = value.as_array() else { return wrong(name, "a list of its words", value) };
        let one = |word: &Value| {
            let found = whole(word).map(&from_number).or_else(|| word.as_str().and_then(&parse));
            found.map_or_else(|| wrong(name, "one of its words", word), Ok)
        };
        all.iter().map(one).collect()
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

    /// Returns an object; 0 for null.
    pub fn object(&self, name: &str) -> Result<u64, String> {
        let value = self.values.get(name).ok_or_else(|| format!("argument {name} is missing"))?;
        self.named(name, value)
    }

    /// Returns a list of objects.
    pub fn objects(&self, name: &str) -> Result<Vec<u64>, String> {
        let value = self.values.get(name).ok_or_else(|| format!("argument {name} is missing"))?;
        let Some(all) = value.as_array() else { return wrong(name, "a list of names", value) };
        all.iter().map(|value| self.named(name, value)).collect()
    }
}
