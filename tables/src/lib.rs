//! The tables of a trace as polars frames: SQL over them, and Parquet files of them.
//!
//! The only crate that depends on polars, and therefore the slowest to build. Its program `taut-tables` is started by
//! `taut query`, `taut export --to parquet` and `taut analyze --format parquet`.
//!
//! * [`TABLES`] lists the tables.
//! * [`sql`] answers SQL.
//! * [`parquet`] writes and reads Parquet.
//!
//! ```
//! use taut_analyze::Analysis;
//! use taut_schemas::SchemaTable;
//! use taut_tables::table;
//! use taut_traces::{Header, Trace, TraceWriter, WriteOptions};
//!
//! // A recording of nothing.
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("nothing.taut");
//! let header = Header { schema: SchemaTable::current(), ..Default::default() };
//! TraceWriter::create(&path, header, WriteOptions::default())?.finish()?;
//!
//! let analysis = Analysis::new(Trace::open(&path)?)?;
//! assert_eq!(table("heaps")?.frame(&analysis, None)?.height(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod cached;
mod error;
mod hash;
mod lake_error;
mod tables;

pub mod docs;
pub mod parquet;
pub mod sql;

/// The version that frames are of.
pub use polars;

pub use cached::CachedTables;
pub use error::TableError;
pub use tables::{ColumnDoc, ColumnKind, EventTable, TABLES, Table, TableColumn, table};
