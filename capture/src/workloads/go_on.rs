//! Whether a workload may go on.

use super::error::WorkloadError;
use crate::caller::Caller;

/// To be asked between frames and between creations.
///
/// # Errors
/// The session is to end.
pub(crate) fn go_on<C: Caller>(caller: &C) -> Result<(), WorkloadError> {
    if caller.is_interrupted() { Err(WorkloadError::Interrupted) } else { Ok(()) }
}
