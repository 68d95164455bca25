//! A Direct3D 11 context: what is recorded, bound and open in it, under a lock of its own.

use super::bindings::Bindings;
use super::context_memory::ContextMemory;
use super::device_facts::DeviceFacts;
use super::held::Held;
use super::table::Table;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{D3d11ContextId, D3d11DeviceId, D3d11ResourceId, DriverHandle, ObjectId};

/// What a context is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ContextKind {
    /// None was created with this handle, or it is gone.
    #[default]
    Absent,
    /// The device's own.
    Immediate,
    /// One that records command lists.
    Deferred,
}

/// A context. One that is absent holds nothing, and answers that it is not there.
#[derive(Debug, Default)]
pub struct ContextState {
    pub(crate) id: D3d11ContextId,
    pub(crate) device: D3d11DeviceId,
    pub(crate) kind: ContextKind,
    /// Its device has an extension in use: its calls take the device's lock, and those of all objects they name.
    pub(crate) extended: bool,
    /// The driver broke a rule in strict mode: the device is lost to it.
    pub(crate) lost: bool,
    /// Subresources that are mapped.
    pub(crate) maps: Vec<(D3d11ResourceId, u32)>,
    /// Memory, by its resource, that the graphics processor still writes.
    pub(crate) being_written: BTreeSet<u64>,
    /// What the driver said when the device was created; none of one without handles per context.
    pub(crate) facts: Option<Arc<DeviceFacts>>,
    /// hDevice, as the driver is told it.
    pub(crate) device_handle: DriverHandle,
    pub(crate) core_layer: DriverHandle,
    pub(crate) table: Table,
    pub(crate) memory: ContextMemory,
    /// Handles that the immediate context knows for one call.
    pub(crate) passing: Vec<DriverHandle>,
    pub(crate) held: BTreeMap<ObjectId, Held>,
    pub(crate) bindings: Bindings,
    /// The driver has forgotten what is bound.
    pub(crate) is_stale: bool,
    /// Dynamic resources that this recording has mapped, each with where its newest contents lie.
    pub(crate) discarded: BTreeMap<D3d11ResourceId, u64>,
}

impl ContextState {
    /// The immediate context of a device.
    pub(crate) fn immediate(id: D3d11ContextId, device: D3d11DeviceId) -> ContextState {
        ContextState { id, device, kind: ContextKind::Immediate, ..ContextState::default() }
    }

    /// The same on a driver with handles per context.
    pub(crate) fn immediate_on(facts: Arc<DeviceFacts>, memory: ContextMemory, table: Table) -> ContextState {
        let (device_handle, core_layer) = (facts.device_handle, DriverHandle(facts.immediate.0));
        let state = ContextState::immediate(facts.immediate, facts.device);
        ContextState { facts: Some(facts), device_handle, core_layer, memory, table, ..state }
    }

    /// A deferred context.
    pub(crate) fn deferred(
        id: D3d11ContextId,
        facts: Arc<DeviceFacts>,
        (device_handle, core_layer): (DriverHandle, DriverHandle),
        memory: ContextMemory,
        table: Table,
    ) -> ContextState {
        let (device, kind) = (facts.device, ContextKind::Deferred);
        let base = ContextState { id, device, kind, facts: Some(facts), ..ContextState::default() };
        ContextState { device_handle, core_layer, memory, table, ..base }
    }

    /// It is there.
    pub(crate) fn is_there(&self) -> bool {
        self.kind != ContextKind::Absent
    }

    /// Calls on it need the device's lock besides its own. Once they do, they always do.
    pub fn is_extended(&self) -> bool {
        self.extended
    }

    /// It has the object, so that a call that names it needs no lock of the object's.
    pub fn holds(&self, object: ObjectId) -> bool {
        self.is_there() && (object == ObjectId::from(self.id) || self.held.contains_key(&object) && !self.extended)
    }

    /// Whether any of a resource's subresources is mapped.
    pub(crate) fn is_mapped(&self, resource: D3d11ResourceId) -> bool {
        self.maps.iter().any(|(mapped, _)| *mapped == resource)
    }

    /// The objects that an immediate context holds and no longer needs.
    pub(crate) fn unbound(&self) -> Vec<ObjectId> {
        let bound = self.bindings.objects();
        let is_mapped = |id: &ObjectId| self.is_mapped(D3d11ResourceId(id.0));
        self.held.keys().filter(|id| !bound.contains(*id) && !is_mapped(id)).copied().collect()
    }
}

/// Room for the contexts that a call creates.
pub trait Contexts {
    /// Puts a new context where each of these handles leads.
    fn insert(&mut self, names: &[ObjectId], context: ContextState);
}
