//! Providers: groups of events that can be recorded or left out. Events without a provider are always recorded.

use crate::event::EventCode;
use crate::families::FAMILIES;
use crate::family::Layer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A group of events that is recorded as a whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// The application's calls.
    Api = 0,
    /// Calls between runtime and drivers.
    Ddi = 1,
    /// The machine's inputs, and marks about background tasks.
    Task = 2,
    /// Marks about mapped memory: stores, loads, accesses to the memory of handles.
    Memory = 3,
}

/// Marks about background tasks (lists/marks/background.rs).
const TASK_MARKS: std::ops::RangeInclusive<u16> = 4384..=4399;

/// Marks about mapped memory (lists/marks/memory.rs).
const MEMORY_MARKS: std::ops::RangeInclusive<u16> = 4416..=4431;

/// One more than the max number of a line.
const LINES: usize = {
    let (mut max, mut at) = (0, 0);
    while at < FAMILIES.len() {
        max = if FAMILIES[at].last > max { FAMILIES[at].last } else { max };
        at += 1;
    }
    max as usize + 1
};

/// The bit of a line's provider, by the line's number; 0 for a line that is always recorded.
static BITS: [u8; LINES] = {
    let mut bits = [0; LINES];
    let mut line = 0;
    while line < LINES {
        bits[line] = bit_of(line as u16);
        line += 1;
    }
    bits
};

const fn bit_of(line: u16) -> u8 {
    match Provider::from_line(line) {
        Some(provider) => 1 << provider as u8,
        None => 0,
    }
}

impl Provider {
    /// Every provider.
    pub const ALL: [Provider; 4] = [Provider::Api, Provider::Ddi, Provider::Task, Provider::Memory];

    /// The provider's name.
    pub fn name(self) -> &'static str {
        match self {
            Provider::Api => "api",
            Provider::Ddi => "ddi",
            Provider::Task => "task",
            Provider::Memory => "memory",
        }
    }

    /// Finds the provider of this name.
    pub fn named(name: &str) -> Option<Provider> {
        Provider::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// The provider of a line; `None` for a line that is always recorded.
    pub const fn from_line(line: u16) -> Option<Provider> {
        if *TASK_MARKS.start() <= line && line <= *TASK_MARKS.end() {
            return Some(Provider::Task);
        }
        if *MEMORY_MARKS.start() <= line && line <= *MEMORY_MARKS.end() {
            return Some(Provider::Memory);
        }
        let mut at = 0;
        while at < FAMILIES.len() {
            if FAMILIES[at].first <= line && line <= FAMILIES[at].last {
                return match FAMILIES[at].layer {
                    Layer::Api => Some(Provider::Api),
                    Layer::Ddi => Some(Provider::Ddi),
                    Layer::Task => Some(Provider::Task),
                    Layer::Mark => None,
                };
            }
            at += 1;
        }
        None
    }
}

/// A set of recorded providers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProviderSet(u8);

impl ProviderSet {
    /// All providers.
    pub const ALL: ProviderSet = ProviderSet((1 << Provider::ALL.len()) - 1);
    /// No provider.
    pub const NONE: ProviderSet = ProviderSet(0);

    /// The set with these bits, one per provider in order; other bits are ignored.
    #[inline]
    pub const fn from_bits(bits: u32) -> ProviderSet {
        ProviderSet(bits as u8 & ProviderSet::ALL.0)
    }

    /// A bit per provider, the first one the lowest.
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// The set of providers with these names.
    ///
    /// # Errors
    /// The first name that no provider has.
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<ProviderSet, &'n str> {
        names.into_iter().try_fold(ProviderSet::NONE, |set, name| Ok(set.with(Provider::named(name).ok_or(name)?)))
    }

    /// Adds a provider.
    #[must_use]
    pub const fn with(self, provider: Provider) -> ProviderSet {
        ProviderSet(self.0 | 1 << provider as u8)
    }

    /// Removes a provider.
    #[must_use]
    pub const fn without(self, provider: Provider) -> ProviderSet {
        ProviderSet(self.0 & !(1 << provider as u8))
    }

    /// True if the set contains a provider.
    #[inline]
    pub const fn has(self, provider: Provider) -> bool {
        self.0 >> provider as u8 & 1 == 1
    }

    /// True if events with this code are recorded.
    #[inline]
    pub fn takes(self, code: EventCode) -> bool {
        // A provider outside the set has its bit in the inverted mask.
        BITS.get(usize::from(code.id())).is_none_or(|bit| bit & !self.0 == 0)
    }

    /// The providers in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Provider> {
        Provider::ALL.into_iter().filter(move |provider| self.has(*provider))
    }

    /// The providers that are not in the set, in order.
    pub fn missing(self) -> impl Iterator<Item = Provider> {
        Provider::ALL.into_iter().filter(move |provider| !self.has(*provider))
    }
}

impl Default for ProviderSet {
    fn default() -> ProviderSet {
        ProviderSet::ALL
    }
}

/// Formats the names, joined by `,`.
impl fmt::Display for ProviderSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(Provider::name).collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for ProviderSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProviderSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::SchemaTable;

    #[test]
    fn every_event_has_the_provider_that_its_documentation_names() {
        for event in SchemaTable::current().events {
            let named = match event.layer {
                Layer::Api => Some(Provider::Api),
                Layer::Ddi => Some(Provider::Ddi),
                Layer::Task => Some(Provider::Task),
                Layer::Mark if event.doc.starts_with("Task provider:") => Some(Provider::Task),
                Layer::Mark if event.doc.starts_with("Memory provider:") => Some(Provider::Memory),
                Layer::Mark => None,
            };
            assert_eq!(Provider::from_line(event.code.id()), named, "{}", event.name);
            for set in 0..=ProviderSet::ALL.bits() {
                let set = ProviderSet::from_bits(set);
                assert_eq!(set.takes(event.code), named.is_none_or(|provider| set.has(provider)), "{}", event.name);
            }
        }
    }

    #[test]
    fn a_set_is_its_names() {
        for bits in 0..=ProviderSet::ALL.bits() {
            let set = ProviderSet::from_bits(bits);
            let text = set.to_string();
            assert_eq!(ProviderSet::named(text.split(',').filter(|name| !name.is_empty())), Ok(set));
            assert_eq!(set.iter().count() + set.missing().count(), Provider::ALL.len());
        }
        assert_eq!(ProviderSet::named(["api", "apu"]), Err("apu"));
    }
}
