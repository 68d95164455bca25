//! Records of a rundown, with the errors of writing and restoring them.

use std::fmt::Display;
use taut_schemas::{AdapterId, Bytes, CodecError, DriverHandle, Encoder, EventCode, Mark, Opcode};
use thiserror::Error;

/// Maximum number of objects, tasks and so on of an adapter in a restored state: tables are as long as their numbers,
/// so a corrupt number would exhaust memory.
const MAX_NUMBERS: u64 = 1 << 30;

/// Maximum private memory of a driver handle in bytes: sixteen times the maximum in a profile.
const MAX_HANDLE_BYTES: u64 = 1 << 20;

/// End of the addresses of all adapters.
const END_ADDRESS: u64 = 1 << 52;

/// State of a runtime at one stamp, as records of the family `state`; the first is its `Rundown`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateRecords {
    /// Code of each record, with the end of its row.
    records: Vec<(EventCode, usize)>,
    rows: Vec<u8>,
}

impl StateRecords {
    /// Adds a record whose row is already encoded.
    pub fn push(&mut self, code: EventCode, row: &[u8]) {
        self.rows.extend_from_slice(row);
        self.records.push((code, self.rows.len()));
    }

    /// Adds a record.
    pub(crate) fn put<M: Mark>(&mut self, record: &M) {
        record.encode(&mut Encoder::new(&mut self.rows));
        self.records.push((EventCode::new(M::ID, Opcode::Info), self.rows.len()));
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// True if there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Iterates over the records with their rows.
    pub fn iter(&self) -> impl Iterator<Item = (EventCode, &[u8])> {
        let mut start = 0;
        self.records.iter().map(move |(code, end)| (*code, &self.rows[std::mem::replace(&mut start, *end)..*end]))
    }
}

/// Error for a state that cannot be serialised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RundownError {
    /// The state contains something without a record type.
    #[error("the state has {0}, which a rundown cannot hold")]
    Uncovered(&'static str),
    /// A driver cannot serialise its state.
    #[error("the state of adapter {}'s driver cannot be written as a rundown: {what}", adapter.0)]
    Driver {
        adapter: AdapterId,
        /// Part of the driver's state.
        what: String,
    },
}

/// Error for records that are no valid state.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RestoreError {
    /// A record does not decode.
    #[error("{record}: {source}")]
    Row {
        /// Name of the record.
        record: &'static str,
        source: CodecError,
    },
    /// A record has an invalid value.
    #[error("{record}: expected {expected}, found {found}")]
    Value {
        record: &'static str,
        /// Valid values.
        expected: &'static str,
        /// Invalid value.
        found: String,
    },
}

/// Returns the error of an invalid record.
pub(crate) fn invalid_value<T, M: Mark>(expected: &'static str, found: impl Display) -> Result<T, RestoreError> {
    Err(RestoreError::Value { record: M::NAME, expected, found: found.to_string() })
}

/// Checks a counter, which must have room to count on.
pub(crate) fn check_count<M: Mark>(count: u64) -> Result<u64, RestoreError> {
    // Half of the range leaves room to count on without overflow.
    if count < u64::MAX / 2 { Ok(count) } else { invalid_value::<_, M>("a number that can be counted on", count) }
}

/// Checks an object number of one of the adapters.
pub(crate) fn check_number<M: Mark>(number: u64, adapters: usize) -> Result<u64, RestoreError> {
    let (adapter, of_adapter) = AdapterId::split(number);
    let is_sound = adapter < adapters && of_adapter < MAX_NUMBERS;
    if is_sound { Ok(number) } else { invalid_value::<_, M>("a number of one of the adapters, below 2^30", number) }
}

/// Checks a range of some adapter's memory.
pub(crate) fn check_memory<M: Mark>(address: u64, size_bytes: u64) -> Result<(), RestoreError> {
    match address.checked_add(size_bytes) {
        Some(end) if end <= END_ADDRESS => Ok(()),
        _ => invalid_value::<_, M>(
            "memory in an adapter's address space",
            format_args!("{size_bytes} bytes at {address:#x}"),
        ),
    }
}

/// Checks a driver handle, or null: handles have addresses apart from all others.
pub(crate) fn check_handle<M: Mark>(handle: DriverHandle) -> Result<(), RestoreError> {
    let is_sound = handle.0 == 0 || handle.0 >> 60 == 1;
    if is_sound { Ok(()) } else { invalid_value::<_, M>("a driver's handle", format_args!("{:#x}", handle.0)) }
}

/// Checks the size of a driver handle's private memory.
pub(crate) fn check_handle_bytes<M: Mark>(bytes: u64) -> Result<u64, RestoreError> {
    if bytes <= MAX_HANDLE_BYTES {
        Ok(bytes)
    } else {
        invalid_value::<_, M>("at most 1 MiB of memory of a handle", bytes)
    }
}

/// Splits bytes into chunks of 1 MiB, each for one record.
pub(crate) fn parts(bytes: &[u8]) -> impl Iterator<Item = Bytes> {
    bytes.chunks(1 << 20).map(|part| Bytes(part.to_vec()))
}
