//! Files that other tools read.

mod flat;
mod json_rows;
mod jsonl;
mod lake;
mod parquet;
mod perfetto;
mod trace_id;

pub use flat::{FlatFigure, flat_csv, flat_figures, flat_parquet};
pub use jsonl::write_jsonl;
pub use lake::{LakeFile, write_lake};
pub(crate) use parquet::{ParquetFile, write_parquet};
pub use perfetto::write_perfetto;
pub use trace_id::{trace_id, trace_keys};
