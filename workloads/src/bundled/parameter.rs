//! Parameter of a workload.

use super::error::WorkloadError;
use super::range::{ALL_BUNDLED, Range};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use taut_runtime::TomlSource;
use taut_schemas::nearest;
use taut_shaders::{BUNDLED, Bundled, Material};
use taut_traces::read_text;

/// Parameter of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    pub name: &'static str,
    /// Former name, which is accepted as well.
    pub was: Option<&'static str>,
    /// Valid values.
    pub range: Range,
    /// Description for users.
    pub description: &'static str,
}

/// Value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterValue {
    /// Whole number.
    Number(u64),
    /// One of the parameter's words.
    Word(&'static str),
    /// One shader, or all bundled shaders.
    Shader(Option<Arc<Material>>),
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterValue::Number(number) => write!(f, "{number}"),
            ParameterValue::Word(word) => f.write_str(word),
            ParameterValue::Shader(None) => f.write_str(ALL_BUNDLED),
            ParameterValue::Shader(Some(material)) => f.write_str(material.shader.name()),
        }
    }
}

impl From<ParameterValue> for Value {
    fn from(value: ParameterValue) -> Value {
        match value {
            ParameterValue::Number(number) => Value::from(number),
            ParameterValue::Word(word) => Value::from(word),
            ParameterValue::Shader(_) => Value::from(value.to_string()),
        }
    }
}

impl Parameter {
    /// Creates a parameter that is a whole number from `min` to `max`.
    pub const fn number(name: &'static str, default: u64, min: u64, max: u64, description: &'static str) -> Parameter {
        Parameter { name, was: None, range: Range::Number { default, min, max }, description }
    }

    /// Creates a parameter that is one of `words`, the first by default.
    pub const fn word(name: &'static str, words: &'static [&'static str], description: &'static str) -> Parameter {
        Parameter { name, was: None, range: Range::Word(words), description }
    }

    /// Accepts a former name as well.
    pub const fn formerly(mut self, was: &'static str) -> Parameter {
        self.was = Some(was);
        self
    }

    /// True if the parameter has, or had, this name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.was == Some(name)
    }

    /// Parameter `shader` of a workload that draws.
    pub(super) const SHADER: Parameter =
        Parameter { name: "shader", was: None, range: Range::Shader, description: "draw with one shader only" };

    /// Parameter `threads` of a single-threaded workload, where its value has no effect.
    pub const SINGLE_THREADED: Parameter =
        Parameter::number("threads", 1, 1, 64, "unused: the workload is single-threaded");

    /// Parameter `seed` of a workload without randomness, where its value has no effect.
    pub(super) const UNUSED_SEED: Parameter =
        Parameter::number("seed", 1, 0, u64::MAX, "unused: the workload is deterministic");

    /// Default value.
    pub fn default(&self) -> ParameterValue {
        match self.range {
            Range::Number { default, .. } => ParameterValue::Number(default),
            Range::Word(words) => ParameterValue::Word(words.first().copied().unwrap_or_default()),
            Range::Shader => ParameterValue::Shader(None),
        }
    }

    pub(super) fn parse(&self, found: String) -> Result<ParameterValue, WorkloadError> {
        let value = match self.range {
            Range::Number { min, max, .. } => {
                let number = found.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(ParameterValue::Number)
            }
            Range::Word(words) => words.iter().find(|word| **word == found).copied().map(ParameterValue::Word),
            Range::Shader => shader(&found)?,
        };
        value.ok_or_else(|| {
            let words: Vec<&'static str> = match self.range {
                Range::Number { .. } => Vec::new(),
                Range::Word(words) => words.to_vec(),
                Range::Shader => BUNDLED.iter().map(|bundled| bundled.name).collect(),
            };
            let suggestion = nearest(&found, words.iter().copied());
            WorkloadError::Parameter { name: self.name, expected: self.range, suggestion, found }
        })
    }
}

/// Finds the shader with this name or in this file, or all bundled shaders; `None` if no shader matches.
fn shader(found: &str) -> Result<Option<ParameterValue>, WorkloadError> {
    let one = |material| Some(ParameterValue::Shader(Some(material)));
    match Bundled::named(found) {
        Some(bundled) => material(bundled).map(one),
        None if found == ALL_BUNDLED => Ok(Some(ParameterValue::Shader(None))),
        None if found.ends_with(".toml") => read(found).map(one),
        None => Ok(None),
    }
}

fn read(path: &str) -> Result<Arc<Material>, WorkloadError> {
    let unread = |source| WorkloadError::ShaderFile { path: path.to_owned(), source };
    let text = read_text(path).map_err(unread)?;
    let size = TomlSource::new(&text, path, "shader").check_size();
    size.map_err(|error| unread(std::io::Error::new(std::io::ErrorKind::FileTooLarge, error)))?;
    Ok(Arc::new(Material::parse(&text, path)?))
}

pub(crate) fn material(bundled: &Bundled) -> Result<Arc<Material>, WorkloadError> {
    let material = bundled.material();
    material.map(Arc::new).map_err(|error| WorkloadError::Shader(format!("{}: {error}", bundled.name)))
}
