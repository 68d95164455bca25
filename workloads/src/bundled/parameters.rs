//! Values of a workload's parameters.

use super::error::WorkloadError;
use super::parameter::{self, Parameter, ParameterValue};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use taut_schemas::nearest;
use taut_shaders::{BUNDLED, Material};

/// Value of each parameter of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    values: BTreeMap<&'static str, ParameterValue>,
}

impl Parameters {
    /// Parses the given values and sets all others to their defaults.
    ///
    /// # Errors
    /// A name is not in `known`, or a value is not in its parameter's range.
    pub fn new(known: &[Parameter], overrides: BTreeMap<String, String>) -> Result<Parameters, WorkloadError> {
        let mut values: BTreeMap<_, _> = known.iter().map(|parameter| (parameter.name, parameter.default())).collect();
        for (name, found) in overrides {
            let Some(parameter) = known.iter().find(|parameter| parameter.is_named(&name)) else {
                let suggestion = nearest(&name, known.iter().map(|parameter| parameter.name));
                let known = known.iter().map(|parameter| parameter.name).collect();
                return Err(WorkloadError::UnknownParameter { name, suggestion, known });
            };
            values.insert(parameter.name, parameter.parse(found)?);
        }
        Ok(Parameters { values })
    }

    /// Returns the value of a number parameter; 0 if the name is unknown or its parameter is no number.
    pub fn get(&self, name: &str) -> u64 {
        match self.values.get(name) {
            Some(ParameterValue::Number(number)) => *number,
            Some(ParameterValue::Word(_) | ParameterValue::Shader(_)) | None => 0,
        }
    }

    /// Returns the value of a parameter that is a number, limited to 32 bits.
    pub fn count(&self, name: &str) -> u32 {
        u32::try_from(self.get(name)).unwrap_or(u32::MAX)
    }

    /// Returns the value of a parameter that is a word; empty for any other.
    pub fn word(&self, name: &str) -> &'static str {
        match self.values.get(name) {
            Some(ParameterValue::Word(word)) => word,
            Some(ParameterValue::Number(_) | ParameterValue::Shader(_)) | None => "",
        }
    }

    /// Returns the materials to draw with: the material selected by the parameter `shader`, or all bundled materials.
    ///
    /// # Errors
    /// A bundled shader is invalid, which does not occur.
    pub fn materials(&self) -> Result<Vec<Arc<Material>>, WorkloadError> {
        match self.values.get(Parameter::SHADER.name) {
            Some(ParameterValue::Shader(Some(one))) => Ok(vec![Arc::clone(one)]),
            _ => BUNDLED.iter().map(parameter::material).collect(),
        }
    }

    /// Returns all values by name, for a trace's header.
    pub fn values(&self) -> BTreeMap<String, Value> {
        self.values.iter().map(|(name, value)| ((*name).to_owned(), Value::from(value.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Parameter] = &[
        Parameter::number("seed", 1, 0, u64::MAX, ""),
        Parameter::number("threads", 2, 1, 64, ""),
        Parameter::word("items", &["views", "accessors"], ""),
        Parameter::SHADER,
    ];

    fn overrides(name: &str, value: &str) -> Result<Parameters, WorkloadError> {
        Parameters::new(KNOWN, BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn an_unset_parameter_has_its_default() {
        let parameters = overrides("threads", "7").unwrap();
        assert_eq!((parameters.get("seed"), parameters.get("threads"), parameters.word("items")), (1, 7, "views"));
        let (items, shader) = (Value::from("views"), Value::from("bundled"));
        let values = [("items", items), ("seed", 1.into()), ("shader", shader), ("threads", 7.into())];
        assert_eq!(parameters.values(), values.map(|(name, value)| (name.to_owned(), value)).into());
        assert_eq!(overrides("seed", "18446744073709551615").unwrap().get("seed"), u64::MAX);
        assert_eq!(overrides("items", "accessors").unwrap().word("items"), "accessors");
    }

    #[test]
    fn an_unknown_name_or_value_is_reported() {
        let messages = [
            ("thread", "7"),
            ("colour", "7"),
            ("threads", "0"),
            ("threads", "two"),
            ("seed", "-1"),
            ("items", "veiws"),
            ("items", "everything"),
            ("shader", "lightning"),
            ("shader", "no/such.toml"),
        ];
        let messages = messages.map(|(name, value)| overrides(name, value).unwrap_err().to_string());
        // The rest is the system's message.
        let messages =
            messages.map(|messages| messages.split_inclusive(".toml: ").next().unwrap_or_default().to_owned());
        assert_eq!(
            messages,
            [
                "expected a parameter of the workload (did you mean \"threads\"?), found \"thread\"",
                "expected a parameter of the workload (one of seed, threads, items, shader), found \"colour\"",
                "parameter threads: expected a whole number from 1 to 64, found \"0\"",
                "parameter threads: expected a whole number from 1 to 64, found \"two\"",
                "parameter seed: expected a whole number from 0 to 18446744073709551615, found \"-1\"",
                "parameter items: expected views or accessors (did you mean \"views\"?), found \"veiws\"",
                "parameter items: expected views or accessors, found \"everything\"",
                "parameter shader: expected bundled, lighting, tone-map, skinning, fractal-noise, permutations, \
                 particle-step, exposure-resolve, or a .toml file (did you mean \"lighting\"?), found \"lightning\"",
                "no/such.toml: ",
            ]
        );
    }

    #[test]
    fn a_workload_draws_with_one_shader_or_with_all_bundled_ones() {
        let drawn = |value: &str| -> Vec<String> {
            let materials = overrides("shader", value).unwrap().materials().unwrap();
            materials.iter().map(|material| material.shader.name().to_owned()).collect()
        };
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/glow.toml");
        assert_eq!(
            (drawn("bundled").len(), drawn("skinning"), drawn(file)),
            (BUNDLED.len(), vec!["skinning".to_owned()], vec!["glow".to_owned()])
        );
        assert_eq!(overrides("shader", file).unwrap().values()["shader"], Value::from("glow"));
        let folder = tempfile::tempdir().unwrap();
        let wrong = folder.path().join("wrong.toml");
        std::fs::write(&wrong, "name = \"wrong\"\noutputs = [1]\nbody = [{ input = { input = 0 } }]\n").unwrap();
        let messages = overrides("shader", wrong.to_str().unwrap()).unwrap_err().to_string();
        assert!(messages.ends_with("wrong.toml:3:9: instruction 0: reads input 0, expected less than 0"), "{messages}");
    }
}
