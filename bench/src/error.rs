//! Errors of benchmarks.

use taut_analyze::AnalyzeError;
use taut_capture::SessionError;
use taut_replay::ReplayError;
use taut_schemas::HResultCode;
use taut_tiling::TilingError;
use taut_traces::{ReadError, WriteError};
use taut_workloads::WorkloadError;
use taut_workloads::present_log::PresentLogError;

/// Reason why a benchmark has no result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// No bundled workload has the requested name.
    #[error("expected the name of a workload, found {0:?}")]
    UnknownWorkload(String),
    /// A workload of a benchmark is not in the table of workloads.
    #[error("the bundled workload {0} is missing")]
    MissingWorkload(&'static str),
    #[error("the bundled driver model is missing")]
    MissingDriver,
    #[error("the bundled machine is missing")]
    MissingMachine,
    /// The workload failed, or has no such parameter.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// A call that creates the device or a context of the benchmark failed.
    #[error("the benchmark's device cannot be made: {0:?}")]
    Device(HResultCode),
    #[error("nothing was recorded")]
    NothingRecorded,
    #[error(transparent)]
    Tiling(#[from] TilingError),
    /// The system cannot create a file or a thread of the benchmark.
    #[error("{what}")]
    System { what: String, source: std::io::Error },
    /// The recording of the benchmark cannot be removed.
    #[error(transparent)]
    Remove(std::io::Error),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A session failed for another reason than its trace.
    #[error(transparent)]
    Session(SessionError),
    /// The benchmark's capture cannot be read.
    #[error(transparent)]
    Capture(#[from] PresentLogError),
    /// The trace cannot be replayed.
    #[error("{trace}")]
    Replay {
        /// Name of the trace.
        trace: String,
        source: ReplayError,
    },
    #[error(transparent)]
    Analyze(#[from] AnalyzeError),
    /// The Windows trace cannot be read.
    #[error(transparent)]
    Etl(#[from] taut_etl::Error),
    /// The Windows trace cannot be imported.
    #[error(transparent)]
    Import(#[from] taut_app::Error),
}

impl From<SessionError> for BenchError {
    fn from(error: SessionError) -> BenchError {
        match error {
            SessionError::Write(error) => BenchError::Write(error),
            error => BenchError::Session(error),
        }
    }
}
