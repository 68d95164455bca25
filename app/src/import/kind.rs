//! Kinds of a file's events: each distinct provider, id, version and layout.

use taut_etl::{
    Decoder, Description, Extent, FieldType, Guid, Kind as HeaderKind, Layout, Provider, Record, TraceLoggingCount,
    TraceLoggingSchema, Value, ValueMap, decode_fields, item_types,
};

/// Identity of a kind within one file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KindKey {
    pub provider: Option<Guid>,
    /// Header type, without the size of a pointer.
    pub header: HeaderClass,
    /// Id of an event, opcode of a classic event, hook of a kernel event.
    pub id: u16,
    pub version: u8,
    /// TraceLogging description: events of one provider share an id. `None` rather than empty for others: the C library
    /// compares empty memory at an invalid address slowly, in a quarter of an import's time.
    schema: Option<Box<[u8]>>,
    /// Position of the layout among those of the builds.
    layout: usize,
}

/// Header types that identify an event in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HeaderClass {
    Event,
    Classic,
    Kernel,
    Message,
    Error,
}

impl HeaderClass {
    pub fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Classic => "classic",
            Self::Kernel => "kernel",
            Self::Message => "message",
            Self::Error => "error",
        }
    }

    fn from_kind(kind: HeaderKind) -> Self {
        match kind {
            HeaderKind::Event32 | HeaderKind::Event64 => Self::Event,
            HeaderKind::Full32 | HeaderKind::Full64 | HeaderKind::Instance32 | HeaderKind::Instance64 => Self::Classic,
            HeaderKind::Message => Self::Message,
            HeaderKind::Error => Self::Error,
            _ => Self::Kernel,
        }
    }
}

/// Form of a field in the imported trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A number of this width.
    Number(u8),
    /// An IEEE 754 number of this width.
    Float(u8),
    /// A pointer, 8 bytes wide.
    Address,
    Text,
    /// A GUID, the only bytes that cannot name a user or a machine.
    Guid,
    Bytes,
    /// A structure, whose members are fields of their own.
    Structure,
}

impl Form {
    fn from_type(field_type: FieldType) -> Self {
        match field_type {
            FieldType::U8 | FieldType::I8 | FieldType::Bool32 => Self::Number(1),
            FieldType::U16 | FieldType::I16 => Self::Number(2),
            FieldType::U32 | FieldType::I32 => Self::Number(4),
            FieldType::U64 | FieldType::I64 | FieldType::FileTime => Self::Number(8),
            FieldType::F32 => Self::Float(4),
            FieldType::F64 => Self::Float(8),
            FieldType::Pointer => Self::Address,
            FieldType::Guid => Self::Guid,
            FieldType::Utf16 | FieldType::Ansi => Self::Text,
            FieldType::Sid | FieldType::SystemTime | FieldType::Binary => Self::Bytes,
        }
    }
}

/// A field of a kind.
#[derive(Debug, Clone)]
pub struct FieldPlan {
    pub name: String,
    pub form: Form,
    pub is_list: bool,
    /// Names of the values in the field table.
    pub map: Option<(String, ValueMap)>,
}

/// Fields and name of a described event.
#[derive(Debug, Clone, Default)]
pub struct KindDescription {
    pub name: String,
    pub fields: Vec<FieldPlan>,
}

/// One decoded payload.
pub struct DecodedPayload<'a> {
    /// Values with the position of their field, in order of the fields.
    pub values: Vec<(usize, Value<'a>)>,
    /// Bytes after the complete fields.
    pub rest: &'a [u8],
}

impl KindKey {
    pub fn new(record: &Record<'_>, description: &Description<'_>) -> Self {
        let header = HeaderClass::from_kind(record.kind);
        let id = match header {
            HeaderClass::Kernel => record.hook.unwrap_or_default(),
            HeaderClass::Classic => record.descriptor.opcode.into(),
            _ => record.descriptor.id,
        };
        let schema = match description {
            Description::TraceLogging(_) => {
                record.extended().find(|item| item.item_type == item_types::EVENT_SCHEMA).map(|item| item.data.into())
            }
            _ => None,
        };
        let layout = match description {
            Description::Table { event, layout, .. } => {
                event.layouts.iter().position(|other| std::ptr::eq(other, *layout)).unwrap_or_default()
            }
            _ => 0,
        };
        let version = record.descriptor.version;
        Self { provider: record.provider, header, id, version, schema, layout }
    }
}

