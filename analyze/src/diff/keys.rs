//! Keys by which the calls of two runs are aligned. Object numbers, which differ by run, are replaced by hashes of
//! the objects' creation calls and names.

use super::align::CallKey;
use super::record::{CallReader, CallRecord};
use super::values::IdPlaces;
use foldhash::fast::FixedState;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash, Hasher};
use taut_schemas::{EventCode, IdSpace, SchemaTable, WAIT_FIELD, d3d12, start};
use taut_traces::{ReadError, RowField, Trace, Value, fields};

/// A call before the names of its objects are known.
struct Raw {
    thread: u32,
    /// Hash of the call's name.
    call: u64,
    /// Hash of its arguments without objects.
    args_hash: u64,
    /// End of its objects in the list of all calls' objects.
    objects_end: usize,
    /// Object that the call created; 0 if it created no object.
    created: u64,
}

/// Returns the keys of a trace's calls, by thread.
pub(super) fn keys_of(trace: &Trace) -> Result<BTreeMap<u32, Vec<CallKey>>, ReadError> {
    let schema = &trace.header().schema;
    let (places, set_name) = (IdPlaces::new(schema), SetName::find(schema));
    let (mut raws, mut objects, mut names) = (Vec::new(), Vec::new(), HashMap::<u64, u64, FixedState>::default());
    let mut reader = CallReader::new(trace);
    while let Some((thread, call)) = reader.next()? {
        let reading = Reading { schema, places: &places };
        let args_hash = reading.start(&call, &mut objects)?;
        let created = reading.created(&call)?;
        if let Some((object, name)) = set_name.as_ref().and_then(|set_name| set_name.read(&call)) {
            names.insert(object, hash_of(&name));
        }
        raws.push(Raw { thread, call: hash_of(&call.name), args_hash, objects_end: objects.len(), created });
    }
    Ok(finished(&raws, &objects, &names))
}

fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    FixedState::default().hash_one(value)
}

/// Combines the hashes of calls with the hashes of their objects.
fn finished(raws: &[Raw], objects: &[u64], names: &HashMap<u64, u64, FixedState>) -> BTreeMap<u32, Vec<CallKey>> {
    let mut described: HashMap<u64, u64, FixedState> = HashMap::default();
    let mut keys: BTreeMap<u32, Vec<CallKey>> = BTreeMap::new();
    let mut begin = 0;
    for raw in raws {
        let mut about = FixedState::default().build_hasher();
        raw.call.hash(&mut about);
        for object in &objects[begin..raw.objects_end] {
            // A name identifies an object better than the call that created it, whose arguments may have changed.
            names.get(object).or_else(|| described.get(object)).hash(&mut about);
        }
        begin = raw.objects_end;
        names.get(&raw.created).hash(&mut about);
        let about = about.finish();
        let exact = hash_of(&(about, raw.args_hash));
        if raw.created != 0 {
            described.insert(raw.created, exact);
        }
        keys.entry(raw.thread).or_default().push([exact, about, raw.call]);
    }
    keys
}

/// Location of SetName's arguments in a row.
struct SetName {
    object: RowField<taut_schemas::ObjectId>,
    name: RowField<String>,
}

impl SetName {
    fn find(schema: &SchemaTable) -> Option<SetName> {
        let record = start::<d3d12::SetName>();
        Some(SetName { object: RowField::find(schema, record.object())?, name: RowField::find(schema, record.name())? })
    }

    fn read(&self, call: &CallRecord) -> Option<(u64, String)> {
        let (code, row) = call.start.as_ref().filter(|(code, _)| *code == self.name.code())?;
        debug_assert_eq!(*code, self.object.code());
        Some((self.object.read(row).ok()?.0, self.name.read(row).ok()?))
    }
}

struct Reading<'s> {
    schema: &'s SchemaTable,
    places: &'s IdPlaces,
}

impl Reading<'_> {
    /// Hash of a call's arguments without its objects, which are appended to `objects`.
    fn start(&self, call: &CallRecord, objects: &mut Vec<u64>) -> Result<u64, ReadError> {
        let mut args_hash = FixedState::default().build_hasher();
        let Some((code, row)) = &call.start else { return Ok(0) };
        self.row(*code, row, size_of::<u64>(), &mut args_hash, objects)?;
        Ok(args_hash.finish())
    }

    /// The object that a call created.
    fn created(&self, call: &CallRecord) -> Result<u64, ReadError> {
        let Some((code, row)) = &call.stop else { return Ok(0) };
        let Some(places) = self.places.of(*code) else { return Ok(0) };
        let object = places.iter().find(|(_, space)| *space == IdSpace::Object);
        Ok(object.and_then(|(at, _)| number(row, *at)).unwrap_or(0))
    }

    fn row(
        &self,
        code: EventCode,
        row: &[u8],
        mut from: usize,
        args_hash: &mut impl Hasher,
        objects: &mut Vec<u64>,
    ) -> Result<(), ReadError> {
        let Some(places) = self.places.of(code) else {
            return self.decoded(code, row, args_hash, objects);
        };
        for (at, space) in places {
            row.get(from..*at).hash(args_hash);
            from = at + size_of::<u64>();
            if *space == IdSpace::Object {
                objects.extend(number(row, *at));
            }
        }
        row.get(from..).hash(args_hash);
        Ok(())
    }

    /// As [`row`](Self::row), for a row with ids in or after lists.
    fn decoded(
        &self,
        code: EventCode,
        row: &[u8],
        args_hash: &mut impl Hasher,
        objects: &mut Vec<u64>,
    ) -> Result<(), ReadError> {
        let event = self.schema.event(code).ok_or(ReadError::UnknownEvent(code))?;
        for (field, (name, value)) in event.fields.iter().zip(fields(self.schema, code, row)?) {
            // The wait for locks differs in every run.
            if name == WAIT_FIELD {
                continue;
            }
            let spaces: Vec<Option<IdSpace>> = field.scalars().iter().map(|scalar| scalar.space).collect();
            match value {
                Value::List(elements) => {
                    elements.len().hash(args_hash);
                    let columns = elements.iter().flat_map(|element| spaces.iter().zip(element));
                    columns.for_each(|(space, (_, value))| hash_value(*space, value, args_hash, objects));
                }
                value => hash_value(spaces.first().copied().flatten(), &value, args_hash, objects),
            }
        }
        Ok(())
    }
}

fn number(row: &[u8], at: usize) -> Option<u64> {
    row.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Hashes a value; an object is appended to `objects` instead, and other ids that differ by run are ignored.
fn hash_value(space: Option<IdSpace>, value: &Value, args_hash: &mut impl Hasher, objects: &mut Vec<u64>) {
    match (space, value) {
        (Some(IdSpace::Object), Value::Number(object)) => objects.push(*object),
        (Some(space), Value::Number(_)) if space.differs_by_run() => {}
        (_, Value::Number(number)) => number.hash(args_hash),
        (_, Value::Float(number)) => number.to_bits().hash(args_hash),
        (_, Value::Text(text)) => text.hash(args_hash),
        (_, Value::Bytes(bytes)) => bytes.hash(args_hash),
        (_, Value::List(elements)) => {
            elements.iter().flatten().for_each(|(_, value)| hash_value(None, value, args_hash, objects));
        }
    }
}
