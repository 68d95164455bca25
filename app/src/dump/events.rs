//! Selected events in order, and an event as JSON.

use super::{Around, DumpOptions};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use taut_schemas::{Opcode, SchemaTable};
use taut_traces::{Damage, Row, Rows, Trace};

impl DumpOptions {
    /// Passes the selected events of `rows` to `add`, in order, and returns the damage. `format` gets every event up to the
    /// last selected one, because a line can depend on those before it.
    ///
    /// # Errors
    /// `format` or `add` has failed.
    pub fn each<L, E>(
        &self,
        trace: &Trace,
        mut rows: Rows<'_>,
        mut format: impl FnMut(&Row<'_>) -> Result<L, E>,
        mut add: impl FnMut(&L) -> Result<(), E>,
    ) -> Result<Vec<Damage>, E> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let mut shown = 0;
        let mut before = VecDeque::new();
        let around = self.around();
        let mut after = around.map_or(usize::MAX, |around| around.half.max(1));
        while let Some(row) = rows.next_row() {
            if self.is_after(&row) || shown >= limit || after == 0 {
                break;
            }
            let line = format(&row)?;
            let wanted = self.selects(trace, &row);
            match around {
                _ if !wanted => {}
                Some(Around { stamp, half }) if row.stamp < stamp => {
                    before.push_back(line);
                    if before.len() > half {
                        before.pop_front();
                    }
                }
                _ => {
                    after = if around.is_some() { after - 1 } else { after };
                    shown += before.len() + 1;
                    before.drain(..).try_for_each(|line| add(&line))?;
                    add(&line)?;
                }
            }
        }
        before.drain(..).try_for_each(|line| add(&line))?;
        Ok(rows.damage().to_vec())
    }
}

/// An event with these fields as JSON.
pub fn event_json(schema: &SchemaTable, row: &Row<'_>, fields: Vec<(String, taut_traces::Value)>) -> Value {
    let event = schema.event(row.code);
    let name = event.map_or_else(|| format!("event {}", row.code.0), |event| event.name.clone());
    let opcode = match row.code.opcode() {
        Some(Opcode::Start) => "start",
        Some(Opcode::Stop) => "stop",
        _ => "info",
    };
    let fields: Map<String, Value> =
        fields.into_iter().map(|(name, value)| (name, serde_json::to_value(value).unwrap_or_default())).collect();
    json!({
        "stamp": row.stamp, "thread": row.thread, "provider": event.map(|event| &event.provider), "event": name,
        "opcode": opcode, "fields": fields,
    })
}
