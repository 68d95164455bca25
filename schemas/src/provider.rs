//! Providers: which events a recording takes. What none of them has is always recorded.

use crate::event::EventCode;
use crate::families::FAMILIES;
use crate::family::Layer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A group of events that is recorded as a whole, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// The application's calls.
    Api = 0,
    /// What runtime and drivers say to each other.
    Ddi = 1,
    /// The machine's inputs, and marks about background tasks.
    Task = 2,
    /// Marks about mapped memory: stores, loads, accesses behind handles.
    Memory = 3,
}

/// Marks about background tasks (lists/marks/background.rs).
const TASK_MARKS: std::ops::RangeInclusive<u16> = 4384..=4399;

/// Marks about mapped memory (lists/marks/memory.rs).
const MEMORY_MARKS: std::ops::RangeInclusive<u16> = 4416..=4431;

/// One more than the greatest number of a line.
const LINES: usize = {
    let (mut greatest, mut at) = (0, 0);
    while at < FAMILIES.len() {
        greatest = if FAMILIES[at].last > greatest { FAMILIES[at].last } else { greatest };
        at += 1;
    }
    greatest as usize + 1
};

/// By the number of a line, the bit of its provider; 0 for what is always recorded.
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
    match Provider::of(line) {
        Some(provider) => 1 << provider as u8,
        None => 0,
    }
}

impl Provider {
    /// Every provider.
    pub const ALL: [Provider; 4] = [Provider::Api, Provider::Ddi, Provider::Task, Provider::Memory];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Provider::Api => "api",
            Provider::Ddi => "ddi",
            Provider::Task => "task",
            Provider::Memory => "memory",
        }
    }

    /// The provider of this name.
    pub fn named(name: &str) -> Option<Provider> {
        Provider::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// The provider of a line; `None` for what is always recorded.
    pub const fn of(line: u16) -> Option<Provider> {
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

/// The providers that are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProviderSet(u8);

impl ProviderSet {
    /// All of them.
    pub const ALL: ProviderSet = ProviderSet((1 << Provider::ALL.len()) - 1);
    /// None of them.
    pub const NONE: ProviderSet = ProviderSet(0);

    /// The set with these bits, one for each provider in their order; other bits mean nothing.
    #[inline]
    pub const fn of_bits(bits: u32) -> ProviderSet {
        ProviderSet(bits as u8 & ProviderSet::ALL.0)
    }

    /// A bit for each provider, the first the lowest.
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

    /// With a provider.
    #[must_use]
    pub const fn with(self, provider: Provider) -> ProviderSet {
        ProviderSet(self.0 | 1 << provider as u8)
    }

    /// Without a provider.
    #[must_use]
    pub const fn without(self, provider: Provider) -> ProviderSet {
        ProviderSet(self.0 & !(1 << provider as u8))
    }

    /// Whether a provider is in it.
    #[inline]
    pub const fn has(self, provider: Provider) -> bool {
        self.0 >> provider as u8 & 1 == 1
    }

    /// Whether events with this code are recorded.
    #[inline]
    pub fn takes(self, code: EventCode) -> bool {
        // What is not in the set has its bit behind the mask.
        BITS.get(usize::from(code.id())).is_none_or(|bit| bit & !self.0 == 0)
    }

    /// Those in it, in their order.
    pub fn iter(self) -> impl Iterator<Item = Provider> {
        Provider::ALL.into_iter().filter(move |provider| self.has(*provider))
    }

    /// Those that are not in it, in their order.
    pub fn missing(self) -> impl Iterator<Item = Provider> {
        Provider::ALL.into_iter().filter(move |provider| !self.has(*provider))
    }
}

impl Default for ProviderSet {
    fn default() -> ProviderSet {
        ProviderSet::ALL
    }
}

/// Their names, joined by `,`.
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
            assert_eq!(Provider::of(event.code.id()), named, "{}", event.name);
            for set in 0..=ProviderSet::ALL.bits() {
                let set = ProviderSet::of_bits(set);
                assert_eq!(set.takes(event.code), named.is_none_or(|provider| set.has(provider)), "{}", event.name);
            }
        }
    }

    #[test]
    fn a_set_is_its_names() {
        for bits in 0..=ProviderSet::ALL.bits() {
            let set = ProviderSet::of_bits(bits);
            let text = set.to_string();
            assert_eq!(ProviderSet::named(text.split(',').filter(|name| !name.is_empty())), Ok(set));
            assert_eq!(set.iter().count() + set.missing().count(), Provider::ALL.len());
        }
        assert_eq!(ProviderSet::named(["api", "apu"]), Err("apu"));
    }
}
