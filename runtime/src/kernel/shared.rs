//! What adapters share with each other: allocations that have a handle.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{AdapterId, DdiResourceDesc, PrimaryDesc, ResourceDesc};

/// A committed resource of Direct3D 12 that has a shared handle.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SharedResource {
    /// As its maker's device says of it.
    pub desc: ResourceDesc,
    pub ddi_desc: DdiResourceDesc,
    pub size_bytes: u64,
}

/// A cross-adapter resource that DXGI had a driver create.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CrossAdapterResource {
    pub desc: PrimaryDesc,
    /// Adapters that have it: its maker, and those that opened it.
    pub adapters: BTreeSet<u64>,
}

/// Allocations that have a handle, by number.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct SharedAllocations {
    handles: BTreeMap<u64, SharedResource>,
    resources: BTreeMap<u64, CrossAdapterResource>,
    last_resource: u64,
}

impl SharedAllocations {
    /// Nothing was shared.
    pub fn is_new(&self) -> bool {
        let SharedAllocations { handles, resources, last_resource } = self;
        handles.is_empty() && resources.is_empty() && *last_resource == 0
    }

    /// A handle for a resource. Handles are not closed: the memory is the resource's.
    pub fn share(&mut self, resource: SharedResource) -> u64 {
        let handle = self.handles.len() as u64 + 1;
        self.handles.insert(handle, resource);
        handle
    }

    pub fn shared(&self, handle: u64) -> Option<&SharedResource> {
        self.handles.get(&handle)
    }

    /// A resource that an adapter's driver has created; gives its number.
    pub fn add(&mut self, adapter: AdapterId, desc: PrimaryDesc) -> u64 {
        self.last_resource += 1;
        self.resources.insert(self.last_resource, CrossAdapterResource { desc, adapters: [adapter.0].into() });
        self.last_resource
    }

    pub fn resource(&self, number: u64) -> Option<&CrossAdapterResource> {
        self.resources.get(&number)
    }

    /// An adapter has opened a resource.
    pub fn opened(&mut self, number: u64, adapter: AdapterId) {
        if let Some(resource) = self.resources.get_mut(&number) {
            resource.adapters.insert(adapter.0);
        }
    }

    /// A resource goes.
    pub fn remove(&mut self, number: u64) -> Option<CrossAdapterResource> {
        self.resources.remove(&number)
    }

    /// An adapter has gone, and what it had opened or made.
    pub fn adapter_left(&mut self, adapter: AdapterId) {
        for resource in self.resources.values_mut() {
            resource.adapters.remove(&adapter.0);
        }
    }
}
