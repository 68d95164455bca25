//! Header of a file: the schema table and the world in which the trace was recorded.

use crate::format::identity::Identity;
use crate::format::limit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use taut_schemas::{EventSchema, FieldKind, Opcode, Provider, ProviderSet, ScalarSchema, SchemaTable, Slot};
use thiserror::Error;

/// Header of a trace: the data that decoding and replaying the records needs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Header {
    /// Identity of the recording; empty in files of version 0.
    #[serde(default)]
    pub identity: Identity,
    /// Events and fields of the trace.
    pub schema: SchemaTable,
    /// World in which the trace was recorded.
    pub world: World,
}

/// World in which a trace was recorded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "StoredWorld")]
pub struct World {
    /// Adapters, in order of their numbers.
    pub adapters: Vec<AdapterWorld>,
    /// Profile of the machine (links and displays); null if none was described.
    #[serde(skip_serializing_if = "serde_json::Value::is_null")]
    pub machine: serde_json::Value,
    /// Name of the rule set.
    pub rules: String,
    /// All settings that affect behaviour.
    pub settings: serde_json::Value,
    pub workload: Workload,
    /// Clock of the stamps.
    pub clock: Ticks,
    /// Names of the providers that were recorded from the begin on; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub providers: Option<Vec<String>>,
}

/// One adapter of a world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AdapterWorld {
    /// Name of the driver model.
    pub driver: String,
    /// Complete driver profile.
    pub profile: serde_json::Value,
}

impl World {
    /// Providers recorded from the begin on, except those unknown to this build.
    pub fn recorded_providers(&self) -> ProviderSet {
        let Some(names) = &self.providers else { return ProviderSet::ALL };
        let known = names.iter().filter_map(|name| Provider::named(name));
        known.fold(ProviderSet::NONE, ProviderSet::with)
    }

    /// Names of the driver models, joined by `+`.
    pub fn drivers(&self) -> String {
        self.adapters.iter().map(|adapter| adapter.driver.as_str()).collect::<Vec<_>>().join("+")
    }
}

/// World as stored in a file. Files of former builds have the fields of a single adapter instead of a list.
#[derive(Default, Deserialize)]
#[serde(default)]
struct StoredWorld {
    adapters: Option<Vec<AdapterWorld>>,
    machine: serde_json::Value,
    driver: String,
    profile: serde_json::Value,
    rules: String,
    settings: serde_json::Value,
    workload: Workload,
    clock: Ticks,
    providers: Option<Vec<String>>,
}

impl From<StoredWorld> for World {
    fn from(stored: StoredWorld) -> World {
        let StoredWorld { adapters, machine, driver, profile, rules, settings, workload, clock, providers } = stored;
        let adapters = adapters.unwrap_or_else(|| vec![AdapterWorld { driver, profile }]);
        World { adapters, machine, rules, settings, workload, clock, providers }
    }
}

/// Recorded workload.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Workload {
    /// Name of the built-in workload or of the input file.
    pub name: String,
    pub parameters: BTreeMap<String, serde_json::Value>,
}

impl Workload {
    /// Value of the parameter `origin` of a trace whose events were converted from a file of another format.
    pub const IMPORTED: &str = "imported";

    /// Value of the parameter `origin` of the trace of a program on the binary interface.
    pub const PROGRAM: &str = "program";

    /// The workload of a program on the binary interface.
    pub fn of_program(name: &str) -> Workload {
        let parameters = BTreeMap::from([("origin".to_owned(), Self::PROGRAM.into())]);
        Workload { name: name.to_owned(), parameters }
    }

    /// True for the trace of a program on the binary interface.
    pub fn is_of_program(&self) -> bool {
        self.parameters.get("origin").and_then(serde_json::Value::as_str) == Some(Self::PROGRAM)
    }

    /// Name of the file that the events were imported from; `None` for a recording.
    pub fn imported_from(&self) -> Option<&str> {
        let origin = self.parameters.get("origin").and_then(serde_json::Value::as_str);
        (origin == Some(Self::IMPORTED)).then_some(self.name.as_str())
    }
}

/// Clock of the stamps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Ticks {
    /// Name of the clock.
    pub source: String,
    /// Frequency, in hertz.
    pub ticks_per_second: u64,
}

