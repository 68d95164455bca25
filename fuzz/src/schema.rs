//! Table with every kind of field, and traces of it.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use taut_schemas::{
    Encoder, EventCode, EventSchema, FieldKind, FieldSchema, IdSpace, Layer, Level, Opcode, Role, ScalarSchema,
    SchemaTable, Slot,
};
use taut_traces::{Header, TraceWriter, WriteOptions};

fn scalar(name: &str, width_bytes: u8, role: Role, in_list: bool) -> ScalarSchema {
    let space = (role == Role::Id).then_some(IdSpace::Object);
    let slot = Slot::new(role, in_list);
    ScalarSchema { name: name.into(), width_bytes, role, space, slot, code: None, doc: String::new() }
}

fn field(name: &str, kind: FieldKind) -> FieldSchema {
    FieldSchema { name: name.into(), doc: String::new(), kind }
}

fn event(id: u16, opcode: Opcode, fields: Vec<FieldSchema>) -> EventSchema {
    let (name, layer, provider) = (format!("Event{id}"), Layer::Api, "fuzz".to_owned());
    let (level, keywords, doc) = (Level::default(), 0, String::new());
    let (code, etw) = (EventCode::new(id, opcode), None);
    EventSchema { code, name, provider, layer, opcode, level, keywords, etw, doc, fields }
}

/// Calls with numbers, texts and lists, some of which share a slot.
pub fn table() -> SchemaTable {
    let number = |name: &str, width_bytes, role| field(name, FieldKind::Scalar(scalar(name, width_bytes, role, false)));
    let value = |name: &str, width_bytes| scalar(name, width_bytes, Role::Value, true);
    let events = vec![
        event(1, Opcode::Info, vec![number("a", 8, Role::Value), number("b", 1, Role::Value)]),
        event(
            1,
            Opcode::Start,
            vec![
                number("size", 4, Role::Size),
                field("name", FieldKind::Text),
                field("list", FieldKind::List(vec![value("v", 2), scalar("s", 8, Role::Size, true)])),
            ],
        ),
        event(1, Opcode::Stop, vec![number("hr", 4, Role::HResult), field("data", FieldKind::Bytes)]),
        event(2, Opcode::Start, vec![field("maybe", FieldKind::Optional(vec![value("x", 1), value("y", 8)]))]),
        event(2, Opcode::Stop, vec![]),
    ];
    SchemaTable { events: events.into(), ..SchemaTable::default() }
}

fn header() -> Header {
    Header { schema: table(), ..Header::default() }
}

/// Header's text, uncompressed.
pub(crate) fn text() -> Vec<u8> {
    let schema = "{\"events\":[".to_owned() + &events().join(",") + "]}";
    format!("{{\"schema\":{schema},\"world\":{{}}}}").into_bytes()
}

/// Events in the form of a header: those of [`table`], without keys that have a default.
fn events() -> Vec<String> {
    let scalar = |scalar: &ScalarSchema| {
        let (name, slot, width) = (&scalar.name, scalar.slot.0, scalar.width_bytes);
        format!("{{\"name\":\"{name}\",\"width_bytes\":{width},\"role\":\"value\",\"slot\":{slot},\"doc\":\"\"}}")
    };
    let columns = |columns: &[ScalarSchema]| columns.iter().map(scalar).collect::<Vec<_>>().join(",");
    let kind = |kind: &FieldKind| match kind {
        FieldKind::Scalar(one) => format!("{{\"scalar\":{}}}", scalar(one)),
        FieldKind::Text => "\"text\"".to_owned(),
        FieldKind::Bytes => "\"bytes\"".to_owned(),
        FieldKind::List(list) => format!("{{\"list\":[{}]}}", columns(list)),
        FieldKind::Optional(list) => format!("{{\"optional\":[{}]}}", columns(list)),
    };
    let opcode = |opcode: Opcode| match opcode {
        Opcode::Start => "start",
        Opcode::Stop => "stop",
        _ => "info",
    };
    let event = |event: &EventSchema| {
        let fields = event.fields.iter();
        let fields =
            fields.map(|field| format!("{{\"name\":\"{}\",\"doc\":\"\",\"kind\":{}}}", field.name, kind(&field.kind)));
        let fields: Vec<String> = fields.collect();
        format!(
            "{{\"code\":{},\"name\":\"{}\",\"layer\":\"api\",\"opcode\":\"{}\",\"doc\":\"\",\"fields\":[{}]}}",
            event.code.0,
            event.name,
            opcode(event.opcode),
            fields.join(",")
        )
    };
    table().events.iter().map(event).collect()
}

/// Rows of [`table`], a few of each event: code and row.
pub fn records(count: u64) -> Vec<(EventCode, Vec<u8>)> {
    let row = |number: u64| {
        let mut row = Vec::new();
        let mut encoder = Encoder::new(&mut row);
        let code = match number % 5 {
            0 => {
                encoder.u64(number << 40);
                encoder.u8(number as u8);
                EventCode::new(1, Opcode::Info)
            }
            1 => {
                encoder.u32(65536);
                encoder.bytes(b"name");
                encoder.u32(2);
                (0..2).for_each(|at| {
                    encoder.u16(at);
                    encoder.u64(number);
                });
                EventCode::new(1, Opcode::Start)
            }
            2 => {
                encoder.u32(0x8007_0057);
                encoder.bytes(&number.to_le_bytes());
                EventCode::new(1, Opcode::Stop)
            }
            3 => {
                encoder.u32(1);
                encoder.u8(7);
                encoder.u64(number * 3);
                EventCode::new(2, Opcode::Start)
            }
            _ => EventCode::new(2, Opcode::Stop),
        };
        (code, row)
    };
    (0..count).map(row).collect()
}

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Finished trace of two threads, with so many records in each of three blocks.
pub fn trace(count: u64) -> Vec<u8> {
    let memory = Memory::default();
    let writer = TraceWriter::new(memory.clone(), header(), WriteOptions::default()).unwrap();
    for (run, thread) in [0, 1, 0].into_iter().enumerate() {
        let mut thread = writer.thread(thread);
        for (stamp, (code, row)) in records(count).into_iter().enumerate() {
            thread.event(code, (run * 1000 + stamp) as u64, |encoder| encoder.raw(&row));
        }
    }
    writer.finish().unwrap();
    let bytes = memory.0.lock().unwrap();
    bytes.clone()
}

/// Bytes of one block of so many records.
pub fn block(count: u64) -> Vec<u8> {
    let bytes = trace(count);
    let trace = taut_traces::Trace::from_bytes(bytes.clone()).unwrap();
    let info = &trace.blocks()[0];
    bytes[info.offset as usize..][..info.length_bytes as usize].to_vec()
}
