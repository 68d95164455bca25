//! Allocations that adapters share by handle.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{AdapterId, DdiResourceDesc, PrimaryDesc, ResourceDesc, SCAN_OUT_FORMATS};

/// A committed Direct3D 12 resource with a shared handle.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SharedResource {
    /// The description on the creating device.
    pub desc: ResourceDesc,
    pub ddi_desc: DdiResourceDesc,
    pub size_bytes: u64,
}

/// A cross-adapter resource that DXGI had a driver create.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CrossAdapterResource {
    pub desc: PrimaryDesc,
    /// Adapters that have the resource: the adapter that created it, and the adapters that opened it.
    pub adapters: BTreeSet<u64>,
    /// The adapter that created the resource, if its driver can scan it out in a format besides the six.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scanned_out_by: Option<u64>,
}

/// Shared allocations, by handle or number.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct SharedAllocations {
    handles: BTreeMap<u64, SharedResource>,
    resources: BTreeMap<u64, CrossAdapterResource>,
    last_resource: u64,
}

impl SharedAllocations {
    /// True if no resource was shared so far.
    pub fn is_new(&self) -> bool {
        let SharedAllocations { handles, resources, last_resource } = self;
        handles.is_empty() && resources.is_empty() && *last_resource == 0
    }

    /// Adds a handle for a resource. Handles are never closed: the resource owns the memory.
    pub fn share(&mut self, resource: SharedResource) -> u64 {
        // Handles count from 1; 0 is null.
        let handle = self.handles.len() as u64 + 1;
        self.handles.insert(handle, resource);
        handle
    }

    pub fn shared(&self, handle: u64) -> Option<&SharedResource> {
        self.handles.get(&handle)
    }

    /// Adds a resource that an adapter's driver created; returns its number.
    pub fn add(&mut self, adapter: AdapterId, desc: PrimaryDesc, scans_out: bool) -> u64 {
        self.last_resource += 1;
        let is_further = scans_out && !SCAN_OUT_FORMATS.contains(&desc.format);
        let scanned_out_by = is_further.then_some(adapter.0);
        let resource = CrossAdapterResource { desc, adapters: [adapter.0].into(), scanned_out_by };
        self.resources.insert(self.last_resource, resource);
        self.last_resource
    }

    pub fn resource(&self, number: u64) -> Option<&CrossAdapterResource> {
        self.resources.get(&number)
    }

    /// Adds an adapter that opened a resource.
    pub fn opened(&mut self, number: u64, adapter: AdapterId) {
        if let Some(resource) = self.resources.get_mut(&number) {
            resource.adapters.insert(adapter.0);
        }
    }

    /// Removes a resource.
    pub fn remove(&mut self, number: u64) -> Option<CrossAdapterResource> {
        self.resources.remove(&number)
    }

    /// Removes an adapter from all resources.
    pub fn adapter_removed(&mut self, adapter: AdapterId) {
        for resource in self.resources.values_mut() {
            resource.adapters.remove(&adapter.0);
        }
    }
}
