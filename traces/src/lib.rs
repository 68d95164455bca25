//! Trace container: writing, reading and recovering `.taut` files.
//!
//! A trace holds the schema table it was written with and the world it was recorded in (the [`Header`]), then the
//! records of every thread in compressed columns. FORMAT.md next to this crate describes every byte.
//!
//! - Writing: [`TraceWriter`] with a [`ThreadWriter`] per thread. Recording an event takes no lock; a background thread
//!   compresses and writes. Every lost event is counted.
//! - Application-defined events: [`events!`] defines lists of them, [`Recorder`] records them, and every reader reads
//!   them.
//! - Crash-safe recording: with [`TraceWriter::record`], recorded events survive the process; [`Trace::recovery`]
//!   describes what was recovered from the side files of an unfinished recording.
//! - Reading: [`Trace`] returns its records one after another ([`Trace::rows`]), or columns of some fields
//!   ([`Trace::extract`]). Damage is data ([`Damage`]): everything readable is read, and every loss has a position and
//!   a size.
//! - Decoding: [`fields`] returns a row's values by name; [`RowPlan`] rewrites rows of an older layout.
//!
//! ```
//! use taut_schemas::{Call, EventCode, Field, HeapDesc, Opcode, SchemaTable, d3d12};
//! use taut_traces::{Header, Trace, TraceWriter, WriteOptions, fields};
//!
//! let file = tempfile::NamedTempFile::new()?;
//! let header = Header { schema: SchemaTable::current(), ..Header::default() };
//! let writer = TraceWriter::create(file.path(), &header, WriteOptions::default())?;
//! let mut thread = writer.thread(1);
//! let call = d3d12::CreateHeap { desc: HeapDesc { size_bytes: 65536, ..Default::default() }, ..Default::default() };
//! thread.event(EventCode::new(d3d12::CreateHeap::ID, Opcode::Start), 1_000, |encoder| {
//!     encoder.u64(250); // How long the call waited for its locks, in nanoseconds.
//!     call.encode(encoder);
//! });
//! drop(thread);
//! writer.finish()?;
//!
//! let trace = Trace::open(file.path())?;
//! let mut rows = trace.rows();
//! while let Some(row) = rows.next_row() {
//!     assert_eq!((row.stamp, row.thread), (1_000, 1));
//!     let values = fields(&trace.header().schema, row.code, row.payload)?;
//!     assert!(values.iter().any(|(name, _)| name == "desc.size_bytes"));
//! }
//! assert!(rows.damage().is_empty() && trace.verify().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod format;
mod live;
mod read;
mod write;

pub use format::block_info::{BlockInfo, UnknownBlock};
pub use format::clock::Clock;
pub use format::clock_reading::{ClockReading, UtcClock};
pub use format::end_cause::EndCause;
pub use format::error::{Damage, ReadError, WriteError};
pub use format::file_head::{MAGIC, VERSION};
pub use format::gap::{Gap, GapCause};
pub use format::header::{AdapterWorld, Header, HeaderError, Ticks, Workload, World};
pub use format::identity::{DiscardedEvents, HostInfo, Identity, Recording};
pub use format::path_in_use::PathInUse;
pub use format::stream_info::StreamInfo;
pub use format::trigger_error::TriggerError;
pub use format::write_summary::WriteSummary;
pub use live::control_client::{ControlClient, ControlError};
pub use live::disk::{Disk, DiskCall};
pub use live::leftovers::{Leftovers, is_side_file};
pub use live::map::MappedFile;
pub use live::path_claim::PathClaim;
pub use live::pending_sidecars::remove_pending_sidecars;
pub use live::provider_mask::ProviderMask;
pub use live::regular_file::{
    MAX_TEXT_BYTES, nonblocking, open_regular, read_limited, read_regular_text, read_stream_limited, read_text,
    require_regular,
};
pub use live::replace_file::replace_file;
pub use live::request::Command;
pub use live::shortened::{end_on_shortened_file, was_file_shortened};
pub use live::snapshot_requests::SnapshotRequests;
pub use read::block_events::{BlockEvents, EventReader, KindStamps};
pub use read::extracted::{Column, EventColumns, Extract, ThreadExtract};
pub use read::joiner::Joiner;
pub use read::print::{Value, fields};
pub use read::recovery::{RecoveredThread, Recovery};
pub use read::row_field::RowField;
pub use read::row_parts::{RowPart, row_parts};
pub use read::rows::{Row, Rows};
pub use read::selection::{Heads, Selection};
pub use read::summary::{Summary, ThreadSummary};
pub use read::trace::Trace;
pub use read::translate::RowPlan;
pub use taut_schemas::events;
pub use write::event_recorder::{Recorder, RecorderThread};
pub use write::mode::Mode;
pub use write::options::{OnFull, WriteOptions};
pub use write::recorder_builder::RecorderBuilder;
pub use write::recover_file::recover_in_place;
pub use write::snapshot::Snapshot;
pub use write::snapshot_trigger::SnapshotTrigger;
pub use write::standard_stream::{StandardEvent, StandardStream};
pub use write::thread_writer::ThreadWriter;
pub use write::writer::TraceWriter;
