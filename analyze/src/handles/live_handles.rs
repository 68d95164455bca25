//! The live handles of all contexts, by address.

use super::FastMap;
use super::live_handle::{LiveHandle, LiveObject};
use super::tracker::NO_TYPE;
use std::collections::BTreeSet;
use taut_schemas::{DriverHandle, HandleAccess};

/// Live handles by address.
#[derive(Debug, Default)]
pub(super) struct LiveHandles {
    handles: FastMap<u64, LiveHandle>,
    /// Addresses of `handles`, in order.
    addresses: BTreeSet<u64>,
}

impl LiveHandles {
    pub fn insert(&mut self, address: u64, handle: LiveHandle) {
        self.addresses.insert(address);
        self.handles.insert(address, handle);
    }

    pub fn remove(&mut self, address: u64) -> Option<LiveHandle> {
        self.addresses.remove(&address);
        self.handles.remove(&address)
    }

    pub fn contains(&self, address: u64) -> bool {
        self.handles.contains_key(&address)
    }

    pub fn get(&self, address: u64) -> Option<&LiveHandle> {
        self.handles.get(&address)
    }

    pub fn get_mut(&mut self, address: u64) -> Option<&mut LiveHandle> {
        self.handles.get_mut(&address)
    }

    /// The object of an immediate context's handle.
    pub fn object_mut(&mut self, address: u64) -> Option<&mut LiveObject> {
        self.get_mut(address)?.object.as_deref_mut()
    }

    /// Addresses of the handles that fulfill a condition.
    pub fn select(&self, is_selected: impl Fn(&LiveHandle) -> bool) -> Vec<u64> {
        let selected = self.handles.iter().filter(|(_, handle)| is_selected(handle));
        selected.map(|(address, _)| *address).collect()
    }

    /// All addresses in ascending order, which does not depend on a hash map.
    pub fn addresses(&self) -> Vec<u64> {
        self.addresses.iter().copied().collect()
    }

    /// Finds the handle for an access that was recorded without one, by the access's address.
    pub fn find(&self, access: &HandleAccess) -> Option<HandleAccess> {
        let address = access.offset_bytes;
        // Live handles do not overlap, so only the last one that begins before the address can contain it.
        let handle = *self.addresses.range(..=address).next_back()?;
        let (live, offset_bytes) = (self.get(handle)?, address - handle);
        let inside = if live.handle_type == NO_TYPE { offset_bytes == 0 } else { offset_bytes < live.size_bytes };
        inside.then_some(HandleAccess { handle: DriverHandle(handle), offset_bytes, ..*access })
    }
}
