//! State of a Direct3D 11 context: recording, bindings and open handles, guarded by a lock of its own.

mod saved;

pub(crate) use saved::adapter_of;

use super::context_ref::ContextRef;
use super::table::Table;
use crate::memory::context_memory::ContextMemory;
use crate::state::{Bindings, Contents, ContextWork, D3d11State, DeferredCommand, DeviceFacts};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{
    D3d11ContextId, D3d11ContextStateId, D3d11DeviceId, D3d11QueryId, D3d11ResourceId, DriverHandle, HResultCode,
    ObjectId, ThreadingCaps,
};

/// Kind of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ContextKind {
    /// No context with this handle exists.
    #[default]
    Absent,
    /// The device's immediate context.
    Immediate,
    /// A context that records command lists.
    Deferred,
}

/// A context. An absent one is empty, and calls on it fail.
#[derive(Debug, Default)]
pub struct ContextState {
    pub(crate) id: D3d11ContextId,
    pub(crate) device: D3d11DeviceId,
    pub(crate) kind: ContextKind,
    /// True if an extension is in use on the device: calls take the device's lock, and the locks of all objects they
    /// name.
    pub(crate) extended: bool,
    /// True once this context has detected that the device is removed: the driver reported the removal or broke a rule
    /// in strict mode.
    pub(crate) lost: bool,
    /// True if a call of this context removed the device and the removal is not reported yet.
    pub(crate) is_removal_unreported: bool,
    /// True once the driver ran out of memory: the recording is discarded, and nothing is recorded until
    /// FinishCommandList.
    pub(crate) poisoned: bool,
    /// Error that the driver reported in its last call, in place of a result.
    pub(crate) returned: Option<HResultCode>,
    pub(crate) maps: Vec<(D3d11ResourceId, u32)>,
    /// Resource addresses whose memory the GPU still writes.
    pub(crate) being_written: BTreeSet<u64>,
    /// Driver properties from device creation; `None` if the driver has no handles per context.
    pub(crate) facts: Option<Arc<DeviceFacts>>,
    /// hDevice of the driver.
    pub(crate) device_handle: DriverHandle,
    pub(crate) core_layer: DriverHandle,
    pub(crate) table: Table,
    pub(crate) memory: ContextMemory,
    /// Handles that are valid on the immediate context for one call only.
    pub(crate) passing: Vec<DriverHandle>,
    pub(crate) held: BTreeMap<ObjectId, ContextRef>,
    /// Number of referenced views per resource; resources without any are absent.
    pub(crate) viewed: BTreeMap<ObjectId, usize>,
    pub(crate) bindings: Bindings,
    /// State object in use in an immediate context; null until one was swapped in.
    pub(crate) current: D3d11ContextStateId,
    /// Bindings of the state objects that are not in use.
    pub(crate) stored_bindings: BTreeMap<ObjectId, Bindings>,
    /// True if the driver no longer has the bindings.
    pub(crate) bindings_stale: bool,
    /// Deferred commands; `None` if the driver builds command lists itself.
    pub(crate) deferred_commands: Option<Vec<DeferredCommand>>,
    /// Handles of the objects in the recording that is being executed.
    pub(crate) executing_handles: BTreeMap<ObjectId, DriverHandle>,
    /// Objects of a discarded recording, whose pins FinishCommandList drops once it has their locks.
    pub(crate) abandoned_objects: Vec<ObjectId>,
    /// Dynamic resources that this recording has mapped, each with the address of its newest contents.
    pub(crate) discarded: BTreeMap<D3d11ResourceId, u64>,
    /// Queries that were begun in this context and have not ended.
    pub(crate) begun: BTreeSet<D3d11QueryId>,
    /// Queries that this recording begins or ends.
    pub(crate) queried: BTreeSet<D3d11QueryId>,
    /// GPU work of this recording.
    pub(crate) work: Vec<ContextWork>,
    /// Contents that the work of an immediate context has produced.
    pub(crate) contents: Contents,
}

/// Handles of a deferred context.
pub(crate) struct DeferredHandles {
    pub device_handle: DriverHandle,
    /// Handle that the runtime passes to the driver as its own.
    pub core_layer: DriverHandle,
}

impl ContextState {
    /// Creates the immediate context of a device.
    pub(crate) fn immediate(id: D3d11ContextId, device: D3d11DeviceId) -> ContextState {
        ContextState { id, device, kind: ContextKind::Immediate, ..ContextState::default() }
    }

    /// Creates the immediate context of a device whose driver has handles per context.
    pub(crate) fn immediate_on(facts: Arc<DeviceFacts>, memory: ContextMemory, table: Table) -> ContextState {
        let (device_handle, core_layer) = (facts.device_handle, DriverHandle(facts.immediate.0));
        let state = ContextState::immediate(facts.immediate, facts.device);
        ContextState { facts: Some(facts), device_handle, core_layer, memory, table, ..state }
    }

