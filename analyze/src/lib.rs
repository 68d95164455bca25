//! What a trace means: its calls, resources and heaps, and reports over them.
//!
//! Everything comes from the trace alone. Events and fields are found by name in the schema table that the trace
//! carries, so that traces of other versions stay readable.
//!
//! * [`Analysis`] is the way in: what an open trace holds, made when asked for. Everything below it takes a [`Source`], the
//!   open trace itself.
//! * [`REPORTS`] lists the reports; each gives figures as JSON and a [`Document`](render::Document) for people.
//!   [`Findings`] holds several of them.
//! * [`background`] holds background tasks, passes and draws.
//! * [`columns`] gives calls and marks of all threads in one order, some at a time; tables are made from it.
//! * [`diff`] tells how two traces differ.
//! * [`presents`] gives machines, decisions and frames of swap chains.
//! * [`world`] holds heaps and resources with their lifetimes, and how they lie in memory.
//!
//! ```
//! use taut_analyze::{Analysis, Findings, applying};
//! use taut_schemas::{Call, EventCode, HResult, HeapDesc, HeapId, Opcode, SchemaTable, Field, d3d12};
//! use taut_traces::{Header, Trace, TraceWriter, WriteOptions};
//!
//! // A recording of one call: CreateHeap, which makes a heap of 64 KiB.
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("heap.taut");
//! let header = Header { schema: SchemaTable::current(), ..Default::default() };
//! let writer = TraceWriter::create(&path, header, WriteOptions::default())?;
//! let call = d3d12::CreateHeap { desc: HeapDesc { size_bytes: 65536, ..Default::default() }, ..Default::default() };
//! let result: HResult<HeapId> = Ok(HeapId(1));
//! let mut thread = writer.thread(0);
//! thread.event(EventCode::new(d3d12::CreateHeap::ID, Opcode::Start), 10, |row| {
//!     row.u64(0); // wait_ns
//!     call.encode(row);
//! });
//! thread.event(EventCode::new(d3d12::CreateHeap::ID, Opcode::Stop), 20, |row| result.encode(row));
//! drop(thread);
//! writer.finish()?;
//!
//! let trace = Trace::open(&path)?;
//! let analysis = Analysis::new(trace)?;
//! assert_eq!(analysis.world()?.heaps.len(), 1);
//! let findings = Findings::of(&analysis, &applying(&analysis)?)?;
//! assert_eq!(findings.json()?["reports"]["alignment"]["peak_real"]["heap_bytes"], 65536);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod analysis;
mod error;
mod event_reader;
mod head;
mod input_head;
mod source;

pub mod background;
pub mod budget;
pub mod columns;
pub mod diff;
pub mod docs;
pub mod formats;
pub mod glossary;
pub mod handles;
pub mod html;
pub mod placing;
pub mod presents;
pub mod render;
pub mod reports;
pub mod world;

pub use analysis::Analysis;
pub use error::AnalyzeError;
pub use head::Head;
pub use input_head::{InputHead, ticks_to_ns};
pub use reports::{Definition, Figure, Findings, REPORTS, Report, ReportResult, Verdict, applying, report};
pub use source::Source;
