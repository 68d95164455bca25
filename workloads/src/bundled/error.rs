//! Errors of workloads.

use super::range::Range;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use taut_runtime::panic_message;
use taut_schemas::HResultCode;
use thiserror::Error;

/// Error that ends a workload.
#[derive(Debug, Error)]
pub enum WorkloadError {
    /// No workload has this name.
    #[error("expected the name of a workload{}, found \"{name}\"", did_you_mean(suggestion))]
    UnknownWorkload {
        /// Requested name.
        name: String,
        /// Most similar name of a workload.
        suggestion: Option<&'static str>,
    },
    /// The workload has no parameter of this name.
    #[error("expected a parameter of the workload{}, found \"{name}\"", meant_or_known(suggestion, known))]
    UnknownParameter {
        /// Requested parameter.
        name: String,
        /// Most similar parameter.
        suggestion: Option<&'static str>,
        /// Parameters of the workload.
        known: Vec<&'static str>,
    },
    /// The value is not in the parameter's range.
    #[error("parameter {name}: expected {expected}{}, found \"{found}\"", did_you_mean(suggestion))]
    Parameter {
        name: &'static str,
        /// Valid values.
        expected: Range,
        /// Most similar valid value.
        suggestion: Option<&'static str>,
        /// Requested value.
        found: String,
    },
    /// The parameter has no effect with the values of the others.
    #[error("parameter {name}={value} has no effect with {with}: {reason}; set {needs} too")]
    ParameterWithoutEffect {
        name: &'static str,
        value: &'static str,
        /// Value of another parameter, as `KEY=VALUE`.
        with: &'static str,
        reason: &'static str,
        /// Value of the other parameter with which it has an effect.
        needs: &'static str,
    },
    /// The session was interrupted before the workload ended.
    #[error("interrupted")]
    Interrupted,
    /// A required call failed.
    #[error("{call}: expected S_OK, found {hr:?}{}", hint(call, *hr))]
    CallFailed {
        call: &'static str,
        /// Return value.
        hr: HResultCode,
    },
    /// A call succeeded that must fail.
    #[error("{call}: expected a refusal, found S_OK")]
    UnexpectedSuccess { call: &'static str },
    /// A call gave another answer than the expected one.
    #[error("{call}: expected {expected}, found {found}")]
    UnexpectedAnswer { call: &'static str, expected: String, found: String },
    /// A rectangle or mapped memory is invalid for the copies.
    #[error("mapped memory: {0}")]
    Tiling(#[from] taut_tiling::TilingError),
    /// A bundled shader is invalid.
    #[error("shader: {0}")]
    Shader(String),
    /// A shader file cannot be read.
    #[error("{path}: {source}")]
    ShaderFile {
        /// Path of the file.
        path: String,
        source: std::io::Error,
    },
    /// A shader from a file is invalid.
    #[error(transparent)]
    Material(#[from] taut_shaders::MaterialError),
    /// A step of a scenario failed.
    #[error("{origin}:{line}: {what}")]
    Step {
        /// Name of the scenario's file.
        origin: String,
        /// First line of the step.
        line: usize,
        /// Reason of the failure.
        what: String,
    },
    /// A set of shaders was released already, or exists already.
    #[error("expected a set of shaders {expected}, found \"{name}\"")]
    ShaderSet {
        /// Name of the set.
        name: String,
        /// Required state of the set.
        expected: &'static str,
    },
    /// A call panicked in the runtime or a driver.
    #[error("a call panicked: {0}")]
    Panicked(String),
    /// The system cannot create a thread.
    #[error("application thread {thread} could not be started: {source}")]
    Thread {
        /// Number of the thread.
        thread: u32,
        source: std::io::Error,
    },
}

/// Returns a hint for the call whose refusal most often has a reason outside of the program.
fn hint(call: &str, hr: HResultCode) -> &'static str {
    match (call, hr) {
        ("SetBackgroundProcessingMode", _) => {
            " (DISABLE_BACKGROUND_WORK, DISABLE_PROFILING_BY_SYSTEM and COMMIT_RESULTS_HIGH_PRIORITY need developer mode)"
        }
        (_, HResultCode::DXGI_ERROR_UNSUPPORTED) => {
            " (Direct3D 11 needs a driver with a table [contexts], for example d3d11on12-like)"
        }
        _ => "",
    }
}

fn did_you_mean(suggestion: &Option<&str>) -> String {
    suggestion.map(|name| format!(" (did you mean \"{name}\"?)")).unwrap_or_default()
}

fn meant_or_known(suggestion: &Option<&str>, known: &[&str]) -> String {
    match suggestion {
        Some(_) => did_you_mean(suggestion),
        None => format!(" (one of {})", known.join(", ")),
    }
}

/// Runs a workload. A panic becomes an error, so that the recording is completed.
///
/// # Errors
/// As `run`, or it panicked.
pub(crate) fn caught<T>(run: impl FnOnce() -> Result<T, WorkloadError>) -> Result<T, WorkloadError> {
    let panicked = |panic: Box<dyn Any + Send>| Err(WorkloadError::Panicked(panic_message(&*panic)));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(panicked)
}
