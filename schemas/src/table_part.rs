//! Parts of a table: a file may define some of its events later than others.

use crate::event::EventCode;
use crate::event_docs::EventDocs;
use crate::provider_schema::ProviderSchema;
use crate::table::{EventSchema, SchemaTable};
use std::collections::BTreeSet;
use std::sync::LazyLock;

impl SchemaTable {
    /// The events of those providers that are defined from the begin on, and the names that these use; all providers.
    #[must_use]
    pub fn defined_at_begin(&self) -> SchemaTable {
        let is_later = |name: &str| self.providers.iter().any(|known| known.name == name && known.defined_when_used);
        SchemaTable { providers: self.providers.clone(), ..self.part(|event| !is_later(&event.provider)) }
    }

    /// The events that are defined when the first of their provider comes, by provider, each with the names that they use.
    pub fn defined_when_used(&self) -> Vec<SchemaTable> {
        let later = self.providers.iter().filter(|provider| provider.defined_when_used);
        let parts = later.map(|provider| self.part(|event| event.provider == provider.name));
        parts.filter(|part| !part.events.is_empty()).collect()
    }

    /// Adds what this build defines of its own providers of which the table has no event, though it names them, and gives the codes of
    /// that. A trace without such events has tables for them that are empty, as one that defines them.
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

    /// Some of its events, and the names that they use.
    fn part(&self, is_in: impl Fn(&EventSchema) -> bool) -> SchemaTable {
        let events: Vec<EventSchema> = self.events.iter().filter(|event| is_in(event)).cloned().collect();
        let scalars = events.iter().flat_map(|event| &event.fields).flat_map(|field| field.scalars());
        let used: BTreeSet<&str> = scalars.filter_map(|scalar| scalar.code.as_deref()).collect();
        let codes = self.codes.iter().filter(|code| used.contains(code.name.as_str())).cloned().collect();
        SchemaTable { events, codes, providers: Vec::new() }
    }

    /// Adds the events of a part, and the names that it has. An event that is there already has to be the same, whatever is said of it.
    ///
    /// # Errors
    /// One is not: its code. Nothing was added then.
    pub fn join(&mut self, part: SchemaTable) -> Result<(), EventCode> {
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

/// An event, and no word of what it is.
fn layout(event: &EventSchema) -> EventSchema {
    let mut event = event.clone();
    event.tell(&EventDocs(event.code, String::new(), Vec::new()));
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_and_its_parts_are_the_table_again() {
        let whole = SchemaTable::current();
        let mut joined = whole.defined_at_begin();
        assert!(joined.events.len() < whole.events.len() && joined.codes.len() < whole.codes.len());
        for part in whole.defined_when_used() {
            assert_eq!(joined.join(part.clone()), Ok(()));
            // A file says it twice.
            assert_eq!(joined.join(part), Ok(()));
        }
        assert_eq!(joined, whole);
    }

    #[test]
    fn what_a_table_only_names_is_as_this_build_knows_it() {
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
    fn an_event_that_is_another_is_refused() {
        let whole = SchemaTable::current();
        let mut part = whole.defined_when_used().swap_remove(0);
        let mut table = whole.clone();
        let code = part.events[3].code;
        part.events[3].name.push('2');
        assert_eq!(table.join(part.clone()), Err(code));
        assert_eq!(table, whole);
        let mut table = whole.defined_at_begin();
        part.events.push(part.events[3].clone());
        assert_eq!(table.join(part), Err(code));
    }
}