    /// Creates a deferred context.
    pub(crate) fn deferred(
        id: D3d11ContextId,
        facts: Arc<DeviceFacts>,
        handles: DeferredHandles,
        memory: ContextMemory,
        table: Table,
    ) -> ContextState {
        let DeferredHandles { device_handle, core_layer } = handles;
        let (device, kind) = (facts.device, ContextKind::Deferred);
        let base = ContextState { id, device, kind, facts: Some(facts), ..ContextState::default() };
        ContextState { device_handle, core_layer, memory, table, ..base }
    }

    /// Creates a deferred context without a counterpart in the driver.
    pub(crate) fn emulated(id: D3d11ContextId, facts: Arc<DeviceFacts>, memory: ContextMemory) -> ContextState {
        let none = DeferredHandles { device_handle: DriverHandle::default(), core_layer: DriverHandle(id.0) };
        let state = ContextState::deferred(id, facts, none, memory, Table::default());
        ContextState { deferred_commands: Some(Vec::new()), ..state }
    }

    /// True if the driver is not free-threaded: every call with a DDI call in it then holds the device's lock (rule
    /// H-82). The value never changes.
    pub fn is_serial(&self) -> bool {
        let is_immediate = self.kind == ContextKind::Immediate;
        is_immediate && self.facts.as_ref().is_some_and(|facts| !facts.caps.contains(ThreadingCaps::FREETHREADED))
    }

    /// Records a deferred command, and returns true, if the driver builds no command lists.
    pub(crate) fn defer(&mut self, deferred_command: impl FnOnce() -> DeferredCommand) -> bool {
        let keeps = self.deferred_commands.is_some();
        // A lost context counts as recording but stores no command, because its recording is never executed.
        if let Some(deferred_commands) = self.deferred_commands.as_mut().filter(|_| !self.lost) {
            deferred_commands.push(deferred_command());
        }
        keeps
    }

    /// True for the device's immediate context.
    pub(crate) fn is_immediate(&self) -> bool {
        self.kind == ContextKind::Immediate
    }

    /// True if the context exists.
    pub(crate) fn exists(&self) -> bool {
        self.kind != ContextKind::Absent
    }

    /// True if calls on the context need the device's lock besides its own. Once true, always true.
    pub fn is_extended(&self) -> bool {
        self.extended
    }

    /// True if the context refers to the object, so that a call that names it needs no lock of the object.
    pub fn holds(&self, object: ObjectId) -> bool {
        self.exists() && (object == ObjectId::from(self.id) || self.held.contains_key(&object) && !self.extended)
    }

    /// True if the driver gets no calls: it ran out of memory for the recording (rule H-74), or the device is removed.
    pub(crate) fn skips_driver(&self) -> bool {
        self.poisoned || self.lost
    }

    /// Marks the device as removed. The report is pending if this context is the first one that detects the removal.
    pub(crate) fn mark_device_removed(&mut self) {
        // Only the first context that detects the removal reports it; other contexts read it from their objects.
        self.is_removal_unreported |= !self.lost;
        self.lost = true;
    }

    /// The error of a call that produced no result.
    pub(crate) fn failure(&mut self) -> HResultCode {
        let returned = self.returned.take();
        match self {
            ContextState { lost: true, .. } => HResultCode::DXGI_ERROR_DEVICE_REMOVED,
            ContextState { poisoned: true, .. } => HResultCode::E_OUTOFMEMORY,
            _ => returned.unwrap_or(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR),
        }
    }

    /// True if any subresource of the resource is mapped.
    pub(crate) fn is_mapped(&self, resource: D3d11ResourceId) -> bool {
        self.maps.iter().any(|(mapped, _)| *mapped == resource)
    }

    /// The objects that an immediate context no longer needs: neither mapped, begun, nor bound by a state that is in
    /// use.
    pub(crate) fn unbound(&self, device: &D3d11State) -> Vec<ObjectId> {
        let mut bound = self.bindings.objects();
        bound.insert(self.current.into());
        let stored_bindings = self.stored_bindings.iter().filter(|(state, _)| !device.has_ended(**state));
        stored_bindings.for_each(|(_, stored_bindings)| bound.extend(stored_bindings.objects()));
        let is_mapped = |id: &ObjectId| self.is_mapped(D3d11ResourceId(id.0));
        let is_begun = |id: &ObjectId| self.begun.contains(&D3d11QueryId(id.0));
        self.held.keys().filter(|id| !bound.contains(*id) && !is_mapped(id) && !is_begun(id)).copied().collect()
    }
}

/// Storage for the contexts that a call creates.
pub trait Contexts {
    /// Stores a new context under each of these handles.
    fn insert(&mut self, names: &[ObjectId], context: ContextState);
}
