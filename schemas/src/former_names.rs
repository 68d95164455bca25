//! Former names of events, fields, enumerations and values: the words after `was` in the lists.
//!
//! A trace holds the names of its build. [`SchemaTable::complete`] replaces former names by those of today, so that
//! readers know each event and field by one name.

use crate::call::{Call, EventVisitor, Mark};
use crate::event::Opcode;
use crate::families::visit_events;
use crate::family::Family;
use crate::field::Field;
use crate::former_field::{FormerCode, FormerField};
use crate::schema::{FieldKind, FieldSink};
use crate::table::{EventSchema, SchemaTable};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An event with a former name, or with fields that had other names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerEvent {
    /// The event's provider.
    pub provider: &'static str,
    pub opcode: Opcode,
    /// Current name.
    pub name: &'static str,
    /// Former names.
    pub was: &'static [&'static str],
    /// Renamed fields; a list precedes its columns.
    pub fields: Vec<FormerField>,
}

/// All former names of the lists.
#[derive(Debug, Default)]
pub struct FormerNames {
    pub events: Vec<FormerEvent>,
    pub codes: Vec<FormerCode>,
    /// Indexes of `events` by opcode, provider, and each of the names.
    by_name: HashMap<(Opcode, &'static str, &'static str), usize>,
}

impl FormerNames {
    /// Returns the former names of this build's lists.
    pub fn current() -> &'static FormerNames {
        static NAMES: LazyLock<FormerNames> = LazyLock::new(|| {
            let mut names = FormerNames::default();
            visit_events(&mut names);
            names
        });
        &NAMES
    }

    fn add(&mut self, event: FormerEvent, describe: fn(&mut FieldSink)) {
        let mut sink = FieldSink::default();
        describe(&mut sink);
        for code in sink.former_codes {
            if !self.codes.contains(&code) {
                self.codes.push(code);
            }
        }
        if event.was.is_empty() && sink.former_fields.is_empty() {
            return;
        }
        for name in event.was.iter().chain([&event.name]) {
            self.by_name.insert((event.opcode, event.provider, name), self.events.len());
        }
        self.events.push(FormerEvent { fields: sink.former_fields, ..event });
    }

    /// Writes the former names in place of the current ones, as a table of an earlier build has them.
    pub fn restore(&self, table: &mut SchemaTable) {
        for event in &mut table.events {
            let Some(former) = self.find(event) else { continue };
            // Columns precede their list, which they name by its current name.
            former.fields.iter().rev().for_each(|field| field.restore(event));
            former.was.first().into_iter().for_each(|was| event.name = (*was).to_owned());
        }
        self.codes.iter().for_each(|code| code.restore(table));
    }

    /// Returns the provider of the event that had this name.
    pub(crate) fn provider(&self, was: &str, opcode: Opcode) -> Option<&'static str> {
        let is = |event: &&FormerEvent| event.opcode == opcode && event.was.contains(&was);
        self.events.iter().find(is).map(|event| event.provider)
    }

    fn find(&self, event: &EventSchema) -> Option<&FormerEvent> {
        self.by_name.get(&(event.opcode, &*event.provider, &*event.name)).map(|at| &self.events[*at])
    }
}

impl EventVisitor for FormerNames {
    fn call<C: Call>(&mut self) {
        self.add(FormerEvent::new(&C::FAMILY, Opcode::Start, C::NAME, C::FORMER_NAMES), C::describe);
        self.add(FormerEvent::new(&C::FAMILY, Opcode::Stop, C::NAME, C::FORMER_NAMES), C::Output::describe);
    }

    fn mark<M: Mark>(&mut self) {
        self.add(FormerEvent::new(&M::FAMILY, Opcode::Info, M::NAME, M::FORMER_NAMES), M::describe);
    }
}

