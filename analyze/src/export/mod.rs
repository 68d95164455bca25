//! Output formats for other tools.

mod flat;
mod json_rows;
mod jsonl;
mod line_text;
mod perfetto;
mod record_batch;
mod trace_id;

pub use flat::{FlatFigure, flat_csv, flat_figures};
pub use jsonl::write_jsonl;
pub use perfetto::write_perfetto;
pub use trace_id::{trace_id, trace_keys};
