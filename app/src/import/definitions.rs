//! Definitions of the imported events: one line per kind, and `Other` for kinds beyond the last line.

use super::kind::{FieldPlan, Form};
use super::survey::{Survey, SurveyedKind};
use std::collections::{BTreeMap, HashMap, HashSet};
use taut_etl::{Decoder, Guid};
use taut_schemas::{
    CodeSchema, EtwAttributes, EventCode, EventSchema, FieldKind, FieldSchema, Layer, Level, Opcode, ProviderSchema,
    Role, ScalarSchema, SchemaTable, Slot, uuid_of_name, uuid_text,
};

/// Size of the definitions, as JSON. The header of a trace has at most 4 MiB, of which the counts take a part.
const MAX_DEFINITION_BYTES: usize = 2 << 20;
/// Provider of the event `Other`, and of records without a provider.
const KERNEL_PROVIDER: &str = "Windows Kernel";
const OTHER_PROVIDER: &str = "Windows Other";
/// Name of the field with the bytes after the decoded fields.
const REST_FIELD: &str = "undecoded";
const PAYLOAD_FIELD: &str = "payload";

/// A field of a line.
#[derive(Debug, Clone)]
pub struct LineField {
    /// Position in the kind's description.
    pub index: usize,
    pub form: Form,
    pub is_list: bool,
    /// Some events of the kind end before the field.
    pub is_optional: bool,
}

/// Line of a kind.
#[derive(Debug, Clone)]
pub struct Line {
    pub code: EventCode,
    pub fields: Vec<LineField>,
    pub has_rest: bool,
}

/// Table of the trace, and the line of each kind.
#[derive(Debug, Default)]
pub struct Definitions {
    pub table: SchemaTable,
    /// By index of the kind. `None`: no event is imported, or it becomes `Other`.
    pub lines: Vec<Option<Line>>,
    /// Code of `Other`, if a kind needs it.
    pub other: Option<EventCode>,
}

/// A line before it has a code.
struct PendingLine {
    provider: ProviderSchema,
    codes: Vec<CodeSchema>,
    event: EventSchema,
    fields: Vec<LineField>,
}

/// State while the lines are added.
struct Defining<'d> {
    decoder: &'d Decoder,
    /// Name of each provider in the trace.
    providers: BTreeMap<Option<Guid>, String>,
    names: HashSet<(Option<Guid>, String)>,
    used_bytes: usize,
}

impl Definitions {
    pub fn new(survey: &Survey, decoder: &Decoder) -> Self {
        let mut table = SchemaTable::default();
        let mut defining = Defining { decoder, providers: trace_names(survey), names: HashSet::new(), used_bytes: 0 };
        let mut appender = table.append_events();
        let lines = survey.kinds.iter().map(|kind| {
            // The last line belongs to `Other`.
            let is_possible = kind.imported > 0 && appender.lines_left() > 1;
            let pending = is_possible.then(|| defining.line(kind)).flatten()?;
            appender.provider(pending.provider);
            pending.codes.into_iter().for_each(|code| appender.names(code));
            let code = appender.event(pending.event)?;
            let has_rest = kind.has_rest || kind.description.is_none();
            Some(Line { code, fields: pending.fields, has_rest })
        });
        let lines: Vec<_> = lines.collect();
        let needs_other = survey.kinds.iter().zip(&lines).any(|(kind, line)| kind.imported > 0 && line.is_none());
        let other = needs_other.then(|| {
            appender.provider(ProviderSchema::from_name(OTHER_PROVIDER, 1));
            appender.event(other_event())
        });
        drop(appender);
        Self { table, lines, other: other.flatten() }
    }
}

