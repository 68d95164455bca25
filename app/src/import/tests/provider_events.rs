//! Events with the ids of real providers, in files of the session `tautline-synthetic`.

use std::collections::HashMap;
use taut_etl::{Descriptor, EtlWriter, Extent, FieldType, Guid, NewEvent, Session, providers};

/// Build of Windows whose layouts the events have.
const BUILD: u32 = 28_000;
/// Values of an event by the names of its fields.
pub type Fields<'a> = HashMap<&'a str, Field<'a>>;

/// A value.
#[derive(Debug, Clone, Copy)]
pub enum Field<'a> {
    Number(u64),
    Text(&'a str),
}

/// An event of a real provider. Fields without a value are 0 or empty.
#[derive(Debug, Clone)]
pub struct ProviderEvent {
    pub provider: Guid,
    pub id: u16,
    pub version: u8,
    pub tick: u64,
    pub thread: u32,
    pub payload: Vec<u8>,
}

impl ProviderEvent {
    /// Encodes the event by the provider's field table. `key`: id and version; `at`: tick and thread.
    pub fn new(provider: &str, key: (u16, u8), at: (u64, u32), fields: &Fields<'_>) -> Self {
        let (id, version) = key;
        let guid = Guid::parse(provider).unwrap();
        let layout = providers()[&guid].event(id, version).unwrap().layout(BUILD).unwrap();
        let known = |name: &&str| layout.fields.iter().any(|field| field.name == **name);
        assert!(fields.keys().all(known), "{id}: {:?}", fields.keys().collect::<Vec<_>>());
        let mut payload = Vec::new();
        let mut numbers: Vec<u64> = Vec::new();
        for field in &layout.fields {
            let value = fields.get(field.name.as_str());
            let count = match field.count {
                Extent::None => 1,
                Extent::Constant(count) => count,
                Extent::Field(index) => numbers[index] as usize,
            };
            numbers.push(if let Some(Field::Number(number)) = value { *number } else { 0 });
            for _ in 0..count {
                match (field.field_type.fixed_bytes(8), value) {
                    (Some(bytes), Some(Field::Number(number))) => payload.extend(&number.to_le_bytes()[..bytes]),
                    (Some(bytes), None) => payload.resize(payload.len() + bytes, 0),
                    (None, text) if field.field_type == FieldType::Utf16 => {
                        let text = if let Some(Field::Text(text)) = text { *text } else { "" };
                        let end = (field.length == Extent::None).then_some(0);
                        payload.extend(text.encode_utf16().chain(end).flat_map(u16::to_le_bytes));
                    }
                    // SECURITY_MANDATORY_MEDIUM_RID: revision, one sub-authority, authority 16.
                    (None, None) if field.field_type == FieldType::Sid => {
                        payload.extend([1, 1, 0, 0, 0, 0, 0, 16, 0, 0x20, 0, 0]);
                    }
                    (None, None) => {}
                    (_, value) => panic!("{id}: {} is {value:?}", field.name),
                }
            }
        }
        Self { provider: guid, id, version, tick: at.0, thread: at.1, payload }
    }
}

/// A file of the session `tautline-synthetic`, with one processor.
pub fn synthetic(events: &[ProviderEvent]) -> Vec<u8> {
    written(1, events.iter().map(|event| (0, event)))
}

/// As [`synthetic`], with the processor of each event. The header states the number of buffers.
pub fn written<'e>(processors: u32, events: impl Iterator<Item = (u16, &'e ProviderEvent)> + Clone) -> Vec<u8> {
    let session = Session {
        name: "tautline-synthetic".to_owned(),
        windows_build: BUILD,
        processors,
        ticks_per_second: 10_000_000,
        start_time: 133_000_000_000_000_000,
        ..Session::default()
    };
    let write = |buffers: u32| {
        let mut bytes = Vec::new();
        let mut writer = EtlWriter::new(&mut bytes, &session, buffers).unwrap();
        for (processor, ProviderEvent { provider, id, version, tick, thread, payload }) in events.clone() {
            let descriptor = Descriptor { id: *id, version: *version, level: 4, ..Descriptor::default() };
            let (tick, provider) = (*tick as i64, *provider);
            let event =
                NewEvent { tick, process: 9, thread: *thread, provider, descriptor, payload, ..NewEvent::default() };
            writer.event(processor, &event).unwrap();
        }
        let buffers = writer.finish().unwrap().buffers;
        (bytes, buffers)
    };
    let (_, buffers) = write(0);
    write(buffers).0
}

/// A number as a value.
pub fn number(value: impl Into<u64>) -> Field<'static> {
    Field::Number(value.into())
}
