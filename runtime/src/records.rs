//! The records of a rundown, and what keeps one from being made or read.

use std::fmt::Display;
use taut_schemas::{AdapterId, Bytes, CodecError, DriverHandle, Encoder, EventCode, Mark, Opcode};
use thiserror::Error;

/// Objects, tasks and so on that an adapter may have had for its state to be read: tables are as long as their numbers.
const MOST_NUMBERS: u64 = 1 << 30;

/// Bytes behind a driver's handle: sixteen times what a profile may say.
const MOST_HANDLE_BYTES: u64 = 1 << 20;

/// Where the addresses of all adapters end.
const END_ADDRESS: u64 = 1 << 52;

/// What a runtime remembers at one stamp, as the records of family `state`: the first is its `Rundown`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateRecords {
    /// Each record and where its row ends.
    records: Vec<(EventCode, usize)>,
    rows: Vec<u8>,
}

impl StateRecords {
    /// Adds a record whose row is encoded already.
    pub fn push(&mut self, code: EventCode, row: &[u8]) {
        self.rows.extend_from_slice(row);
        self.records.push((code, self.rows.len()));
    }

    /// Adds a record.
    pub(crate) fn put<M: Mark>(&mut self, record: &M) {
        record.encode(&mut Encoder::new(&mut self.rows));
        self.records.push((EventCode::new(M::ID, Opcode::Info), self.rows.len()));
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Each record and its row.
    pub fn iter(&self) -> impl Iterator<Item = (EventCode, &[u8])> {
        let mut start = 0;
        self.records.iter().map(move |(code, end)| (*code, &self.rows[std::mem::replace(&mut start, *end)..*end]))
    }
}

/// Why a state cannot be written down.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RundownError {
    /// It has something that has no record yet.
    #[error("the state has {0}, which a rundown cannot hold")]
    Uncovered(&'static str),
    /// A driver cannot write down what it remembers.
    #[error("a rundown cannot hold what adapter {}'s driver remembers: {what}", adapter.0)]
    Driver {
        /// Whose driver.
        adapter: AdapterId,
        /// What it is.
        what: String,
    },
}

/// Why records are no state.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RestoreError {
    /// A record does not decode.
    #[error("{record}: {source}")]
    Row {
        /// The record.
        record: &'static str,
        /// What is wrong with it.
        source: CodecError,
    },
    /// A record says what cannot be.
    #[error("{record}: expected {expected}, found {found}")]
    Value {
        /// The record.
        record: &'static str,
        /// What could be.
        expected: &'static str,
        /// What it says.
        found: String,
    },
}

/// A record is refused.
pub(crate) fn unsound<T, M: Mark>(expected: &'static str, found: impl Display) -> Result<T, RestoreError> {
    Err(RestoreError::Value { record: M::NAME, expected, found: found.to_string() })
}

/// A number that counts up, of which there may be more to come.
pub(crate) fn check_count<M: Mark>(count: u64) -> Result<u64, RestoreError> {
    if count < u64::MAX / 2 { Ok(count) } else { unsound::<_, M>("a number that can be counted on", count) }
}

/// A number of an adapter among so many.
pub(crate) fn check_number<M: Mark>(number: u64, adapters: usize) -> Result<u64, RestoreError> {
    let (adapter, of_adapter) = AdapterId::split(number);
    let is_sound = adapter < adapters && of_adapter < MOST_NUMBERS;
    if is_sound { Ok(number) } else { unsound::<_, M>("a number of one of the adapters, below 2^30", number) }
}

/// A piece of some adapter's memory.
pub(crate) fn check_memory<M: Mark>(address: u64, size_bytes: u64) -> Result<(), RestoreError> {
    match address.checked_add(size_bytes) {
        Some(end) if end <= END_ADDRESS => Ok(()),
        _ => {
            unsound::<_, M>("memory in an adapter's address space", format_args!("{size_bytes} bytes at {address:#x}"))
        }
    }
}

/// A driver's handle, or null: handles lie apart from all other addresses.
pub(crate) fn check_handle<M: Mark>(handle: DriverHandle) -> Result<(), RestoreError> {
    let is_sound = handle.0 == 0 || handle.0 >> 60 == 1;
    if is_sound { Ok(()) } else { unsound::<_, M>("a driver's handle", format_args!("{:#x}", handle.0)) }
}

/// The memory behind a driver's handle.
pub(crate) fn check_handle_bytes<M: Mark>(bytes: u64) -> Result<u64, RestoreError> {
    if bytes <= MOST_HANDLE_BYTES { Ok(bytes) } else { unsound::<_, M>("at most 1 MiB behind a handle", bytes) }
}

/// Bytes that are worth a record each.
pub(crate) fn parts(bytes: &[u8]) -> impl Iterator<Item = Bytes> {
    bytes.chunks(1 << 20).map(|part| Bytes(part.to_vec()))
}
