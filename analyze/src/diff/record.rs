//! The calls of a trace one after another, each with its arguments and its result.

use std::collections::{BTreeMap, HashMap};
use taut_schemas::{EventCode, Layer, Opcode};
use taut_traces::{ReadError, Rows, Trace, Value, fields};

/// One API call, or one input of the machine.
#[derive(Debug, Default)]
pub(super) struct CallRecord {
    pub name: String,
    pub start: Option<(EventCode, Vec<u8>)>,
    /// `None` if it never returned.
    pub stop: Option<(EventCode, Vec<u8>)>,
    /// A what-if replay had no object to make it on.
    pub skipped: bool,
}

/// A trace on its way past.
pub(super) struct CallReader<'t> {
    pub trace: &'t Trace,
    rows: Rows<'t>,
    open: HashMap<u32, CallRecord>,
    /// Messages by severity and id.
    pub messages: BTreeMap<(String, String), u64>,
    ended: bool,
}

impl<'t> CallReader<'t> {
    pub fn new(trace: &'t Trace) -> CallReader<'t> {
        CallReader { trace, rows: trace.rows(), open: HashMap::new(), messages: BTreeMap::new(), ended: false }
    }

    /// The next call to end, and its thread; those that never ended come last.
    pub fn next(&mut self) -> Result<Option<(u32, CallRecord)>, ReadError> {
        while !self.ended {
            let Some(row) = self.rows.next()? else {
                self.ended = true;
                break;
            };
            let schema = &self.trace.header().schema;
            let Some(event) = schema.event(row.code) else { continue };
            match (event.layer, event.opcode) {
                (layer, Opcode::Start) if layer.is_input() => {
                    let start = Some((row.code, row.payload.to_vec()));
                    self.open
                        .insert(row.thread, CallRecord { name: event.name.clone(), start, ..CallRecord::default() });
                }
                (layer, Opcode::Stop) if layer.is_input() => {
                    if let Some(mut call) = self.open.remove(&row.thread) {
                        call.stop = Some((row.code, row.payload.to_vec()));
                        return Ok(Some((row.thread, call)));
                    }
                }
                (Layer::Mark, _) if event.name == "SkippedCall" => {
                    let name = text(&fields(schema, row.code, row.payload)?, "name");
                    return Ok(Some((row.thread, CallRecord { name, skipped: true, ..CallRecord::default() })));
                }
                (Layer::Mark, _) if event.name == "DebugMessage" => {
                    let fields = fields(schema, row.code, row.payload)?;
                    let key = (text(&fields, "severity"), text(&fields, "message_id"));
                    *self.messages.entry(key).or_default() += 1;
                }
                _ => {}
            }
        }
        let unfinished = self.open.keys().min().copied();
        Ok(unfinished.and_then(|thread| Some((thread, self.open.remove(&thread)?))))
    }
}

fn text(fields: &[(String, Value)], name: &str) -> String {
    match fields.iter().find(|(field, _)| field == name) {
        Some((_, Value::Text(text))) => text.clone(),
        Some((_, Value::Number(number))) => number.to_string(),
        _ => String::new(),
    }
}
