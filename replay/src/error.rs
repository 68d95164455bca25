//! Why a replay cannot go on.

use crate::world::WorldError;
use taut_runtime::{RestoreError, RundownError};
use taut_schemas::CodecError;
use taut_traces::{ReadError, Row};
use thiserror::Error;

/// Why a replay cannot go on. Differences are not errors.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is a recording of some program's own events: nothing in it was ever an input.
    #[error("there is nothing to replay: the trace has no inputs, only events of {providers}")]
    NoInputs {
        /// Names of their providers.
        providers: String,
    },
    /// The recorded world cannot be rebuilt.
    #[error(transparent)]
    World(#[from] WorldError),
    /// An event whose fields this build does not have.
    #[error("stamp {stamp}, thread {thread}: expected an event this build knows, found {found}")]
    UnknownEvent {
        /// Stamp of the event.
        stamp: u64,
        /// Thread of the event.
        thread: u32,
        /// Its name, or its code where the trace has no name for it.
        found: String,
    },
    /// A block that nobody may leave out, of a kind this build does not know.
    #[error(
        "byte {offset}: expected blocks of kinds this build knows, found kind {kind}, without which there is no replay"
    )]
    UnknownBlock {
        /// Where it lies, in bytes from the start of the file.
        offset: u64,
        /// Number of its kind.
        kind: u16,
    },
    /// The recorder lost something, and no rundown says what is known from then on.
    #[error(
        "stamp {stamp}: expected a rundown before the first call behind what is missing, found none: from here on there is no replay"
    )]
    Unknown {
        /// Stamp of the first input that cannot be replayed.
        stamp: u64,
    },
    /// A rundown is not the state of the recorded world.
    #[error("the rundown at stamp {stamp}, thread {thread}: {source}")]
    State {
        /// Stamp of the rundown.
        stamp: u64,
        /// Thread of the rundown.
        thread: u32,
        /// What is wrong with it.
        source: RestoreError,
    },
    /// The recorded world's state cannot be written down.
    #[error(transparent)]
    Rundown(#[from] RundownError),
    /// A recording that starts in mid-stream, and another world.
    #[error(
        "stamp {stamp}: expected a recording from its beginning, since in another world its state there is not known; found a rundown"
    )]
    WhatIfFromState {
        /// Stamp of the rundown.
        stamp: u64,
    },
    /// Inputs were not recorded from the begin on.
    #[error(
        "expected a recording of the providers api and task, found one without {provider}: there is nothing to replay"
    )]
    NotRecorded {
        /// Name of the provider.
        provider: &'static str,
    },
    /// Inputs were not recorded any more.
    #[error(
        "stamp {stamp}, thread {thread}: expected the providers api and task to be recorded on, found {provider} disabled: the \
         replay ends before"
    )]
    Disabled {
        /// Stamp of the mark.
        stamp: u64,
        /// Thread of the mark.
        thread: u32,
        /// Name of the provider.
        provider: &'static str,
    },
    /// A recorded row does not decode.
    #[error("stamp {stamp}, thread {thread}, {event}: {source}")]
    Row {
        /// Stamp of the event.
        stamp: u64,
        /// Thread of the event.
        thread: u32,
        /// Name of the event.
        event: String,
        /// What is wrong with the row.
        source: CodecError,
    },
}

pub(crate) fn row_error(row: &Row<'_>, event: String, source: CodecError) -> ReplayError {
    ReplayError::Row { stamp: row.stamp, thread: row.thread, event, source }
}
