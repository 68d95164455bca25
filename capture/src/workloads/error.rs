//! Why a workload could not go on.

use super::parameter::Range;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use taut_runtime::panic_message;
use taut_schemas::HResultCode;
use thiserror::Error;

/// Why a workload could not go on.
#[derive(Debug, Error)]
pub enum WorkloadError {
    /// There is no workload of this name.
    #[error("expected the name of a workload{}, found \"{name}\"", did_you_mean(suggestion))]
    UnknownWorkload {
        /// The name asked for.
        name: String,
        /// The name that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// The workload has no parameter of this name.
    #[error("expected a parameter of the workload{}, found \"{name}\"", meant_or_known(suggestion, known))]
    UnknownParameter {
        /// The parameter given.
        name: String,
        /// The parameter that was probably meant.
        suggestion: Option<&'static str>,
        /// The parameters there are.
        known: Vec<&'static str>,
    },
    /// A parameter's value is not one it can have.
    #[error("parameter {name}: expected {expected}{}, found \"{found}\"", did_you_mean(suggestion))]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// The values it can have.
        expected: Range,
        /// The value that was probably meant.
        suggestion: Option<&'static str>,
        /// The value given.
        found: String,
    },
    /// The session was to end before the workload did.
    #[error("interrupted")]
    Interrupted,
    /// A call failed that the workload cannot do without.
    #[error("{call}: expected S_OK, found {hr:?}")]
    Refused {
        /// The call.
        call: &'static str,
        /// What it returned.
        hr: HResultCode,
    },
    /// A call succeeded that has to be refused.
    #[error("{call}: expected a refusal, found S_OK")]
    Granted {
        /// The call.
        call: &'static str,
    },
    /// A rectangle or a mapped memory that the copies cannot work on.
    #[error("mapped memory: {0}")]
    Tiling(#[from] taut_tiling::TilingError),
    /// A shader of the workload's own is wrong.
    #[error("shader: {0}")]
    Shader(String),
    /// A file with a shader cannot be read.
    #[error("{path}: {source}")]
    ShaderFile {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A shader out of a file is wrong.
    #[error(transparent)]
    Material(#[from] taut_shaders::MaterialError),
    /// A step of a scenario could not be taken.
    #[error("{origin}:{line}: {what}")]
    Step {
        /// The scenario's file.
        origin: String,
        /// The line on which the step begins.
        line: usize,
        /// Why not.
        what: String,
    },
    /// A set of shaders is released, or is there already.
    #[error("expected a set of shaders {expected}, found \"{name}\"")]
    ShaderSet {
        /// The set.
        name: String,
        /// What it has to be.
        expected: &'static str,
    },
    /// A call panicked: the runtime or a driver is at fault.
    #[error("a call panicked: {0}")]
    Panicked(String),
    /// The system gives no more threads.
    #[error("application thread {thread} could not be started: {source}")]
    Thread {
        /// The thread.
        thread: u32,
        /// What the system says.
        source: std::io::Error,
    },
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

/// Has a workload do what it does; a panic in it is an error like any other, so that its recording is brought to its end.
///
/// # Errors
/// As `run`, or it panicked.
pub(crate) fn caught<T>(run: impl FnOnce() -> Result<T, WorkloadError>) -> Result<T, WorkloadError> {
    let panicked = |panic: Box<dyn Any + Send>| Err(WorkloadError::Panicked(panic_message(&*panic)));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(panicked)
}
