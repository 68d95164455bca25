//! One thing that a workload can be told.

use super::error::WorkloadError;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use taut_schemas::nearest;
use taut_shaders::{BUNDLED, Bundled, Material};

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
    /// A bundled shader's name or the path of a TOML file; all bundled shaders if none is given.
    Shader,
}

/// A parameter's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterValue {
    /// A whole number.
    Number(u64),
    /// One of the parameter's words.
    Word(&'static str),
    /// One shader, or all bundled ones.
    Shader(Option<Arc<Material>>),
}

/// What stands for all bundled shaders.
const ALL_BUNDLED: &str = "bundled";

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

impl Range {
    /// What [`Range::Shader`] has names for, and what each is for.
    pub fn shaders() -> impl Iterator<Item = (&'static str, &'static str)> {
        let bundled = BUNDLED.iter().map(|bundled| (bundled.name, bundled.purpose));
        std::iter::once((ALL_BUNDLED, "all of the following, one after another")).chain(bundled)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Number { least, greatest, .. } => write!(f, "a whole number from {least} to {greatest}"),
            Range::Word(words) => f.write_str(&words.join(" or ")),
            Range::Shader => {
                Range::shaders().try_for_each(|(name, _)| write!(f, "{name}, "))?;
                f.write_str("or a .toml file")
            }
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

    /// The parameter `shader` of a workload that draws.
    pub(super) const SHADER: Parameter =
        Parameter { name: "shader", range: Range::Shader, description: "draw with one shader only" };

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
            Range::Shader => ParameterValue::Shader(None),
        }
    }

    pub(super) fn parse(&self, found: String) -> Result<ParameterValue, WorkloadError> {
        let value = match self.range {
            Range::Number { least, greatest, .. } => {
                let number = found.parse().ok().filter(|number| (least..=greatest).contains(number));
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

/// The shader of this name or in this file, or all bundled ones; none if it names nothing.
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
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| WorkloadError::ShaderFile { path: path.to_owned(), source })?;
    Ok(Arc::new(Material::parse(&text, path)?))
}

pub(super) fn material(bundled: &Bundled) -> Result<Arc<Material>, WorkloadError> {
    let material = bundled.material();
    material.map(Arc::new).map_err(|error| WorkloadError::Shader(format!("{}: {error}", bundled.name)))
}
