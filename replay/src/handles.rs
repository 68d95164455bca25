//! Which live object stands for which recorded one.

use foldhash::HashMap;
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, Field, HandleMap, IdSpace, ObjectId};

/// The handle that the recording's next creation takes, by adapter.
#[derive(Debug, Default)]
pub struct NextObjects(Vec<u64>);

impl NextObjects {
    /// That of an adapter.
    pub fn of(&self, adapter: AdapterId) -> u64 {
        let next = self.0.get(adapter.index()).copied().unwrap_or(0);
        next.max(adapter.numbers_from() + 1)
    }

    /// An object was created.
    pub fn created(&mut self, object: u64) {
        let adapter = ObjectId(object).adapter().unwrap_or(AdapterId::FIRST);
        let (at, next) = (adapter.index(), self.of(adapter).max(object.saturating_add(1)));
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = next;
    }
}

/// A handle that names no object, live or recorded.
const NEVER_CREATED: u64 = u64::MAX;

/// Recorded handles and the live handles that stand for them. A faithful replay gives out the same handles as the
/// recording, so only the exceptions are kept.
#[derive(Debug, Default)]
pub struct Handles {
    exceptions: HashMap<u64, u64>,
    missing: Option<u64>,
    /// What GetGPUVirtualAddress answered: the recorded address, and the live one.
    addresses: BTreeMap<u64, u64>,
    addresses_moved: bool,
}

impl Handles {
    /// The recorded object `recorded` was created as `live`; `None` if the live creation failed.
    pub fn created(&mut self, recorded: u64, live: Option<u64>) {
        if live != Some(recorded) {
            self.exceptions.insert(recorded, live.unwrap_or(NEVER_CREATED));
        }
    }

    /// GetGPUVirtualAddress answered `recorded` when recorded, and `live` now. An application makes the addresses it binds
    /// of such answers: each belongs to the greatest that it is not below.
    pub fn answered(&mut self, recorded: u64, live: u64) {
        if recorded != 0 && live != 0 {
            self.addresses_moved |= recorded != live;
            self.addresses.insert(recorded, live);
        }
    }

    /// Some live address is another than the recorded one.
    pub fn addresses_moved(&self) -> bool {
        self.addresses_moved
    }

    /// The first object that was mapped since [`forget_missing`](Self::forget_missing) and was never created live, by
    /// its recorded handle.
    pub fn missing(&self) -> Option<u64> {
        self.missing
    }

    /// Nothing mapped so far is missing.
    pub fn forget_missing(&mut self) {
        self.missing = None;
    }

    /// Every recorded handle so far stands for itself.
    pub fn is_identity(&self) -> bool {
        self.exceptions.is_empty()
    }
}

impl HandleMap for Handles {
    /// Only objects are mapped: the numbers of all else are input, and stay as recorded.
    fn map(&mut self, space: IdSpace, id: u64) -> u64 {
        if space != IdSpace::Object {
            return id;
        }
        let live = self.exceptions.get(&id).copied().unwrap_or(id);
        if live == NEVER_CREATED {
            self.missing.get_or_insert(id);
        }
        live
    }

    fn gpu_address(&mut self, address: u64) -> u64 {
        match self.addresses.range(..=address).next_back() {
            Some((recorded, live)) if address != 0 => live.saturating_add(address - recorded),
            _ => address,
        }
    }
}

/// The same map for results, in which addresses are answers and stay what they are.
pub struct ResultHandles<'a>(pub &'a mut Handles);

impl HandleMap for ResultHandles<'_> {
    fn map(&mut self, space: IdSpace, id: u64) -> u64 {
        self.0.map(space, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_moves_with_the_resource_it_was_made_of() {
        let mut handles = Handles::default();
        handles.answered(0x1000, 0x9000);
        handles.answered(0x2000, 0x2000);
        assert!(handles.addresses_moved());
        assert_eq!([0, 0x800, 0x1010, 0x2004].map(|address| handles.gpu_address(address)), [0, 0x800, 0x9010, 0x2004]);
    }

    #[test]
    fn a_handle_stands_for_itself_until_it_is_said_otherwise() {
        let mut handles = Handles::default();
        handles.created(1, Some(1));
        assert!(handles.is_identity());
        handles.created(2, Some(3));
        handles.created(4, None);
        assert_eq!([1, 2, 4, 9].map(|id| handles.map(IdSpace::Object, id)), [1, 3, NEVER_CREATED, 9]);
        assert_eq!(handles.missing(), Some(4));
    }

    #[test]
    fn what_is_no_object_stays_what_it_is() {
        let mut handles = Handles::default();
        handles.created(2, Some(3));
        let others = IdSpace::ALL.into_iter().filter(|space| *space != IdSpace::Object);
        others.for_each(|space| assert_eq!(handles.map(space, 2), 2, "{}", space.name()));
        assert_eq!(handles.map(IdSpace::Object, 2), 3);
    }
}
