//! Errors in a file of test cases.

use thiserror::Error;

/// Error in a file of test cases.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The text is no file of cases.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Two cases have the same id.
    #[error("expected each id once, found the case {case} again")]
    DuplicateId {
        /// Id of the case.
        case: String,
    },
}