/// Fields and name of an event. `None` without a description.
pub fn described(description: &Description<'_>) -> Option<KindDescription> {
    match description {
        Description::Table { provider, event, layout } => {
            Some(KindDescription { name: event.symbol.clone(), fields: layout_fields(layout, Some(provider)) })
        }
        Description::TraceLogging(schema) => {
            let fields = trace_logging_fields(schema);
            Some(KindDescription { name: schema.name.to_owned(), fields })
        }
        Description::Embedded(event) => {
            Some(KindDescription { name: event.task.clone(), fields: layout_fields(&event.layout, None) })
        }
        Description::UnknownVersion | Description::None => None,
    }
}

fn layout_fields(layout: &Layout, provider: Option<&Provider>) -> Vec<FieldPlan> {
    let map = |name: &String| Some((name.clone(), provider?.map(name)?.clone()));
    let plan = |field: &taut_etl::Field| FieldPlan {
        name: field.name.clone(),
        form: Form::from_type(field.field_type),
        is_list: field.count != Extent::None,
        map: field.map.as_ref().and_then(map),
    };
    layout.fields.iter().map(plan).collect()
}

/// Fields in the order of the description. A structure has no values; its name is the first part of those of its members.
fn trace_logging_fields(schema: &TraceLoggingSchema<'_>) -> Vec<FieldPlan> {
    /// A structure whose members are being named.
    struct Open {
        name: String,
        left: usize,
        is_list: bool,
    }
    let (mut open, mut plans) = (Vec::<Open>::new(), Vec::new());
    for field in &schema.fields {
        while open.pop_if(|structure| structure.left == 0).is_some() {}
        let mut is_list = field.count != TraceLoggingCount::One;
        let mut name = field.name.to_owned();
        if let Some(structure) = open.last_mut() {
            structure.left -= 1;
            is_list |= structure.is_list;
            name = format!("{}.{name}", structure.name);
        }
        if field.is_struct() {
            open.push(Open { name: name.clone(), left: field.member_count(), is_list });
        }
        let form = field.field_type().map_or(Form::Structure, Form::from_type);
        plans.push(FieldPlan { name, form, is_list, map: None });
    }
    plans
}

/// Memory for the values of a payload, reused for the next payload.
pub type ValueMemory = Vec<(usize, Value<'static>)>;

/// Decodes the payload of a described event, with its values in `memory`. A TraceLogging payload that is too short has
/// no complete field: the members of its structures interleave.
pub fn decoded<'a>(description: &Description<'a>, record: &Record<'a>, memory: ValueMemory) -> DecodedPayload<'a> {
    let mut values: Vec<(usize, Value<'a>)> = memory;
    values.clear();
    let mut visit = |index: usize, value| values.push((index, value));
    let (fields, rest) = visited(description, record, &mut visit);
    match description {
        // Stable: the elements of a field keep their order.
        Description::TraceLogging(_) => values.sort_by_key(|(index, _)| *index),
        // Elements of an incomplete field.
        _ => values.truncate(values.iter().rposition(|(index, _)| *index < fields).map_or(0, |last| last + 1)),
    }
    DecodedPayload { values, rest }
}

/// Passes the values of a payload to `visit`. Returns the number of complete fields and the bytes after them.
pub fn visited<'a>(
    description: &Description<'a>,
    record: &Record<'a>,
    visit: &mut dyn FnMut(usize, Value<'a>),
) -> (usize, &'a [u8]) {
    let (payload, pointer_bytes) = (record.payload, record.kind.pointer_bytes());
    let layout = match description {
        Description::Table { layout, .. } => *layout,
        Description::Embedded(event) => &event.layout,
        Description::TraceLogging(schema) => {
            let (fields, rest) = match schema.decode(payload, pointer_bytes, visit) {
                taut_etl::Fit::Exact => (schema.fields.len(), 0),
                taut_etl::Fit::Trailing(bytes) => (schema.fields.len(), bytes),
                taut_etl::Fit::ShortAfter(_) => (0, payload.len()),
            };
            return (fields, &payload[payload.len() - rest..]);
        }
        Description::UnknownVersion | Description::None => return (0, payload),
    };
    let decoded = decode_fields(layout, payload, pointer_bytes, visit);
    (decoded.fields, &payload[decoded.bytes..])
}

impl DecodedPayload<'_> {
    /// The memory of the values, without them.
    pub fn into_memory(mut self) -> ValueMemory {
        self.values.clear();
        // The standard library collects into the same allocation.
        self.values.into_iter().map_while(|_| None).collect()
    }
}

/// Description and key of a record.
pub fn identify<'a>(decoder: &'a Decoder, record: &Record<'a>) -> (KindKey, Description<'a>) {
    let description = decoder.describe(record);
    (KindKey::new(record, &description), description)
}
