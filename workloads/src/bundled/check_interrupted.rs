//! Check whether the user has interrupted the session.

use super::error::WorkloadError;
use taut_capture::Caller;

/// Returns an error if the session is interrupted. Workloads call this between frames and between creations.
///
/// # Errors
/// [`WorkloadError::Interrupted`]: the session should end.
pub(crate) fn check_interrupted<C: Caller>(caller: &C) -> Result<(), WorkloadError> {
    if caller.is_interrupted() { Err(WorkloadError::Interrupted) } else { Ok(()) }
}
