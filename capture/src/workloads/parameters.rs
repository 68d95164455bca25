//! What a generated workload can be told.

use super::error::WorkloadError;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use taut_schemas::nearest;

/// A parameter of a workload: a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Name.
    pub name: &'static str,
    /// Value if none is given.
    pub default: u64,
    /// Least value.
    pub least: u64,
    /// Greatest value.
    pub greatest: u64,
    /// What it is.
    pub description: &'static str,
}

/// A value for each parameter of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    values: BTreeMap<&'static str, u64>,
}

impl Parameters {
    /// The values given, and the defaults of those not given.
    ///
    /// # Errors
    /// A name is none of `known`, or a value is no number in its parameter's range.
    pub fn new(known: &[Parameter], given: BTreeMap<String, String>) -> Result<Parameters, WorkloadError> {
        let mut values: BTreeMap<_, _> = known.iter().map(|parameter| (parameter.name, parameter.default)).collect();
        for (name, found) in given {
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
                let suggestion = nearest(&name, known.iter().map(|parameter| parameter.name));
                return Err(WorkloadError::UnknownParameter { name, suggestion });
            };
            let range = parameter.least..=parameter.greatest;
            match found.parse() {
                Ok(value) if range.contains(&value) => drop(values.insert(parameter.name, value)),
                _ => {
                    let expected = format!("a whole number from {} to {}", parameter.least, parameter.greatest);
                    return Err(WorkloadError::Parameter { name, expected, found });
                }
            }
        }
        Ok(Parameters { values })
    }

    /// The value of a parameter; 0 for a name that is none.
    pub fn get(&self, name: &str) -> u64 {
        self.values.get(name).copied().unwrap_or_default()
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
        Parameter { name: "seed", default: 1, least: 0, greatest: u64::MAX, description: "" },
        Parameter { name: "threads", default: 2, least: 1, greatest: 64, description: "" },
    ];

    fn given(name: &str, value: &str) -> Result<Parameters, WorkloadError> {
        Parameters::new(KNOWN, BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let parameters = given("threads", "7").unwrap();
        assert_eq!((parameters.get("seed"), parameters.get("threads")), (1, 7));
        let values = BTreeMap::from([("seed".to_owned(), Value::from(1)), ("threads".to_owned(), Value::from(7))]);
        assert_eq!(parameters.values(), values);
        assert_eq!(given("seed", "18446744073709551615").unwrap().get("seed"), u64::MAX);
    }

    #[test]
    fn a_wrong_name_or_value_is_told() {
        let told = [("thread", "7"), ("colour", "7"), ("threads", "0"), ("threads", "two"), ("seed", "-1")];
        let told = told.map(|(name, value)| given(name, value).unwrap_err().to_string());
        assert_eq!(
            told,
            [
                "expected a parameter of the workload (did you mean \"threads\"?), found \"thread\"",
                "expected a parameter of the workload, found \"colour\"",
                "parameter threads: expected a whole number from 1 to 64, found \"0\"",
                "parameter threads: expected a whole number from 1 to 64, found \"two\"",
                "parameter seed: expected a whole number from 0 to 18446744073709551615, found \"-1\"",
            ]
        );
    }
}
