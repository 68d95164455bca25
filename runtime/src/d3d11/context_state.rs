//! A Direct3D 11 context: what is recorded, bound and open in it, under a lock of its own.

mod saved;

pub(crate) use saved::adapter_of;

use super::held::Held;
use super::table::Table;
use crate::memory::context_memory::ContextMemory;
use crate::state::{Bindings, Contents, D3d11State, DeviceFacts, Token, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taut_schemas::{
    D3d11ContextId, D3d11ContextStateId, D3d11DeviceId, D3d11QueryId, D3d11ResourceId, DriverHandle, HResultCode,
    ObjectId, ThreadingCaps,
};

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
    /// The device is gone, as far as it knows: its driver said so, or broke a rule in strict mode.
    pub(crate) lost: bool,
    /// The device went in a call of its own, and nobody else knows yet.
    pub(crate) is_to_tell: bool,
    /// The driver ran out of memory: what was recorded is thrown away, and nothing is until FinishCommandList.
    pub(crate) poisoned: bool,
    /// What the driver's last call answers instead of having done anything.
    pub(crate) returned: Option<HResultCode>,
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
    /// Resources by how many of their views are held; those without any are not here.
    pub(crate) viewed: BTreeMap<ObjectId, usize>,
    pub(crate) bindings: Bindings,
    /// Of an immediate context, the state object that is in it; null until one was swapped in.
    pub(crate) current: D3d11ContextStateId,
    /// What state objects keep that are not in it.
    pub(crate) kept: BTreeMap<ObjectId, Bindings>,
    /// The driver has forgotten what is bound.
    pub(crate) is_stale: bool,
    /// What is recorded, where the driver builds no command lists.
    pub(crate) tokens: Option<Vec<Token>>,
    /// Handles of what a recording that is being played names.
    pub(crate) playing: BTreeMap<ObjectId, DriverHandle>,
    /// Objects of a recording that came to nothing, whose pins FinishCommandList drops when it has their locks.
    pub(crate) let_go: Vec<ObjectId>,
    /// Dynamic resources that this recording has mapped, each with where its newest contents lie.
    pub(crate) discarded: BTreeMap<D3d11ResourceId, u64>,
    /// Queries that were begun here, and have not ended.
    pub(crate) begun: BTreeSet<D3d11QueryId>,
    /// Queries that this recording begins or ends.
    pub(crate) queried: BTreeSet<D3d11QueryId>,
    /// What this recording has the graphics processor do.
    pub(crate) work: Vec<Work>,
    /// What the work of an immediate context has left.
    pub(crate) contents: Contents,
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

    /// A deferred context that the driver knows nothing of.
    pub(crate) fn emulated(id: D3d11ContextId, facts: Arc<DeviceFacts>, memory: ContextMemory) -> ContextState {
        let none = (DriverHandle::default(), DriverHandle(id.0));
        let state = ContextState::deferred(id, facts, none, memory, Table::default());
        ContextState { tokens: Some(Vec::new()), ..state }
    }

    /// Its driver is not free-threaded: the device's lock is held across every call that its driver hears of (rule H-82). It
    /// never changes.
    pub fn is_serial(&self) -> bool {
        let is_immediate = self.kind == ContextKind::Immediate;
        is_immediate && self.facts.as_ref().is_some_and(|facts| !facts.caps.contains(ThreadingCaps::FREETHREADED))
    }

    /// Keeps a call, where the driver builds no command lists. Whether it did.
    pub(crate) fn keep_token(&mut self, token: impl FnOnce() -> Token) -> bool {
        let keeps = self.tokens.is_some();
        if let Some(tokens) = self.tokens.as_mut().filter(|_| !self.lost) {
            tokens.push(token());
        }
        keeps
    }

    /// It is the device's own.
    pub(crate) fn is_immediate(&self) -> bool {
        self.kind == ContextKind::Immediate
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

    /// The driver hears nothing of what is recorded: it could not keep it (rule H-74), or is gone.
    pub(crate) fn is_silent(&self) -> bool {
        self.poisoned || self.lost
    }

    /// The device is gone, and this context is the first to know.
    pub(crate) fn lose(&mut self) {
        self.is_to_tell |= !self.lost;
        self.lost = true;
    }

    /// What a call answers that was to give something and has not.
    pub(crate) fn failure(&mut self) -> HResultCode {
        let returned = self.returned.take();
        match self {
            ContextState { lost: true, .. } => HResultCode::DXGI_ERROR_DEVICE_REMOVED,
            ContextState { poisoned: true, .. } => HResultCode::E_OUTOFMEMORY,
            _ => returned.unwrap_or(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR),
        }
    }

    /// Whether any of a resource's subresources is mapped.
    pub(crate) fn is_mapped(&self, resource: D3d11ResourceId) -> bool {
        self.maps.iter().any(|(mapped, _)| *mapped == resource)
    }

    /// The objects that an immediate context holds and no longer needs: what no state binds that has not ended.
    pub(crate) fn unbound(&self, device: &D3d11State) -> Vec<ObjectId> {
        let mut bound = self.bindings.objects();
        bound.insert(self.current.into());
        let kept = self.kept.iter().filter(|(state, _)| !device.has_ended(**state));
        kept.for_each(|(_, kept)| bound.extend(kept.objects()));
        let is_mapped = |id: &ObjectId| self.is_mapped(D3d11ResourceId(id.0));
        let is_begun = |id: &ObjectId| self.begun.contains(&D3d11QueryId(id.0));
        self.held.keys().filter(|id| !bound.contains(*id) && !is_mapped(id) && !is_begun(id)).copied().collect()
    }
}

/// Room for the contexts that a call creates.
pub trait Contexts {
    /// Puts a new context where each of these handles leads.
    fn insert(&mut self, names: &[ObjectId], context: ContextState);
}
