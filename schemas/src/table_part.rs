//! Partial tables: a file may define some of its events later than others.

use crate::event::EventCode;
use crate::event_docs::EventDocs;
use crate::provider_schema::ProviderSchema;
use crate::shared::Shared;
use crate::table::{EventSchema, SchemaTable};
use std::collections::BTreeSet;
use std::sync::LazyLock;

impl SchemaTable {
    /// Returns all providers, with the events of the providers that are defined at the begin of a trace and the names that
    /// these events use.
    #[must_use]
    pub fn defined_at_begin(&self) -> SchemaTable {
        let is_later = |name: &str| self.providers.iter().any(|known| known.name == name && known.defined_when_used);
        SchemaTable { providers: self.providers.clone(), ..self.part(|event| !is_later(&event.provider)) }
    }

    /// Returns the events that are defined on first use, in one table per provider, with the names that the events use.
    pub fn defined_when_used(&self) -> Vec<SchemaTable> {
        let later = self.providers.iter().filter(|provider| provider.defined_when_used);
        let parts = later.map(|provider| self.part(|event| event.provider == provider.name));
        parts.filter(|part| !part.events.is_empty()).collect()
    }

    /// Adds this build's events of the providers that this table names but has no event of, and returns the codes of the
    /// added events. A trace without such events then has empty tables of them, as a trace that defines them has.
    pub fn assume_known(&mut self) -> Vec<EventCode> {
        static KNOWN: LazyLock<Vec<(ProviderSchema, SchemaTable)>> = LazyLock::new(|| {
            let current = SchemaTable::current();
            let provider = |part: &SchemaTable| {
                let name = &part.events.first()?.provider;
                current.providers.iter().find(|provider| provider.name == *name).cloned()
            };
            current.defined_when_used().into_iter().filter_map(|part| Some((provider(&part)?, part))).collect()
        });
        let mut assumed = Vec::new();
        if !self.providers.iter().any(|provider| provider.defined_when_used) {
            return assumed;
        }
        for (provider, part) in KNOWN.iter() {
            let is_named = self.providers.contains(provider);
            let is_defined = self.events.iter().any(|event| event.provider == provider.name);
            if is_named && !is_defined && self.join(part.clone()).is_ok() {
                assumed.extend(part.events.iter().map(|event| event.code));
            }
        }
        assumed.sort_unstable();
        assumed
    }

    /// A table of some of the events, and the names that they use.
    fn part(&self, is_in: impl Fn(&EventSchema) -> bool) -> SchemaTable {
        let events: Shared<EventSchema> = self.events.iter().filter(|event| is_in(event)).cloned().collect();
        let scalars = events.iter().flat_map(|event| &event.fields).flat_map(|field| field.scalars());
        let used: BTreeSet<&str> = scalars.filter_map(|scalar| scalar.code.as_deref()).collect();
        let codes = self.codes.iter().filter(|code| used.contains(code.name.as_str())).cloned().collect();
        SchemaTable { events, codes, providers: Vec::new() }
    }

    /// Adds the events of a partial table, and its names. An event that the table already has must have the same
    /// layout; descriptions may differ.
    ///
    /// # Errors
    /// The code of an event that differs. Nothing is added in that case.
    pub fn join(&mut self, part: SchemaTable) -> Result<(), EventCode> {
        // All events are checked before any is added, so that an error leaves the table unchanged.
        let mut new = Vec::new();
        for event in part.events {
            match self.event(event.code) {
                Some(known) if layout(known) != layout(&event) => return Err(event.code),
                Some(_) => {}
                None => new.push(event),
            }
        }
        new.sort_by_key(|event| event.code);
        if let Some(twice) = new.windows(2).find(|pair| pair[0].code == pair[1].code) {
            return Err(twice[0].code);
        }
        self.events.extend(new);
        self.events.sort_by_key(|event| event.code);
        self.add_codes(part.codes);
        self.codes.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(())
    }
}

/// An event without its descriptions.
fn layout(event: &EventSchema) -> EventSchema {
    let mut event = event.clone();
    event.set_docs(&EventDocs(event.code, String::new(), Vec::new()));
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_split_into_parts_joins_to_the_same_table() {
        let whole = SchemaTable::current();
        let mut joined = whole.defined_at_begin();
        assert!(joined.events.len() < whole.events.len() && joined.codes.len() < whole.codes.len());
        for part in whole.defined_when_used() {
            assert_eq!(joined.join(part.clone()), Ok(()));
            // A file that defines an event twice.
            assert_eq!(joined.join(part), Ok(()));
        }
        assert_eq!(joined, whole);
    }

    #[test]
    fn providers_without_events_are_taken_from_this_build() {
        let whole = SchemaTable::current();
        let mut table = whole.defined_at_begin();
        let assumed = table.assume_known();
        assert_eq!(assumed.len(), whole.events.len() - whole.defined_at_begin().events.len());
        assert_eq!(table, whole);
        assert_eq!(table.assume_known(), []);
        // Another version of a provider may mean something else.
        let mut other = whole.defined_at_begin();
        other.providers.iter_mut().for_each(|provider| provider.version += 1);
        assert_eq!(other.assume_known(), []);
    }

    #[test]
    fn a_differing_event_is_refused() {
        let whole = SchemaTable::current();
        let mut part = whole.defined_when_used().swap_remove(0);
        let mut table = whole.clone();
        let code = part.events[3].code;
        part.events[3].name.push('2');
        assert_eq!(table.join(part.clone()), Err(code));
        assert_eq!(table, whole);
        let mut table = whole.defined_at_begin();
        let repeated = part.events[3].clone();
        part.events.push(repeated);
        assert_eq!(table.join(part), Err(code));
    }
}
