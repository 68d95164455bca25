//! The schema table: the events that exist, and the fields of each.
//!
//! Every trace holds the table it was written with; readers decode by it alone.

use crate::call::{Call, EventVisitor, Mark};
use crate::etw_attributes::EtwAttributes;
use crate::event::{EventCode, Opcode};
use crate::families::{FAMILIES, visit_events};
use crate::family::{Family, Layer};
use crate::field::Field;
use crate::field_ref::{EventRef, WAIT_FIELD};
use crate::level::Level;
use crate::provider_schema::ProviderSchema;
use crate::schema::{CodeSchema, FieldSchema, FieldSink, Role};
use crate::shared::{LiveLists, Shared};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// One event: what a start, stop or mark record carries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EventSchema {
    /// Code in the records.
    pub code: EventCode,
    /// Name of the call or mark, unique for its provider.
    pub name: String,
    /// Provider: the family that the event belongs to ([`Family::provider`]). Files without it are read by
    /// [`SchemaTable::complete`].
    #[serde(default)]
    pub provider: String,
    /// Layer it belongs to.
    pub layer: Layer,
    /// Start, stop or a mark.
    pub opcode: Opcode,
    /// Severity.
    #[serde(default, skip_serializing_if = "Level::is_default")]
    pub level: Level,
    /// The provider's keywords that the event has, as bits.
    #[serde(default, skip_serializing_if = "is_none")]
    pub keywords: u64,
    /// Attributes of an event of Windows; `None` for other events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etw: Option<EtwAttributes>,
    /// Description and origin.
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
    pub events: Shared<EventSchema>,
    /// Names of enumerations and flags.
    #[serde(default)]
    pub codes: Shared<CodeSchema>,
    /// The providers of the events; files of former builds name only each event's provider.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub providers: Vec<ProviderSchema>,
}

impl SchemaTable {
    /// Returns the table of this build: every line of every list.
    pub fn current() -> SchemaTable {
        let mut table = SchemaTable::default();
        visit_events(&mut table);
        table.providers = FAMILIES.iter().map(provider).collect();
        table.events.sort_by_key(|event| event.code);
        table.codes.sort_by(|a, b| a.name.cmp(&b.name));
        table
    }

    /// Holds the lists of an equal table that is alive in this process in place of its own.
    pub fn share(&mut self) {
        static EVENTS: LazyLock<LiveLists<EventSchema>> = LazyLock::new(LiveLists::new);
        static CODES: LazyLock<LiveLists<CodeSchema>> = LazyLock::new(LiveLists::new);
        self.events = EVENTS.share(&self.events);
        self.codes = CODES.share(&self.codes);
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
            etw: None,
            doc: doc.trim().to_owned(),
            fields: sink.fields,
        });
    }

    /// Adds the names of enumerations that the table lacks.
    pub(crate) fn add_codes(&mut self, codes: impl IntoIterator<Item = CodeSchema>) {
        for code in codes {
            if !self.codes.iter().any(|known| known.name == code.name) {
                self.codes.push(code);
            }
        }
    }

    /// Finds the names of an enumeration.
    pub fn code(&self, name: &str) -> Option<&CodeSchema> {
        self.codes.iter().find(|code| code.name == name)
    }

    /// Finds the event with this code.
    pub fn event(&self, code: EventCode) -> Option<&EventSchema> {
        let at = self.events.binary_search_by_key(&code, |event| event.code).ok()?;
        Some(&self.events[at])
    }

    /// Finds the event of this provider, name and opcode.
    pub fn named(&self, provider: &str, name: &str, opcode: Opcode) -> Option<&EventSchema> {
        let is = |event: &&EventSchema| event.name == name && event.opcode == opcode && event.provider == provider;
        self.events.iter().find(is)
    }

    /// Finds an event of the lists in this table, which may be another build's; `None` if the table lacks it.
    pub fn find(&self, event: EventRef) -> Option<&EventSchema> {
        self.named(event.provider, event.name, event.opcode)
    }
}

/// Adds each line's events: a call's start and stop, or a mark.
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

/// The table's entry for a family.
fn provider(family: &Family) -> ProviderSchema {
    let defined_when_used = family.is_defined_when_used();
    ProviderSchema { defined_when_used, ..ProviderSchema::from_name(family.provider, 1) }
}

/// Describes the first field of the start record of every input.
fn describe_wait(sink: &mut FieldSink) {
    let doc = "Time the call waited for its locks before it was stamped, in nanoseconds.";
    sink.member_as(WAIT_FIELD, doc, Role::Duration, u64::describe);
}
