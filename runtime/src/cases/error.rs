//! What is wrong with a file of cases.

use super::case::Case;
use thiserror::Error;

/// Why a file of cases is not run.
#[derive(Debug, Error)]
pub enum CaseError {
    /// It is no file of cases.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A step is wrong.
    #[error("case {case}, step {step}: {what}")]
    Step {
        /// The case.
        case: String,
        /// The step, from 1.
        step: usize,
        /// What is wrong.
        what: String,
    },
}

impl CaseError {
    /// A fault of the step at this place.
    pub(super) fn at(case: &Case, place: usize, what: String) -> CaseError {
        CaseError::Step { case: case.id.clone(), step: place + 1, what }
    }
}
