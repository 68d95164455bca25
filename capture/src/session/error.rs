//! What can go wrong with a session as a whole.

use taut_schemas::AdapterId;
use taut_traces::WriteError;
use thiserror::Error;

/// Why a session could not begin, or could not be recorded to its end.
#[derive(Debug, Error)]
pub enum SessionError {
    /// What a replay needs to know cannot be said in the trace's header.
    #[error("the {what} cannot be written into a trace: {source}")]
    World {
        /// The driver's profile, or the settings.
        what: &'static str,
        /// Why not.
        source: serde_json::Error,
    },
    /// More adapters than a session may have.
    #[error("expected at most {} adapters, found {found}", AdapterId::MOST)]
    Adapters {
        /// How many there were.
        found: usize,
    },
    /// The trace could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The system gives no thread for rundowns.
    #[error("a recording that keeps its last needs another thread: {0}")]
    Rundowns(std::io::Error),
    /// The session has ended already.
    #[error("the session has ended already")]
    Ended,
}
