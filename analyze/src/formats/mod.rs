//! Files that other tools read.

mod flat;
mod json_rows;
mod jsonl;
mod perfetto;
mod record_batch;
mod trace_id;

pub use flat::{FlatFigure, flat_csv, flat_figures};
pub use jsonl::write_jsonl;
pub use perfetto::write_perfetto;
pub use trace_id::{trace_id, trace_keys};
