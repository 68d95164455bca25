//! What workloads do when a call is refused.

use super::error::WorkloadError;
use taut_schemas::{HResult, HResultCode};

/// A call that a workload cannot do without.
pub(crate) fn required<T>(call: &'static str, result: HResult<T>) -> Result<T, WorkloadError> {
    result.map_err(|hr| WorkloadError::Refused { call, hr })
}

/// The answer of a call about a shared object. Another thread may have been first: the object is gone (E_HANDLE), or
/// the state it was expected in is (E_INVALIDARG: no longer mapped).
pub(crate) fn raced<T>(call: &'static str, result: HResult<T>) -> Result<Option<T>, WorkloadError> {
    match result {
        Err(HResultCode::E_HANDLE | HResultCode::E_INVALIDARG) => Ok(None),
        result => required(call, result).map(Some),
    }
}
