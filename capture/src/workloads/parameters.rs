//! What a workload can be told.

use super::error::WorkloadError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use taut_schemas::nearest;

/// A parameter of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Name.
    pub name: &'static str,
    /// The values it can have.
    pub range: Range,
    /// What it is.
    pub description: &'static str,
}

/// The values a parameter can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// A whole number.
    Number {
        /// Value if none is given.
        default: u64,
        /// Least value.
        least: u64,
        /// Greatest value.
        greatest: u64,
    },
    /// One of some words; the first if none is given.
    Word(&'static [&'static str]),
}

/// A parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterValue {
    /// A whole number.
    Number(u64),
    /// One of the parameter's words.
    Word(&'static str),
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterValue::Number(number) => write!(f, "{number}"),
            ParameterValue::Word(word) => f.write_str(word),
        }
    }
}

impl From<ParameterValue> for Value {
    fn from(value: ParameterValue) -> Value {
        match value {
            ParameterValue::Number(number) => Value::from(number),
            ParameterValue::Word(word) => Value::from(word),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Number { least, greatest, .. } => write!(f, "a whole number from {least} to {greatest}"),
            Range::Word(words) => f.write_str(&words.join(" or ")),
        }
    }
}

impl Parameter {
    /// A parameter that is a whole number from `least` to `greatest`.
    pub const fn number(
        name: &'static str,
        default: u64,
        (least, greatest): (u64, u64),
        description: &'static str,
    ) -> Parameter {
        Parameter { name, range: Range::Number { default, least, greatest }, description }
    }

    /// A parameter that is one of `words`, the first by default.
    pub const fn word(name: &'static str, words: &'static [&'static str], description: &'static str) -> Parameter {
        Parameter { name, range: Range::Word(words), description }
    }

    /// The parameter `threads` of a workload in which there is nothing to do for a second one.
    pub const ONE_PLAYS: Parameter =
        Parameter::number("threads", 1, (1, 64), "any number will do: only one application thread plays");

    /// The parameter `seed` of a workload that leaves nothing to chance.
    pub(super) const NO_CHANCE: Parameter =
        Parameter::number("seed", 1, (0, u64::MAX), "has no influence: nothing here is left to chance");

    /// Value if none is given.
    pub fn default(&self) -> ParameterValue {
        match self.range {
            Range::Number { default, .. } => ParameterValue::Number(default),
            Range::Word(words) => ParameterValue::Word(words.first().copied().unwrap_or_default()),
        }
    }

    fn parse(&self, found: String) -> Result<ParameterValue, WorkloadError> {
        let value = match self.range {
            Range::Number { least, greatest, .. } => {
                let number = found.parse().ok().filter(|number| (least..=greatest).contains(number));
                number.map(ParameterValue::Number)
            }
            Range::Word(words) => words.iter().find(|word| **word == found).copied().map(ParameterValue::Word),
        };
        value.ok_or_else(|| {
            let words: &[&'static str] = if let Range::Word(words) = self.range { words } else { &[] };
            let suggestion = nearest(&found, words.iter().copied());
            WorkloadError::Parameter { name: self.name, expected: self.range, suggestion, found }
        })
    }
}

/// A value for each parameter of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    values: BTreeMap<&'static str, ParameterValue>,
}

impl Parameters {
    /// The values given, and the defaults of those not given.
    ///
    /// # Errors
    /// A name is none of `known`, or a value is not in its parameter's range.
    pub fn new(known: &[Parameter], given: BTreeMap<String, String>) -> Result<Parameters, WorkloadError> {
        let mut values: BTreeMap<_, _> = known.iter().map(|parameter| (parameter.name, parameter.default())).collect();
        for (name, found) in given {
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
                let suggestion = nearest(&name, known.iter().map(|parameter| parameter.name));
                let known = known.iter().map(|parameter| parameter.name).collect();
                return Err(WorkloadError::UnknownParameter { name, suggestion, known });
            };
            values.insert(parameter.name, parameter.parse(found)?);
        }
        Ok(Parameters { values })
    }

    /// The value of a parameter that is a number; 0 for any other.
    pub fn get(&self, name: &str) -> u64 {
        match self.values.get(name) {
            Some(ParameterValue::Number(number)) => *number,
            Some(ParameterValue::Word(_)) | None => 0,
        }
    }

    /// The same as a 32-bit number, the greatest there is if it is larger.
    pub fn count(&self, name: &str) -> u32 {
        u32::try_from(self.get(name)).unwrap_or(u32::MAX)
    }

    /// The value of a parameter that is a word; empty for any other.
    pub fn word(&self, name: &str) -> &'static str {
        match self.values.get(name) {
            Some(ParameterValue::Word(word)) => word,
            Some(ParameterValue::Number(_)) | None => "",
        }
    }

    /// Every value by name, for a trace's header.
    pub fn values(&self) -> BTreeMap<String, Value> {
        self.values.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Parameter] = &[
        Parameter::number("seed", 1, (0, u64::MAX), ""),
        Parameter::number("threads", 2, (1, 64), ""),
        Parameter::word("items", &["views", "accessors"], ""),
    ];

    fn given(name: &str, value: &str) -> Result<Parameters, WorkloadError> {
        Parameters::new(KNOWN, BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let parameters = given("threads", "7").unwrap();
        assert_eq!((parameters.get("seed"), parameters.get("threads"), parameters.word("items")), (1, 7, "views"));
        let values = [("items", Value::from("views")), ("seed", Value::from(1)), ("threads", Value::from(7))];
        assert_eq!(parameters.values(), values.map(|(name, value)| (name.to_owned(), value)).into());
        assert_eq!(given("seed", "18446744073709551615").unwrap().get("seed"), u64::MAX);
        assert_eq!(given("items", "accessors").unwrap().word("items"), "accessors");
    }

    #[test]
    fn a_wrong_name_or_value_is_told() {
        let told = [
            ("thread", "7"),
            ("colour", "7"),
            ("threads", "0"),
            ("threads", "two"),
            ("seed", "-1"),
            ("items", "veiws"),
            ("items", "everything"),
        ];
        let told = told.map(|(name, value)| given(name, value).unwrap_err().to_string());
        assert_eq!(
            told,
            [
                "expected a parameter of the workload (did you mean \"threads\"?), found \"thread\"",
                "expected a parameter of the workload (one of seed, threads, items), found \"colour\"",
                "parameter threads: expected a whole number from 1 to 64, found \"0\"",
                "parameter threads: expected a whole number from 1 to 64, found \"two\"",
                "parameter seed: expected a whole number from 0 to 18446744073709551615, found \"-1\"",
                "parameter items: expected views or accessors (did you mean \"views\"?), found \"veiws\"",
                "parameter items: expected views or accessors, found \"everything\"",
            ]
        );
    }
}
