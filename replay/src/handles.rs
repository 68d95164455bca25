//! Mapping from recorded objects to live objects.

use foldhash::HashMap;
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, Field, HandleMap, IdSpace, ObjectId};

/// Handles that the recording's next creations take, one per adapter.
#[derive(Debug, Default)]
pub struct NextObjects(Vec<u64>);

impl NextObjects {
    /// Returns the next handle of an adapter.
    pub fn of(&self, adapter: AdapterId) -> u64 {
        let next = self.0.get(adapter.index()).copied().unwrap_or(0);
        next.max(adapter.numbers_from() + 1)
    }

    /// Advances past an object that was created.
    pub fn created(&mut self, object: u64) {
        let adapter = ObjectId(object).adapter().unwrap_or(AdapterId::FIRST);
        let (at, next) = (adapter.index(), self.of(adapter).max(object.saturating_add(1)));
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = next;
    }
}

/// Handle that names no object, live or recorded.
const NEVER_CREATED: u64 = u64::MAX;

/// Map from recorded handles to live handles. A faithful replay allocates the same handles as the recording, so only
/// differences are stored.
#[derive(Debug, Default)]
pub struct Handles {
    exceptions: HashMap<u64, u64>,
    missing: Option<u64>,
    /// Results of GetGPUVirtualAddress, from recorded to live address.
    addresses: BTreeMap<u64, u64>,
    addresses_moved: bool,
}

impl Handles {
    /// Maps the recorded object `recorded` to `live`; `None` if the live creation failed.
    pub fn created(&mut self, recorded: u64, live: Option<u64>) {
        if live != Some(recorded) {
            self.exceptions.insert(recorded, live.unwrap_or(NEVER_CREATED));
        }
    }

    /// Adds a result of GetGPUVirtualAddress, recorded and live. Applications derive the addresses they bind from such
    /// results: each belongs to the closest result at or below it.
    pub fn add_address(&mut self, recorded: u64, live: u64) {
        if recorded != 0 && live != 0 {
            self.addresses_moved |= recorded != live;
            self.addresses.insert(recorded, live);
        }
    }

    /// True if some live address differs from the recorded one.
    pub fn addresses_moved(&self) -> bool {
        self.addresses_moved
    }

    /// Returns the recorded handle of the first object mapped since [`clear_missing`](Self::forget_missing) that was
    /// never created live.
    pub fn missing(&self) -> Option<u64> {
        self.missing
    }

    /// Clears the missing object.
    pub fn clear_missing(&mut self) {
        self.missing = None;
    }

    /// True if every recorded handle so far maps to itself.
    pub fn is_identity(&self) -> bool {
        self.exceptions.is_empty()
    }
}

impl HandleMap for Handles {
    /// Maps objects only: ids of other spaces are inputs and stay as recorded.
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
            // 0 is the null address.
            Some((recorded, live)) if address != 0 => live.saturating_add(address - recorded),
            _ => address,
        }
    }
}

/// Handle map for results, in which addresses are results themselves and stay unchanged.
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
    fn an_address_moves_with_its_resource() {
        let mut handles = Handles::default();
        handles.add_address(0x1000, 0x9000);
        handles.add_address(0x2000, 0x2000);
        assert!(handles.addresses_moved());
        assert_eq!([0, 0x800, 0x1010, 0x2004].map(|address| handles.gpu_address(address)), [0, 0x800, 0x9010, 0x2004]);
    }

    #[test]
    fn a_handle_maps_to_itself_until_it_is_mapped() {
        let mut handles = Handles::default();
        handles.created(1, Some(1));
        assert!(handles.is_identity());
        handles.created(2, Some(3));
        handles.created(4, None);
        assert_eq!([1, 2, 4, 9].map(|id| handles.map(IdSpace::Object, id)), [1, 3, NEVER_CREATED, 9]);
        assert_eq!(handles.missing(), Some(4));
    }

    #[test]
    fn ids_of_other_spaces_are_not_mapped() {
        let mut handles = Handles::default();
        handles.created(2, Some(3));
        let others = IdSpace::ALL.into_iter().filter(|space| *space != IdSpace::Object);
        others.for_each(|space| assert_eq!(handles.map(space, 2), 2, "{}", space.name()));
        assert_eq!(handles.map(IdSpace::Object, 2), 3);
    }
}
