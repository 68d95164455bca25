//! The fields of two records of one event, compared by name.

use foldhash::HashMap;
use taut_schemas::{EventCode, EventSchema, FieldKind, Role, SchemaTable};
use taut_traces::{ReadError, Trace, Value, fields};

/// Objects of one trace by their handle in the other; those with equal handles are left out.
#[derive(Debug, Default)]
pub(super) struct ObjectMap {
    b_of_a: HashMap<u64, u64>,
}

/// Where the handles of each event lie in its rows; none of an event that has some behind a text or a list.
#[derive(Debug)]
pub(super) struct HandlePlaces {
    places: HashMap<EventCode, Option<Vec<usize>>>,
}

impl HandlePlaces {
    pub fn new(schema: &SchemaTable) -> HandlePlaces {
        let places = schema.events.iter().map(|event| (event.code, places(event)));
        HandlePlaces { places: places.collect() }
    }
}

/// Handles have 64 bits.
const HANDLE_BYTES: usize = 8;

fn places(event: &EventSchema) -> Option<Vec<usize>> {
    let (mut at, mut places) = (Some(0), Vec::new());
    for field in &event.fields {
        let FieldKind::Scalar(scalar) = &field.kind else {
            at = None;
            continue;
        };
        if scalar.role == Role::Id && field.name != "device" {
            places.push(at.filter(|_| usize::from(scalar.width_bytes) == HANDLE_BYTES)?);
        }
        at = at.map(|at| at + usize::from(scalar.width_bytes));
    }
    Some(places)
}

/// A field that differs, and both its values; null where a trace has no such field.
pub(super) type Difference = (String, Option<Value>, Option<Value>);

impl ObjectMap {
    /// Whether a row that both traces have, byte for byte, means the same in both; if in doubt, not.
    pub fn means_the_same(&self, places: &HandlePlaces, code: EventCode, row: &[u8]) -> bool {
        if self.b_of_a.is_empty() {
            return true;
        }
        let Some(Some(places)) = places.places.get(&code) else { return false };
        places.iter().all(|at| {
            let handle = row.get(*at..).and_then(|rest| rest.first_chunk()).map(|bytes| u64::from_le_bytes(*bytes));
            handle.is_some_and(|handle| self.b_of_a.get(&handle).is_none_or(|in_b| *in_b == handle))
        })
    }

    /// The fields in which two records differ. In a `result`, new handles are matched instead of compared.
    pub fn compare(
        &mut self,
        (a, (code_a, row_a)): (&Trace, &(EventCode, Vec<u8>)),
        (b, (code_b, row_b)): (&Trace, &(EventCode, Vec<u8>)),
        result: bool,
    ) -> Result<Vec<Difference>, ReadError> {
        let fields_a = fields(&a.header().schema, *code_a, row_a)?;
        let mut fields_b: HashMap<String, Value> = fields(&b.header().schema, *code_b, row_b)?.into_iter().collect();
        let mut differences = Vec::new();
        for (name, value_a) in fields_a {
            let value_b = fields_b.remove(&name);
            if name == "wait_ns" {
                continue;
            }
            let same = match (&value_a, &value_b) {
                (Value::Number(in_a), Some(Value::Number(in_b))) if is_handle(a, *code_a, &name) => {
                    self.matches(*in_a, *in_b, result)
                }
                (value_a, Some(value_b)) => value_a == value_b,
                (_, None) => false,
            };
            if !same {
                differences.push((name, Some(value_a), value_b));
            }
        }
        differences.extend(
            fields_b.into_iter().filter(|(name, _)| name != "wait_ns").map(|(n, value)| (n, None, Some(value))),
        );
        Ok(differences)
    }

    fn matches(&mut self, in_a: u64, in_b: u64, result: bool) -> bool {
        match self.b_of_a.get(&in_a) {
            Some(expected) => *expected == in_b,
            None if result && in_a != 0 && in_b != 0 => {
                if in_a != in_b {
                    self.b_of_a.insert(in_a, in_b);
                }
                true
            }
            None => in_a == in_b,
        }
    }
}

/// Devices are numbered by adapter, the same in every trace; all other identities are objects'.
fn is_handle(trace: &Trace, code: EventCode, field: &str) -> bool {
    let event = trace.header().schema.event(code);
    let field = event.and_then(|event| event.fields.iter().find(|known| known.name == field && known.name != "device"));
    field.is_some_and(|field| matches!(&field.kind, FieldKind::Scalar(scalar) if scalar.role == Role::Id))
}
