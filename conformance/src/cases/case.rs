//! File format of test cases.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::fmt;

/// File of test cases.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseFile {
    pub cases: Vec<Case>,
}

/// Calls with their expected results.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// Id of the case, unique in a file.
    pub id: String,
    /// Purpose of the case.
    pub title: String,
    /// Source of the expectations: `windows`, `windows-driver`, `inferred` or `peer`.
    pub class: String,
    /// Interfaces on which the case runs, one after another; Direct3D 11 if empty.
    #[serde(default)]
    pub api: Vec<String>,
    /// Steps in order, on one thread.
    pub steps: Vec<Step>,
    /// First word of the case that the vocabulary does not have.
    #[serde(skip)]
    pub unsupported: Option<UnsupportedStep>,
}

/// Step that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedStep {
    /// Number of the step, from 1.
    pub step: usize,
    /// Unknown word or invalid value, with the valid words or values.
    pub reason: String,
}

/// A call with its expected results.
#[derive(Debug, Clone, Deserialize)]
pub struct Step {
    /// Name of the call in the vocabulary.
    pub call: String,
    /// Name of the object that is called.
    #[serde(default)]
    pub on: Option<String>,
    /// Arguments.
    #[serde(default)]
    pub args: Map<String, Value>,
    /// Name of the result.
    #[serde(default, rename = "as")]
    pub gives: Option<String>,
    /// Expected values of the result's fields.
    #[serde(default)]
    pub expect: Map<String, Value>,
    /// Other keys, which the vocabulary does not have.
    #[serde(flatten)]
    pub(super) other_keys: Map<String, Value>,
}

impl fmt::Display for UnsupportedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.reason)
    }
}
