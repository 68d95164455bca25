//! The trace container: how a recording is kept, and how it is read back.
//!
//! A trace holds the schema table it was written with and the world it was recorded in (the [`Header`]), then the
//! records of every thread in compressed columns. FORMAT.md beside this crate describes every byte.
//!
//! - Writing: [`TraceWriter`] with a [`ThreadWriter`] per thread. Recording an event takes no lock; a background thread
//!   compresses and writes. Nothing is lost unseen.
//! - Events of one's own: [`events!`] makes a list of them, [`Recorder`] records them, and every reader reads them.
//! - Recording: [`TraceWriter::record`] makes what was recorded outlive the process; [`Trace::recovery`] says what was taken
//!   from beside a trace whose recording did not end.
//! - Reading: [`Trace`] gives its records one after another ([`Trace::rows`]), or columns of some fields
//!   ([`Trace::extract`]). Damage is data ([`Damage`]): what can be read is read, and every loss has a place and a size.
//! - Understanding: [`fields`] gives a row's values by name; [`RowPlan`] rewrites rows of an older layout.
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

mod attendant;
mod block;
mod block_encoder;
mod block_events;
mod block_head;
mod block_info;
mod block_list;
mod block_rows;
mod block_whole;
mod block_writer;
mod chain;
mod claim;
mod clock;
mod clock_reading;
mod column;
mod column_decoder;
mod columns;
mod control;
mod controller;
mod cover;
mod cursor;
mod disk;
mod docs_block;
mod end_cause;
mod entry;
mod envelope;
mod error;
mod event_recorder;
mod excerpt;
mod extract;
mod extracted;
mod file_head;
mod file_lock;
mod finished;
mod footer;
mod gap;
mod gather;
mod handover;
mod head;
mod header;
mod heavy;
mod identity;
mod index;
mod index_block;
mod joiner;
mod keeper;
mod left_behind;
mod limit;
mod locate;
mod map;
mod mid_stream;
mod mode;
mod nesting;
mod occupied;
mod options;
mod other_block;
mod own;
mod parse;
mod part;
mod place;
mod plane;
mod pool;
mod print;
mod provider_mask;
mod recorder_builder;
mod recovery;
mod request;
mod ring;
mod row_field;
mod row_head;
mod row_parts;
mod rows;
mod scan;
mod schema_block;
mod segment;
mod segment_watch;
mod segments;
mod selection;
mod sequence;
mod shortened;
mod sidecar;
mod sink;
mod size_limit;
mod slot;
mod slot_column;
mod slot_line;
mod slot_values;
mod snapshot;
mod snapshot_trigger;
mod snapshot_watch;
mod snapshot_wish;
mod standard_stream;
mod stream_info;
mod summary;
mod tail;
mod teller;
mod thread_writer;
mod timer;
mod told;
mod trace;
mod transform;
mod translate;
mod trigger_error;
mod verify;
mod version_0;
mod walk;
mod wanted;
mod write_summary;
mod writer;

pub use block_events::{BlockEvents, EventReader, KindStamps};
pub use block_info::{BlockInfo, UnknownBlock};

pub use claim::Claim;
pub use clock::Clock;
pub use clock_reading::{ClockReading, UtcClock};
pub use controller::{ControlError, Controller};
pub use disk::{Disk, DiskCall};
pub use end_cause::EndCause;
pub use error::{Damage, ReadError, WriteError};
pub use event_recorder::{Recorder, RecorderThread};
pub use extracted::{Column, EventColumns, Extract, ThreadExtract};
pub use file_head::{MAGIC, VERSION};
pub use gap::{Gap, GapCause};
pub use header::{AdapterWorld, Header, HeaderError, Ticks, Workload, World};
pub use identity::{Identity, LeftOut, Recording, Whereabouts};
pub use joiner::Joiner;
pub use map::MappedFile;
pub use mode::Mode;
pub use occupied::Occupied;
pub use options::{OnFull, WriteOptions};
pub use print::{Value, fields};
pub use provider_mask::ProviderMask;
pub use recorder_builder::RecorderBuilder;
pub use recovery::{RecoveredThread, Recovery};
pub use request::Command;
pub use row_field::RowField;
pub use row_parts::{RowPart, row_parts};
pub use rows::{Row, Rows};
pub use selection::{Heads, Selection};
pub use shortened::{end_on_shortened_file, was_file_shortened};
pub use snapshot::Snapshot;
pub use snapshot_trigger::SnapshotTrigger;
pub use snapshot_wish::SnapshotWish;
pub use standard_stream::{StandardEvent, StandardStream};
pub use stream_info::StreamInfo;
pub use summary::{Summary, ThreadSummary};
pub use taut_schemas::events;
pub use thread_writer::ThreadWriter;
pub use trace::Trace;
pub use translate::RowPlan;
pub use trigger_error::TriggerError;
pub use write_summary::WriteSummary;
pub use writer::TraceWriter;
