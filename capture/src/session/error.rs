//! Errors of a session as a whole.

use taut_schemas::AdapterId;
use taut_traces::WriteError;
use thiserror::Error;

/// Error of starting a session or of completing its recording.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Data that a replay needs cannot be serialised into the trace's header.
    #[error("the {what} cannot be written into a trace: {source}")]
    World {
        /// The driver's profile, the machine's profile, or the settings.
        what: &'static str,
        source: serde_json::Error,
    },
    /// The session has more adapters than the maximum.
    #[error("expected at most {} adapters, found {found}", AdapterId::MAX)]
    Adapters { found: usize },
    /// The trace could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The system cannot create the thread that records rundowns.
    #[error("a ring recording needs a thread that cannot be created: {0}")]
    Rundowns(std::io::Error),
    /// The session has ended already.
    #[error("the session has ended already")]
    Ended,
}