impl FormerEvent {
    fn new(family: &Family, opcode: Opcode, name: &'static str, was: &'static [&'static str]) -> FormerEvent {
        FormerEvent { provider: family.provider, opcode, name, was, fields: Vec::new() }
    }

    /// Renames the event and its fields; returns false if all of them have their current names. A name that the event
    /// has already is not given to a second field.
    fn rename(&self, event: &mut EventSchema) -> bool {
        let mut is_renamed = event.name != self.name;
        event.name = self.name.to_owned();
        for former in &self.fields {
            is_renamed |= former.rename(event);
        }
        is_renamed
    }
}

impl FormerCode {
    /// Writes the former names in place of the current ones.
    pub fn restore(&self, table: &mut SchemaTable) {
        let Some(code) = table.codes.iter_mut().find(|code| code.name == self.name) else { return };
        for (value, was, _) in &self.values {
            code.values.iter_mut().filter(|known| known.0 == *value).for_each(|known| known.1 = (*was).to_owned());
        }
        let Some(was) = self.was.first() else { return };
        code.name = (*was).to_owned();
        table.rename_code_of_scalars(self.name, was);
    }
}

impl FormerField {
    /// Writes the former name in place of the current one.
    pub fn restore(&self, event: &mut EventSchema) {
        let back = FormerField { list: self.list.clone(), was: self.name.clone(), name: self.was.clone() };
        back.rename(event);
    }

    fn rename(&self, event: &mut EventSchema) -> bool {
        match &self.list {
            None => self.rename_field(event),
            Some(list) => self.rename_column(event, list),
        }
    }

    fn rename_field(&self, event: &mut EventSchema) -> bool {
        let has_both = event.fields.iter().any(|field| field.name == self.name);
        let Some(field) = event.fields.iter_mut().find(|field| field.name == self.was && !has_both) else {
            return false;
        };
        if let FieldKind::Scalar(scalar) = &mut field.kind {
            scalar.name.clone_from(&self.name);
        }
        field.name.clone_from(&self.name);
        true
    }

    fn rename_column(&self, event: &mut EventSchema, list: &str) -> bool {
        let is_list = |kind: &FieldKind| matches!(kind, FieldKind::List(_) | FieldKind::Optional(_));
        let Some(field) = event.fields.iter_mut().find(|field| field.name == list && is_list(&field.kind)) else {
            return false;
        };
        let has_both = field.scalars().iter().any(|column| column.name == self.name);
        let column = field.scalars_mut().iter_mut().find(|column| column.name == self.was && !has_both);
        let is_renamed = column.is_some();
        column.into_iter().for_each(|column| column.name.clone_from(&self.name));
        is_renamed
    }
}

impl SchemaTable {
    /// Replaces the former names in a file's table by those of this build.
    pub(crate) fn rename_former(&mut self) {
        let names = FormerNames::current();
        for at in 0..self.events.len() {
            let Some(former) = names.find(&self.events[at]) else { continue };
            // The list may be shared with other tables, so it is changed only where a name differs.
            let mut event = self.events[at].clone();
            if former.rename(&mut event) {
                self.events[at] = event;
            }
        }
        names.codes.iter().for_each(|former| self.rename_code(former));
    }

    fn rename_code(&mut self, former: &FormerCode) {
        let has_current = self.code(former.name).is_some();
        let is_it = |name: &str| name == former.name || !has_current && former.was.contains(&name);
        let Some(at) = self.codes.iter().position(|code| is_it(&code.name)) else { return };
        let mut code = self.codes[at].clone();
        let was = std::mem::replace(&mut code.name, former.name.to_owned());
        for (value, name) in &mut code.values {
            let renamed = former.values.iter().find(|(number, was, _)| number == value && was == name);
            if let Some((_, _, current)) = renamed {
                *name = (*current).to_owned();
            }
        }
        if code != self.codes[at] {
            self.codes[at] = code;
            self.codes.sort_by(|a, b| a.name.cmp(&b.name));
        }
        if was != former.name {
            self.rename_code_of_scalars(&was, former.name);
        }
    }

    fn rename_code_of_scalars(&mut self, was: &str, name: &str) {
        for field in self.events.iter_mut().flat_map(|event| &mut event.fields) {
            for scalar in field.scalars_mut().iter_mut().filter(|scalar| scalar.code.as_deref() == Some(was)) {
                scalar.code = Some(name.to_owned());
            }
        }
    }
}
