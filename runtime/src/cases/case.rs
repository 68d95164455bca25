//! A file of cases, as it is written.

use super::error::CaseError;
use super::vocabulary;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A file of cases.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseFile {
    /// The cases.
    pub cases: Vec<Case>,
}

/// Calls, and what must come of them.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// Its name, once in a file.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Who says so: `windows`, `windows-driver`, `inferred` or `peer`.
    pub class: String,
    /// The interfaces it is run on, one after another; Direct3D 11 where none is named.
    #[serde(default)]
    pub api: Vec<String>,
    /// Its steps, in order, on one thread.
    pub steps: Vec<Step>,
}

/// A call, and what must come of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The call, by its name in the vocabulary.
    pub call: String,
    /// The object called.
    #[serde(default)]
    pub on: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: Map<String, Value>,
    /// The name of what it gives.
    #[serde(default, rename = "as")]
    pub gives: Option<String>,
    /// What must hold.
    #[serde(default)]
    pub expect: Map<String, Value>,
}

impl CaseFile {
    /// Reads a file of cases, and sees that every step is one of the vocabulary's.
    ///
    /// # Errors
    /// It is no such file, or a step is wrong: which one, of which case.
    pub fn parse(text: &str) -> Result<CaseFile, CaseError> {
        let file: CaseFile = serde_json::from_str(text)?;
        for (place, case) in file.cases.iter().enumerate() {
            if file.cases[..place].iter().any(|before| before.id == case.id) {
                return Err(CaseError::at(case, 0, "the name of the case is given twice".to_owned()));
            }
            vocabulary::check(case)?;
        }
        Ok(file)
    }
}
