//! The schema table: which events exist and which fields each of them carries.
//!
//! Every trace holds the table it was written with; readers decode by it alone.

use crate::call::{Call, EventVisitor, Mark};
use crate::event::{EventCode, Opcode};
use crate::families::{FAMILIES, visit_events};
use crate::family::{Family, Layer};
use crate::field::Field;
use crate::field_ref::{EventRef, WAIT_FIELD};
use crate::level::Level;
use crate::provider_schema::ProviderSchema;
use crate::schema::{CodeSchema, FieldSchema, FieldSink, Role};
use serde::{Deserialize, Serialize};

/// One event: what a start, stop or mark record carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSchema {
    /// Code in the records.
    pub code: EventCode,
    /// Name of the call or mark, unique for its provider.
    pub name: String,
    /// Its provider: the family that it belongs to ([`Family::provider`]). Files without it are read by
    /// [`SchemaTable::complete`].
    #[serde(default)]
    pub provider: String,
    /// Layer it belongs to.
    pub layer: Layer,
    /// Start, stop or a mark.
    pub opcode: Opcode,
    /// How much it matters.
    #[serde(default, skip_serializing_if = "Level::is_default")]
    pub level: Level,
    /// The bits of its provider's keywords that it has.
    #[serde(default, skip_serializing_if = "is_none")]
    pub keywords: u64,
    /// What it is, and where it comes from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// Fields in row order.
    pub fields: Vec<FieldSchema>,
}

fn is_none(keywords: &u64) -> bool {
    *keywords == 0
}

/// The events a trace may hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SchemaTable {
    /// Events in order of their code.
    pub events: Vec<EventSchema>,
    /// Names of enumerations and flags.
    #[serde(default)]
    pub codes: Vec<CodeSchema>,
    /// Whose events they are; files of former builds do not say more than each event's provider.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub providers: Vec<ProviderSchema>,
}

impl SchemaTable {
    /// The table of this build: every line of every list.
    pub fn current() -> SchemaTable {
        let mut table = SchemaTable::default();
        visit_events(&mut table);
        table.providers = FAMILIES.iter().map(provider).collect();
        table.events.sort_by_key(|event| event.code);
        table.codes.sort_by(|a, b| a.name.cmp(&b.name));
        table
    }

    /// Adds an event whose fields `describe` describes.
    fn add(&mut self, family: &Family, id: u16, name: &str, opcode: Opcode, doc: &str, describe: fn(&mut FieldSink)) {
        let mut sink = FieldSink::default();
        describe(&mut sink);
        self.add_codes(sink.codes);
        self.events.push(EventSchema {
            code: EventCode::new(id, opcode),
            name: name.to_owned(),
            provider: family.provider.to_owned(),
            layer: family.layer,
            opcode,
            level: Level::default(),
            keywords: 0,
            doc: doc.trim().to_owned(),
            fields: sink.fields,
        });
    }

    /// Adds the names of enumerations that it has not yet.
    pub(crate) fn add_codes(&mut self, codes: Vec<CodeSchema>) {
        for code in codes {
            if !self.codes.iter().any(|known| known.name == code.name) {
                self.codes.push(code);
            }
        }
    }

    /// The names of an enumeration.
    pub fn code(&self, name: &str) -> Option<&CodeSchema> {
        self.codes.iter().find(|code| code.name == name)
    }

    /// The event with this code.
    pub fn event(&self, code: EventCode) -> Option<&EventSchema> {
        let at = self.events.binary_search_by_key(&code, |event| event.code).ok()?;
        Some(&self.events[at])
    }

    /// The event of this provider, name and opcode.
    pub fn named(&self, provider: &str, name: &str, opcode: Opcode) -> Option<&EventSchema> {
        let is = |event: &&EventSchema| event.name == name && event.opcode == opcode && event.provider == provider;
        self.events.iter().find(is)
    }

    /// An event of the lists in this table, which may be another build's; none if that does not have it.
    pub fn find(&self, event: EventRef) -> Option<&EventSchema> {
        self.named(event.provider, event.name, event.opcode)
    }
}

/// Adds each line's events: a call's start and stop, a mark by itself.
impl EventVisitor for SchemaTable {
    fn call<C: Call>(&mut self) {
        self.add(&C::FAMILY, C::ID, C::NAME, Opcode::Start, C::DOC, |sink| {
            if C::LAYER.is_input() {
                describe_wait(sink);
            }
            C::describe(sink);
        });
        self.add(&C::FAMILY, C::ID, C::NAME, Opcode::Stop, C::DOC, C::Output::describe);
    }

    fn mark<M: Mark>(&mut self) {
        self.add(&M::FAMILY, M::ID, M::NAME, Opcode::Info, M::DOC, M::describe);
    }
}

/// What a table says of a family.
fn provider(family: &Family) -> ProviderSchema {
    let defined_when_used = family.is_defined_when_used();
    ProviderSchema { defined_when_used, ..ProviderSchema::of_name(family.provider, 1) }
}

/// What the start record of every input begins with.
fn describe_wait(sink: &mut FieldSink) {
    let doc = "Time the call waited for its locks before it was stamped, in nanoseconds.";
    sink.member_as(WAIT_FIELD, doc, Role::Duration, u64::describe);
}