/// A name for each provider of imported events, different from the others' and from those of this project's families.
fn trace_names(survey: &Survey) -> BTreeMap<Option<Guid>, String> {
    let mut taken: HashSet<String> =
        SchemaTable::current().providers.into_iter().map(|provider| provider.name).collect();
    taken.extend([KERNEL_PROVIDER.to_owned(), OTHER_PROVIDER.to_owned()]);
    let mut names = BTreeMap::from([(None, KERNEL_PROVIDER.to_owned())]);
    for (guid, name) in &survey.provider_names {
        let is_usable = !name.is_empty() && taken.insert(name.clone());
        names.insert(Some(*guid), if is_usable { name.clone() } else { guid.to_string() });
    }
    names
}

impl Defining<'_> {
    fn line(&mut self, kind: &SurveyedKind) -> Option<PendingLine> {
        let guid = kind.key.provider;
        let provider = self.providers.get(&guid)?.clone();
        let (fields, line_fields, codes) = self.fields(kind, &provider);
        let name = self.unique_name(kind);
        let event = EventSchema {
            code: EventCode(0),
            name,
            provider: provider.clone(),
            layer: Layer::Mark,
            opcode: Opcode::Info,
            level: level(kind.descriptor.level),
            keywords: kind.descriptor.keyword,
            etw: Some(EtwAttributes {
                id: kind.key.id,
                version: kind.key.version,
                task: kind.descriptor.task,
                opcode: kind.descriptor.opcode,
                channel: kind.descriptor.channel,
                level: (!(1..=5).contains(&kind.descriptor.level)).then_some(kind.descriptor.level),
            }),
            doc: String::new(),
            fields,
        };
        let bytes = |value: serde_json::Result<Vec<u8>>| value.map_or(usize::MAX, |text| text.len());
        let size = bytes(serde_json::to_vec(&event))
            .saturating_add(codes.iter().map(|code| bytes(serde_json::to_vec(code))).sum());
        if self.used_bytes.saturating_add(size) > MAX_DEFINITION_BYTES {
            return None;
        }
        self.used_bytes += size;
        let provider = provider_schema(self.decoder, guid, &provider);
        Some(PendingLine { provider, codes, event, fields: line_fields })
    }

    /// Fields of the schema and of the line, and the names of values that they use.
    fn fields(&self, kind: &SurveyedKind, provider: &str) -> (Vec<FieldSchema>, Vec<LineField>, Vec<CodeSchema>) {
        let (mut schemas, mut lines, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        let mut names = HashMap::<String, u32>::new();
        let plans = kind.description.iter().flat_map(|description| &description.fields);
        for (index, plan) in plans.enumerate().take(kind.max_fields) {
            if plan.form == Form::Structure {
                continue;
            }
            let code = names_of_values(plan, provider);
            let line =
                LineField { index, form: plan.form, is_list: plan.is_list, is_optional: index >= kind.min_fields };
            let name = unique(&mut names, if plan.name.is_empty() { "field" } else { &plan.name });
            schemas.push(field_schema(name, &line, code.as_ref()));
            lines.push(line);
            codes.extend(code);
        }
        match (&kind.description, kind.has_rest) {
            (None, _) => schemas.push(bytes_field(unique(&mut names, PAYLOAD_FIELD))),
            (Some(_), true) => schemas.push(bytes_field(unique(&mut names, REST_FIELD))),
            (Some(_), false) => {}
        }
        (schemas, lines, codes)
    }

    /// A name that no event of the provider has. Versions of an event are `Name` and `Name_v2`.
    fn unique_name(&mut self, kind: &SurveyedKind) -> String {
        let base = kind.base_name();
        let guid = kind.key.provider;
        let variants = [base.clone(), format!("{base}_v{}", kind.key.version), format!("{base}_{}", kind.key.id)];
        let numbered = (2_u32..).map(|number| format!("{base}_{}_{number}", kind.key.id));
        let name = variants.into_iter().chain(numbered).find(|name| !self.names.contains(&(guid, name.clone())));
        let name = name.unwrap_or(base);
        self.names.insert((guid, name.clone()));
        name
    }
}

