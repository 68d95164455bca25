//! The fields of two records of one event, compared by name.

use std::collections::HashMap;
use taut_schemas::{EventCode, FieldKind, Role};
use taut_traces::{ReadError, Trace, Value, fields};

/// Objects of one trace by their handle in the other; those with equal handles are left out.
#[derive(Debug, Default)]
pub(super) struct ObjectMap {
    b_of_a: HashMap<u64, u64>,
}

/// A field that differs, and both its values; null where a trace has no such field.
pub(super) type Difference = (String, Option<Value>, Option<Value>);

impl ObjectMap {
    /// Handles are the same in both traces so far.
    pub fn is_identity(&self) -> bool {
        self.b_of_a.is_empty()
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
