//! Queries of an application before it selects an adapter: D3DKMTQueryAdapterInfo, and the start of its process.

use super::error::WorkloadError;
use super::refusal::required;
use taut_capture::Caller;
use taut_schemas::{AdapterId, HResultCode, KmtQueryAdapterInfoType, NtStatus, d3dkmt, machine};

/// A query of D3DKMTQueryAdapterInfo with its expected answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AdapterQuery {
    pub adapter: AdapterId,
    pub info_type: KmtQueryAdapterInfoType,
    pub size_bytes: u32,
    /// Expected status.
    pub status: NtStatus,
    /// Expected first word of the answer; `None` for any.
    pub value: Option<u32>,
}

/// Makes a query.
///
/// # Errors
/// Status or answer is not the expected one.
pub(crate) fn query_adapter<K: Caller>(caller: &mut K, query: AdapterQuery) -> Result<(), WorkloadError> {
    let AdapterQuery { adapter, info_type, size_bytes, status, value } = query;
    let call = d3dkmt::D3DKMTQueryAdapterInfo { adapter, info_type, private_driver_data_size_bytes: size_bytes };
    let found = caller.call(call);
    let word = found.private_driver_data.0.first_chunk().map(|word| u32::from_le_bytes(*word));
    if found.status == status && (value.is_none() || value == word) {
        return Ok(());
    }
    let text = |status: NtStatus, value: Option<u32>| match value {
        Some(value) => format!("{status:?} with {value}"),
        None => format!("{status:?}"),
    };
    let (expected, found) = (text(status, value), text(found.status, word));
    Err(WorkloadError::UnexpectedAnswer { call: "D3DKMTQueryAdapterInfo", expected, found })
}

/// Starts the application's process; returns the adapter that it is to use.
///
/// # Errors
/// The call failed, or the adapter is not the expected one.
pub(crate) fn start_application<K: Caller>(
    caller: &mut K,
    application: &str,
    expected: Option<AdapterId>,
) -> Result<AdapterId, WorkloadError> {
    let start = machine::StartApplication { application: application.to_owned() };
    let found = required("StartApplication", caller.call(start))?;
    match expected {
        Some(expected) if expected != found => {
            let [expected, found] = [expected, found].map(|adapter| format!("adapter {}", adapter.0));
            Err(WorkloadError::UnexpectedAnswer { call: "StartApplication", expected, found })
        }
        _ => Ok(found),
    }
}

/// Starts an adapter.
///
/// # Errors
/// The adapter does not start.
pub(crate) fn start_adapter<K: Caller>(caller: &mut K, adapter: AdapterId) -> Result<(), WorkloadError> {
    match caller.call(machine::StartAdapter { adapter }) {
        NtStatus::SUCCESS => Ok(()),
        status => required("StartAdapter", Err(HResultCode(status.0))),
    }
}