/// The name, with a number if an earlier field has it.
fn unique(names: &mut HashMap<String, u32>, name: &str) -> String {
    let mut found = name.to_owned();
    while names.contains_key(&found) {
        let number = names.entry(name.to_owned()).or_insert(1);
        *number += 1;
        found = format!("{name}_{number}");
    }
    names.insert(found.clone(), 1);
    found
}

fn names_of_values(plan: &FieldPlan, provider: &str) -> Option<CodeSchema> {
    let (map_name, map) = plan.map.as_ref().filter(|_| matches!(plan.form, Form::Number(_)))?;
    let mut values: Vec<(u64, String)> = map.values.iter().map(|(value, name)| (*value, name.clone())).collect();
    values.sort_unstable();
    Some(CodeSchema { name: format!("{provider}.{map_name}"), flags: map.is_bits, values })
}

fn field_schema(name: String, line: &LineField, code: Option<&CodeSchema>) -> FieldSchema {
    let (width_bytes, role) = match line.form {
        Form::Number(width) => (width, code.map_or(Role::Value, |c| if c.flags { Role::Flags } else { Role::Enum })),
        Form::Float(width) => (width, Role::Float),
        Form::Address => (8, Role::Address),
        Form::Text => return FieldSchema { name, doc: String::new(), kind: FieldKind::Text },
        Form::Guid | Form::Bytes | Form::Structure => return bytes_field(name),
    };
    let in_list = line.is_list || line.is_optional;
    let scalar = ScalarSchema {
        name: if in_list { "value".to_owned() } else { name.clone() },
        width_bytes,
        role,
        space: None,
        slot: Slot::new(role, in_list),
        code: code.map(|code| code.name.clone()),
        doc: String::new(),
    };
    let kind = match (line.is_list, line.is_optional) {
        (true, _) => FieldKind::List(vec![scalar]),
        (false, true) => FieldKind::Optional(vec![scalar]),
        (false, false) => FieldKind::Scalar(scalar),
    };
    FieldSchema { name, doc: String::new(), kind }
}

fn bytes_field(name: String) -> FieldSchema {
    FieldSchema { name, doc: String::new(), kind: FieldKind::Bytes }
}

/// Level of a number. Numbers without a name are `info`, and stored as attributes.
fn level(number: u8) -> Level {
    match number {
        1 => Level::Critical,
        2 => Level::Error,
        3 => Level::Warning,
        5 => Level::Verbose,
        _ => Level::Info,
    }
}

fn provider_schema(decoder: &Decoder, guid: Option<Guid>, name: &str) -> ProviderSchema {
    let known = guid.and_then(|guid| decoder.provider(guid));
    let keywords = known.map(|provider| provider.keywords.iter().map(|(name, mask)| (*mask, name.clone())).collect());
    let uuid = guid.map_or_else(|| uuid_text(uuid_of_name(name)), |guid| guid.to_string());
    let keywords = keywords.unwrap_or_default();
    ProviderSchema { name: name.to_owned(), uuid, version: 1, keywords, defined_when_used: false }
}

/// The event that stands for kinds without a line.
fn other_event() -> EventSchema {
    let number = |name: &str, width_bytes| {
        let line = LineField { index: 0, form: Form::Number(width_bytes), is_list: false, is_optional: false };
        field_schema(name.to_owned(), &line, None)
    };
    let text = |name: &str| FieldSchema { name: name.to_owned(), doc: String::new(), kind: FieldKind::Text };
    let fields = vec![
        text("provider"),
        text("header"),
        number("id", 2),
        number("version", 1),
        bytes_field(PAYLOAD_FIELD.to_owned()),
    ];
    EventSchema {
        code: EventCode(0),
        name: "Other".to_owned(),
        provider: OTHER_PROVIDER.to_owned(),
        layer: Layer::Mark,
        opcode: Opcode::Info,
        level: Level::Info,
        keywords: 0,
        etw: None,
        doc: "An event whose kind has no line of its own in the trace.".to_owned(),
        fields,
    }
}
