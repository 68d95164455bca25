//! Every record as one JSON object a line.

use crate::error::AnalyzeError;
use serde_json::{Map, Value, json};
use std::io::Write;
use taut_schemas::Opcode;
use taut_traces::{Damage, Trace, fields};

/// Writes every record in the order of all threads: `stamp`, `thread`, `event`, `opcode`, `fields`. Gives the damage that
/// was met.
///
/// # Errors
/// The trace's table does not fit its records, or writing failed.
pub fn write_jsonl(trace: &Trace, mut out: impl Write) -> Result<Vec<Damage>, AnalyzeError> {
    let schema = &trace.header().schema;
    let mut rows = trace.rows();
    while let Some(row) = rows.next()? {
        let name = schema.event(row.code).map_or("unknown", |event| event.name.as_str());
        let opcode = match row.code.opcode() {
            Some(Opcode::Start) => "start",
            Some(Opcode::Stop) => "stop",
            _ => "info",
        };
        let values = fields(schema, row.code, row.payload).map_err(|error| AnalyzeError::Record {
            stamp: row.stamp,
            thread: row.thread,
            event: name.to_owned(),
            error: error.to_string(),
        })?;
        let values: Map<String, Value> =
            values.into_iter().map(|(name, value)| (name, serde_json::to_value(value).unwrap_or_default())).collect();
        let line = json!({"stamp": row.stamp, "thread": row.thread, "event": name, "opcode": opcode, "fields": values});
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(rows.damage().to_vec())
}
