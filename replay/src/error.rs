//! Errors that end a replay.

use crate::world::WorldError;
use taut_runtime::{RestoreError, RundownError};
use taut_schemas::CodecError;
use taut_traces::{ReadError, Row};
use thiserror::Error;

/// Error that ends a replay. Differences are not errors.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The trace contains only events of a program's own providers, and no input.
    #[error("expected a trace with inputs, found only events of {providers}")]
    NoInputs {
        /// Names of the recorded providers, separated by commas.
        providers: String,
    },
    /// The trace contains events of another system.
    #[error(
        "expected a trace with inputs, found only events of {providers}; it was imported from {file}: it contains events that Windows reported, not calls that can be repeated"
    )]
    Imported {
        /// Names of the providers, separated by commas.
        providers: String,
        /// Name of the imported file.
        file: String,
    },
    /// The recorded world cannot be rebuilt.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The trace has an event that this build does not know.
    #[error("stamp {stamp}, thread {thread}: expected an event this build knows, found {found}")]
    UnknownEvent {
        stamp: u64,
        thread: u32,
        /// Name of the event, or its code where the trace has no name for it.
        found: String,
    },
    /// The trace has a critical block of a kind that this build does not know.
    #[error("byte {offset}: expected blocks of known kinds, found kind {kind}, which a replay must not skip")]
    UnknownBlock {
        /// Offset in bytes from the start of the file.
        offset: u64,
        kind: u16,
    },
    /// The recorder lost events, and no rundown restores the state before the next input.
    #[error(
        "stamp {stamp}: expected a rundown between the lost events and the next call, found none: later calls cannot be replayed"
    )]
    Unknown {
        /// Stamp of the first input that cannot be replayed.
        stamp: u64,
    },
    /// A rundown is not a valid state of the recorded world.
    #[error("the rundown at stamp {stamp}, thread {thread}: {source}")]
    State { stamp: u64, thread: u32, source: RestoreError },
    /// The runtime state cannot be written as a rundown.
    #[error(transparent)]
    Rundown(#[from] RundownError),
    /// A what-if needs a recording from its beginning, and this one starts in mid-stream.
    #[error(
        "stamp {stamp}: expected a recording from its beginning, found a rundown, whose state in another world is unknown"
    )]
    WhatIfFromState {
        /// Stamp of the rundown.
        stamp: u64,
    },
    /// A provider that replay requires was not recorded from the beginning.
    #[error("expected a recording of the providers api and task, found a recording without {provider}")]
    NotRecorded { provider: &'static str },
    /// A provider that replay requires was disabled during the recording.
    #[error(
        "stamp {stamp}, thread {thread}: expected the providers api and task to be recorded on, found {provider} disabled: the \
         replay ends before"
    )]
    Disabled {
        /// Stamp of the mark that disables it.
        stamp: u64,
        /// Thread of the mark.
        thread: u32,
        provider: &'static str,
    },
    /// A recorded row does not decode.
    #[error("stamp {stamp}, thread {thread}, {event}: {source}")]
    Row { stamp: u64, thread: u32, event: String, source: CodecError },
}

pub(crate) fn row_error(row: &Row<'_>, event: String, source: CodecError) -> ReplayError {
    ReplayError::Row { stamp: row.stamp, thread: row.thread, event, source }
}
