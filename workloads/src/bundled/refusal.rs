//! Handling of failed calls in workloads.

use super::error::WorkloadError;
use taut_schemas::{HResult, HResultCode};

/// Converts the failure of a required call to an error.
pub(crate) fn required<T>(call: &'static str, result: HResult<T>) -> Result<T, WorkloadError> {
    result.map_err(|hr| WorkloadError::CallFailed { call, hr })
}

/// Converts the result of a call on an object that several threads use. `None` if another thread released the object
/// before the call (E_HANDLE), or changed its state (E_INVALIDARG: it is no longer mapped).
pub(crate) fn raced<T>(call: &'static str, result: HResult<T>) -> Result<Option<T>, WorkloadError> {
    match result {
        Err(HResultCode::E_HANDLE | HResultCode::E_INVALIDARG) => Ok(None),
        result => required(call, result).map(Some),
    }
}
