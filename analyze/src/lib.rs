//! Analysis of traces: calls, resources and heaps, and reports on them.
//!
//! The trace is the only input. Events and fields are found by name in the schema table that the trace carries, so that
//! traces of other versions stay readable.
//!
//! * [`Analysis`] is the entry point: results of an open trace, computed on first use. All layers below take a
//!   [`Source`], the open trace itself.
//! * [`REPORTS`] lists the reports; each has figures as JSON and a [`Document`](render::Document) for people.
//!   [`Findings`] holds several of them.
//! * [`background`] reads background tasks, passes and draws.
//! * [`diff`] compares two traces.
//! * [`events`] reads calls and marks of all threads in one order, in batches; tables are built from it.
//! * [`imported`] converts events that Windows reported.
//! * [`memory`] holds heaps and resources with their lifetimes, and their layout in memory.
//! * [`presents`] reads machines, decisions and frames of swap chains.
//!
//! ```
//! use taut_analyze::{Analysis, Findings, applicable_reports};
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
//! let findings = Findings::of(&analysis, &applicable_reports(&analysis)?)?;
//! assert_eq!(findings.json()?["reports"]["alignment"]["peak_real"]["heap_bytes"], 65536);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod analysis;
mod error;
mod head;

pub mod background;
pub mod budget;
pub mod diff;
pub mod docs;
pub mod events;
pub mod export;
pub mod glossary;
pub mod handles;
pub mod imported;
pub mod memory;
pub mod page;
pub mod placement;
pub mod presents;
pub mod render;
pub mod reports;

pub use analysis::Analysis;
pub use error::AnalyzeError;
pub use events::{InputHead, Source, ticks_to_ns};
pub use head::Head;
pub use reports::{Definition, Figure, Findings, REPORTS, Report, ReportResult, Verdict, applicable_reports, report};