/// Error in a header.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// The text is not the JSON of a header.
    #[error("line {line}, column {column}: {reason}")]
    Json {
        /// Line of the header's text, from 1.
        line: usize,
        /// Column of that line, from 1.
        column: usize,
        /// Message of the parser.
        reason: String,
    },
    /// The header exceeds the size limit.
    #[error("expected at most {} bytes, found {found_bytes}", limit::HEADER_BYTES)]
    Size { found_bytes: usize },
    /// The schema table violates one of its rules.
    #[error("schema of event {event}: expected {expected}, found {found}")]
    Schema {
        /// Name of the event.
        event: String,
        /// Requirement that is violated.
        expected: &'static str,
        /// Content of the table.
        found: String,
    },
}

impl Header {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        check_table(&self.schema)?;
        let brief = Header { schema: self.schema.brief(), ..self.clone() };
        let bytes = serde_json::to_vec(&brief).map_err(json_error)?;
        if bytes.len() > limit::HEADER_BYTES { Err(HeaderError::Size { found_bytes: bytes.len() }) } else { Ok(bytes) }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Header, HeaderError> {
        let mut header: Header = serde_json::from_slice(bytes).map_err(json_error)?;
        header.schema.spell_out();
        check_table(&header.schema)?;
        header.schema.complete();
        Ok(header)
    }
}

fn json_error(error: serde_json::Error) -> HeaderError {
    HeaderError::Json { line: error.line(), column: error.column(), reason: error.to_string() }
}

/// Checks everything that walks rely on. A file's table is untrusted input, like the rest of the file.
pub(crate) fn check_table(table: &SchemaTable) -> Result<(), HeaderError> {
    for pair in table.events.windows(2) {
        if pair[0].code >= pair[1].code {
            let found = format!("{} after {}", pair[1].code.0, pair[0].code.0);
            return Err(schema_error(&pair[1], "codes in rising order", found));
        }
    }
    table.events.iter().try_for_each(check_event)
}

fn check_event(event: &EventSchema) -> Result<(), HeaderError> {
    // A later build may have an opcode unknown to this one; such events are not calls.
    if event.code.opcode().unwrap_or(Opcode::Info) != event.opcode {
        return Err(schema_error(event, "the opcode that its code has", format!("{:?}", event.opcode)));
    }
    let mut names: Vec<&str> = event.fields.iter().map(|field| field.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(schema_error(event, "fields with different names", format!("two of `{}`", pair[0])));
    }
    for field in &event.fields {
        match &field.kind {
            FieldKind::Scalar(scalar) => check_scalar(event, scalar, false)?,
            FieldKind::Text | FieldKind::Bytes => {}
            FieldKind::List(columns) | FieldKind::Optional(columns) => {
                if columns.is_empty() {
                    return Err(schema_error(event, "a list whose elements have columns", field.name.clone()));
                }
                columns.iter().try_for_each(|scalar| check_scalar(event, scalar, true))?;
            }
        }
    }
    Ok(())
}

/// Checks width and slot of a scalar. Slots 0 and 1 are reserved; from 2 on, even slots hold plain fields and odd slots
/// list elements, so that the length of a list never moves a plain field.
fn check_scalar(event: &EventSchema, scalar: &ScalarSchema, in_list: bool) -> Result<(), HeaderError> {
    if !matches!(scalar.width_bytes, 1 | 2 | 4 | 8) {
        let found = format!("{} for `{}`", scalar.width_bytes, scalar.name);
        return Err(schema_error(event, "a width of 1, 2, 4 or 8 bytes", found));
    }
    let slot = scalar.slot.0;
    if slot <= Slot::COUNTS.0 || slot > limit::LAST_SLOT || (slot % 2 == 1) != in_list {
        let expected = if in_list { "an odd slot from 3 on" } else { "an even slot from 2 on" };
        return Err(schema_error(event, expected, format!("{slot} for `{}`", scalar.name)));
    }
    Ok(())
}

fn schema_error(event: &EventSchema, expected: &'static str, found: String) -> HeaderError {
    HeaderError::Schema { event: event.name.clone(), expected, found }
}
