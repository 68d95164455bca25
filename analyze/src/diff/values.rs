//! Compares the fields of two records of one event by name.

use foldhash::HashMap;
use taut_schemas::{EventCode, EventSchema, FieldKind, FieldSchema, IdSpace, ScalarSchema, SchemaTable, WAIT_FIELD};
use taut_traces::{ReadError, Trace, Value, fields};

/// Ids of the second trace by their number in the first, per id space; ids with equal numbers are left out.
#[derive(Debug, Default)]
pub(super) struct IdMap {
    b_of_a: HashMap<(IdSpace, u64), u64>,
}

/// Offsets of the ids in each event's rows; `None` for an event with ids in or after a text or a list.
#[derive(Debug)]
pub(super) struct IdPlaces {
    places: HashMap<EventCode, Option<Vec<(usize, IdSpace)>>>,
}

impl IdPlaces {
    pub fn new(schema: &SchemaTable) -> IdPlaces {
        let places = schema.events.iter().map(|event| (event.code, places(event)));
        IdPlaces { places: places.collect() }
    }
}

impl IdPlaces {
    /// The offsets and spaces of an event's ids, in order; `None` if they have no fixed offsets.
    pub fn of(&self, code: EventCode) -> Option<&[(usize, IdSpace)]> {
        self.places.get(&code)?.as_deref()
    }
}

/// Size of an id in bytes.
const ID_BYTES: usize = 8;

fn places(event: &EventSchema) -> Option<Vec<(usize, IdSpace)>> {
    let (mut at, mut places) = (Some(0), Vec::new());
    for field in &event.fields {
        let ids = field.scalars().iter().filter_map(matched_space);
        let FieldKind::Scalar(scalar) = &field.kind else {
            if ids.count() > 0 {
                return None;
            }
            at = None;
            continue;
        };
        for space in ids {
            places.push((at.filter(|_| usize::from(scalar.width_bytes) == ID_BYTES)?, space));
        }
        at = at.map(|at| at + usize::from(scalar.width_bytes));
    }
    Some(places)
}

/// The space of an id whose number may differ between two runs.
fn matched_space(scalar: &ScalarSchema) -> Option<IdSpace> {
    scalar.space.filter(|space| space.differs_by_run())
}

/// A record of one of the two traces.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub trace: &'a Trace,
    pub record: &'a (EventCode, Vec<u8>),
}

/// A field that differs, and both its values; `None` where a trace lacks the field.
pub(super) type Difference = (String, Option<Value>, Option<Value>);

impl IdMap {
    /// True if a row with equal bytes in both traces means the same in both; false if in doubt.
    pub fn means_the_same(&self, places: &IdPlaces, code: EventCode, row: &[u8]) -> bool {
        if self.b_of_a.is_empty() {
            return true;
        }
        let Some(Some(places)) = places.places.get(&code) else { return false };
        places.iter().all(|(at, space)| {
            let id = row.get(*at..).and_then(|rest| rest.first_chunk()).map(|bytes| u64::from_le_bytes(*bytes));
            id.is_some_and(|id| self.b_of_a.get(&(*space, id)).is_none_or(|in_b| *in_b == id))
        })
    }

    /// The fields in which two records differ. In a `result`, new ids are matched instead of compared.
    pub fn compare(&mut self, a: Side<'_>, b: Side<'_>, result: bool) -> Result<Vec<Difference>, ReadError> {
        let ((code_a, row_a), (code_b, row_b)) = (a.record, b.record);
        let (a, b) = (a.trace, b.trace);
        let event = a.header().schema.event(*code_a).ok_or(ReadError::UnknownEvent(*code_a))?;
        let fields_a = fields(&a.header().schema, *code_a, row_a)?;
        let mut fields_b: HashMap<String, Value> = fields(&b.header().schema, *code_b, row_b)?.into_iter().collect();
        let mut differences = Vec::new();
        for (field, (name, value_a)) in event.fields.iter().zip(fields_a) {
            let value_b = fields_b.remove(&name);
            // The wait for locks differs in every run.
            if name == WAIT_FIELD {
                continue;
            }
            let same = value_b.as_ref().is_some_and(|value_b| self.is_same(field, &value_a, value_b, result));
            if !same {
                differences.push((name, Some(value_a), value_b));
            }
        }
        differences.extend(
            fields_b.into_iter().filter(|(name, _)| name != WAIT_FIELD).map(|(n, value)| (n, None, Some(value))),
        );
        Ok(differences)
    }

    fn is_same(&mut self, field: &FieldSchema, in_a: &Value, in_b: &Value, result: bool) -> bool {
        match (in_a, in_b) {
            (Value::Number(in_a), Value::Number(in_b)) => {
                let space = field.scalars().first().and_then(matched_space);
                space.map_or(in_a == in_b, |space| self.matches(space, *in_a, *in_b, result))
            }
            (Value::List(in_a), Value::List(in_b)) => {
                in_a.len() == in_b.len()
                    && in_a.iter().zip(in_b).all(|(in_a, in_b)| self.is_same_element(field, in_a, in_b, result))
            }
            (in_a, in_b) => in_a == in_b,
        }
    }

    fn is_same_element(
        &mut self,
        field: &FieldSchema,
        in_a: &[(String, Value)],
        in_b: &[(String, Value)],
        result: bool,
    ) -> bool {
        let mut columns = field.scalars().iter().zip(in_a).zip(in_b);
        in_a.len() == in_b.len()
            && columns.all(|((scalar, in_a), in_b)| match (matched_space(scalar), &in_a.1, &in_b.1) {
                (Some(space), Value::Number(id_a), Value::Number(id_b)) if in_a.0 == in_b.0 => {
                    self.matches(space, *id_a, *id_b, result)
                }
                _ => in_a == in_b,
            })
    }

    fn matches(&mut self, space: IdSpace, in_a: u64, in_b: u64, result: bool) -> bool {
        match self.b_of_a.get(&(space, in_a)) {
            Some(expected) => *expected == in_b,
            // The first appearance of an id: its number differs by run, so it is matched, not compared.
            None if result && in_a != 0 && in_b != 0 => {
                if in_a != in_b {
                    self.b_of_a.insert((space, in_a), in_b);
                }
                true
            }
            None => in_a == in_b,
        }
    }
}
