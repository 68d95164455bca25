//! Tables of former schemas, which name neither providers nor id spaces.

use crate::event::Opcode;
use crate::former_names::FormerNames;
use crate::identity::IdSpace;
use crate::schema::{FieldSchema, Role, ScalarSchema};
use crate::table::{EventSchema, SchemaTable};

/// Events with other names in former schemas, where names were unique over all providers: former name, provider, name.
const RENAMED: [(&str, &str, &str); 6] = [
    ("D3D11CopyResource", "d3d11", "CopyResource"),
    ("D3D11Map", "d3d11", "Map"),
    ("D3D11ReleaseDevice", "d3d11", "ReleaseDevice"),
    ("D3D11ReleaseResource", "d3d11", "ReleaseResource"),
    ("D3D11Unmap", "d3d11", "Unmap"),
    ("ExecuteCommandListsDdi", "d3d12_ddi", "ExecuteCommandLists"),
];

impl SchemaTable {
    /// Converts a file's table to the names of this build. No other function compares a file's table with the compiled
    /// one. Renames events, fields and codes that the lists have renamed. An event without a provider gets the provider of
    /// this build's event of the same name and layer. An id without a space gets the space of that event's field of the
    /// same name, or `Object`.
    pub fn complete(&mut self) {
        self.rename_former();
        let is_former =
            |event: &EventSchema| event.provider.is_empty() || identities(event).any(|id| id.space.is_none());
        // Most files need no completion: this build's table is then not built at all.
        if !self.events.iter().any(is_former) {
            return;
        }
        let current = SchemaTable::current();
        for event in &mut self.events {
            if event.provider.is_empty() {
                name_provider(event, &current);
            }
        }
        // The former names of an event are those of its provider.
        self.rename_former();
        for event in &mut self.events {
            name_spaces(event, current.named(&event.provider, &event.name, event.opcode));
        }
    }
}

fn identities(event: &EventSchema) -> impl Iterator<Item = &ScalarSchema> {
    event.fields.iter().flat_map(FieldSchema::scalars).filter(|scalar| scalar.role == Role::Id)
}

/// First number of `d3d12` that traces without providers do not have; Direct3D 11 has calls of the same names.
const FIRST_WITH_PROVIDER: u16 = 68;

fn name_provider(event: &mut EventSchema, current: &SchemaTable) {
    let renamed = RENAMED.iter().find(|(former, ..)| *former == event.name && event.opcode != Opcode::Info);
    if let Some((_, provider, name)) = renamed {
        (event.provider, event.name) = ((*provider).to_owned(), (*name).to_owned());
        return;
    }
    // Lines of later numbers were added when events had providers already.
    let came_later = |known: &EventSchema| known.provider == "d3d12" && known.code.id() >= FIRST_WITH_PROVIDER;
    let is = |known: &&EventSchema| {
        known.name == event.name && known.layer == event.layer && known.opcode == event.opcode && !came_later(known)
    };
    // A name that two providers have now belonged to the first one.
    let known = current.events.iter().find(is).map(|known| known.provider.as_str());
    let known = known.or_else(|| FormerNames::current().provider(&event.name, event.opcode));
    event.provider = known.unwrap_or(event.layer.name()).to_owned();
}

fn name_spaces(event: &mut EventSchema, known: Option<&EventSchema>) {
    for field in &mut event.fields {
        let known = known.and_then(|known| known.fields.iter().find(|known| known.name == field.name));
        let unnamed = |scalar: &&mut ScalarSchema| scalar.role == Role::Id && scalar.space.is_none();
        for scalar in field.scalars_mut().iter_mut().filter(unnamed) {
            let known = known.and_then(|known| known.scalars().iter().find(|known| known.name == scalar.name));
            scalar.space = Some(known.and_then(|known| known.space).unwrap_or(IdSpace::Object));
        }
    }
}
