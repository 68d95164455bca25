//! What a context holds: each object once, however often it is bound, open or recorded (rule H-13).

use super::callbacks::Fate;
use super::context_state::{ContextKind, ContextState};
use super::open::{self, find};
use crate::context::{Context, no_such};
use crate::state::{D3d11Kind, D3d11Object, D3d11View, Objects};
use std::sync::Arc;
use taut_schemas::{
    BlendDesc, Call, CreateHandle, D3d11ContextId, D3d11ResourceId, DriverHandle, FunctionTable, HResult, HResultCode,
    HandleMemoryCall, HandleType, ObjectId, ShaderStage, d3d11_context_ddi as ddi, rule,
};

/// An object that a context holds, as far as it does not change.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub object: D3d11Object,
    /// Its handle of this deferred context, while it is open.
    pub local: Option<DriverHandle>,
    /// It is counted among the object's pins; else it is a resource that a view held here holds.
    pub pinned: bool,
}

/// Begins a call of a context on a driver with handles per context: it has to be there.
pub(crate) fn begin(context: &mut Context<'_>, state: &ContextState, id: D3d11ContextId) -> HResult<()> {
    if !state.is_there() || state.id != id {
        return no_such(context, "context", id.into());
    }
    if state.facts.is_none() {
        let text = format_args!("The adapter's driver has no handles per context.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, id, text);
    }
    Ok(())
}

/// Takes hold of an object of a kind, unless the context holds it already.
pub(crate) fn hold(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    (id, kind, is): (ObjectId, &str, impl Fn(&D3d11Kind) -> bool),
) -> HResult<()> {
    if let Some(held) = state.held.get(&id) {
        return if is(&held.object.kind) { Ok(()) } else { no_such(context, kind, id) };
    }
    // The context's own lock stands for its handle's.
    let found = if id == ObjectId::from(state.id) { None } else { find(objects, id) };
    let Some(object) = found.filter(|object| is(&object.kind)) else {
        return no_such(context, kind, id);
    };
    if object.device != state.device {
        let text = format_args!("Object {} belongs to device {}, not to {}.", id.0, object.device.0, state.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    object.pins += 1;
    state.lost |= object.is_lost;
    let object = object.clone();
    state.keep(id, object, true);
    Ok(())
}

fn view_of(kind: &D3d11Kind) -> Option<&D3d11View> {
    match kind {
        D3d11Kind::View(view) => Some(view),
        _ => None,
    }
}

impl ContextState {
    /// It knows the object from now on.
    fn keep(&mut self, id: ObjectId, object: D3d11Object, pinned: bool) {
        let of = view_of(&object.kind).map(|view| &*view.resource_object);
        for handle in [Some(&object), of].into_iter().flatten().filter_map(|object| object.handle.as_ref()) {
            self.memory.know(handle.address, &handle.image);
        }
        if let Some(view) = view_of(&object.kind) {
            *self.viewed.entry(view.resource.into()).or_default() += 1;
        }
        self.held.insert(id, Held { object, local: None, pinned });
    }

    /// What the immediate context was passed is passed on.
    pub(crate) fn passed(&mut self) {
        for handle in std::mem::take(&mut self.passing) {
            self.memory.forget(handle);
        }
    }

    /// It no longer knows the object, whose pin is the caller's to drop.
    pub(crate) fn let_go(&mut self, id: ObjectId) {
        let Some(Held { object, .. }) = self.held.remove(&id) else { return };
        self.forget(id, &object);
        if let Some(view) = view_of(&object.kind) {
            let resource = ObjectId::from(view.resource);
            if let Some(views) = self.viewed.get_mut(&resource) {
                *views -= 1;
                if *views == 0 {
                    self.viewed.remove(&resource);
                }
            }
            self.forget(resource, &view.resource_object);
        }
    }

    /// It no longer knows an object's handle, unless it holds the object or a view of it.
    fn forget(&mut self, id: ObjectId, object: &D3d11Object) {
        let needed = self.held.contains_key(&id) || self.viewed.contains_key(&id);
        if let Some(handle) = object.handle.as_ref().filter(|_| !needed) {
            self.memory.forget(handle.address);
        }
    }

    /// Makes a DDI call through the context's table. `None` if the driver left the slot empty.
    pub(crate) fn record<C: HandleMemoryCall>(&mut self, context: &mut Context<'_>, call: C) -> Option<C::Output> {
        self.record_in(context, FunctionTable::slot(C::ID), call)
    }

    /// The same of a function that each stage has.
    pub(crate) fn record_at<C: HandleMemoryCall>(
        &mut self,
        context: &mut Context<'_>,
        stage: ShaderStage,
        call: C,
    ) -> Option<C::Output> {
        self.record_in(context, FunctionTable::stage_slot(C::ID, stage), call)
    }

    fn record_in<C: HandleMemoryCall>(&mut self, context: &mut Context<'_>, slot: u32, call: C) -> Option<C::Output> {
        if self.is_silent() {
            return None;
        }
        if !self.table.has(slot) {
            let text = format_args!("The driver left {} out of the table of context {}.", C::NAME, self.id.0);
            // In strict mode the context is lost; that the call is not made is all that follows otherwise.
            if crate::violation::say(context, rule::H_42, (slot.into(), 0, 0), text).is_err() {
                self.lose();
            }
            return None;
        }
        let told = context.ddi_on(&mut self.memory, self.kind, call);
        match told.fate {
            Fate::Fine => return Some(told.output),
            Fate::Returned(code) => self.returned = Some(code),
            Fate::LocalRemoval => poison(context, self),
            Fate::Removal => self.lose(),
        }
        None
    }
}

/// The driver has no more memory for what the context records: it is told to throw that away, at once, and every handle is
/// closed (rules H-52 and H-73).
fn poison(context: &mut Context<'_>, state: &mut ContextState) {
    state.poisoned = true;
    if state.table.has(FunctionTable::slot(ddi::AbandonCommandList::ID)) {
        let abandon = ddi::AbandonCommandList { context: state.id, device: state.device_handle };
        if context.ddi_on(&mut state.memory, state.kind, abandon).fate != Fate::Fine {
            state.lose();
        }
    }
    close_all(context, state);
}

/// The handle by which an object that the context holds is named to the driver: it is opened, if it is not open yet (rules H-02
/// and H-10). `None` if the driver cannot have it, and knows so.
pub(crate) fn handle_of(context: &mut Context<'_>, state: &mut ContextState, id: ObjectId) -> Option<DriverHandle> {
    if id == ObjectId::NULL {
        return Some(DriverHandle::default());
    }
    if let Some(handle) = state.playing.get(&id) {
        return Some(*handle);
    }
    let Held { object, local, .. } = state.held.get(&id)?;
    let handle = object.handle.clone()?;
    match (state.kind, local) {
        (_, Some(open)) => return Some(*open),
        // Rule H-74: nothing is opened for what is not recorded.
        _ if state.is_silent() => return None,
        (ContextKind::Deferred, None) => {}
        (_, None) => return Some(handle.address),
    }
    let kind = object.kind.clone();
    let dependency_handle = match &kind {
        D3d11Kind::View(view) => {
            let resource = ObjectId::from(view.resource);
            if !state.held.contains_key(&resource) {
                state.keep(resource, (*view.resource_object).clone(), false);
            }
            handle_of(context, state, resource)?
        }
        _ => DriverHandle::default(),
    };
    let Some(local) = state.memory.allocate(handle.deferred_bytes) else {
        poison(context, state);
        return None;
    };
    let depends = dependency_handle != DriverHandle::default();
    let told = CreateHandle {
        driver_handle: local,
        size_bytes: handle.deferred_bytes,
        ic_handle: handle.address,
        dependency_handle,
        args_null: !depends,
        args_zero: depends,
    };
    create(context, state, id, &kind, told);
    if state.is_silent() {
        // Rule H-79: what could not be opened is not closed either.
        state.memory.release(local);
        return None;
    }
    if let Some(held) = state.held.get_mut(&id) {
        held.local = Some(local);
    }
    Some(local)
}

/// Opens a context-local handle.
fn create(context: &mut Context<'_>, state: &mut ContextState, id: ObjectId, kind: &D3d11Kind, handle: CreateHandle) {
    let (of, device) = (state.id, state.device_handle);
    macro_rules! opened {
        ($($TYPE:ident $Create:ident)*) => {
            match kind.handle_type() {
                Some(HandleType::RESOURCE) => {
                    let resource = D3d11ResourceId(id.0);
                    state.record(context, ddi::CreateResource { context: of, device, handle, resource, desc: None });
                }
                Some(HandleType::BLENDSTATE) => {
                    let desc = BlendDesc::default();
                    state.record(context, ddi::CreateBlendState { context: of, device, handle, desc });
                }
                Some(HandleType::COMMANDLIST) => {
                    let deferred_device = DriverHandle::default();
                    state.record(context, ddi::CreateCommandList { context: of, device, deferred_device, handle });
                }
                $( Some(HandleType::$TYPE) => {
                    state.record(context, ddi::$Create { context: of, device, handle, desc: None });
                } )*
                _ => {}
            }
        };
    }
    opened! {
        SHADERRESOURCEVIEW CreateShaderResourceView
        RENDERTARGETVIEW CreateRenderTargetView
        DEPTHSTENCILVIEW CreateDepthStencilView
        UNORDEREDACCESSVIEW CreateUnorderedAccessView
        DEPTHSTENCILSTATE CreateDepthStencilState
        RASTERIZERSTATE CreateRasterizerState
        SAMPLERSTATE CreateSampler
        SHADER CreateShader
        ELEMENTLAYOUT CreateElementLayout
        QUERY CreateQuery
    }
}

/// Closes every context-local handle: views before what they are of (rule H-09).
pub(crate) fn close_all(context: &mut Context<'_>, state: &mut ContextState) {
    let is_view = |held: &Held| matches!(held.object.kind, D3d11Kind::View(_));
    for views in [true, false] {
        let open: Vec<_> =
            state.held.iter().filter(|(_, held)| held.local.is_some() && is_view(held) == views).collect();
        for id in open.into_iter().map(|(id, _)| *id).collect::<Vec<_>>() {
            close(context, state, id);
        }
    }
}

fn close(context: &mut Context<'_>, state: &mut ContextState, id: ObjectId) {
    let Some(held) = state.held.get_mut(&id) else { return };
    let Some(handle) = held.local.take() else { return };
    let kind = held.object.kind.clone();
    destroy_handle(context, &kind, (state.id, state.device_handle), handle);
    state.memory.release(handle);
}

/// Destroys a handle of whichever context.
pub(crate) fn destroy_handle(
    context: &mut Context<'_>,
    kind: &D3d11Kind,
    (of, device): (D3d11ContextId, DriverHandle),
    handle: DriverHandle,
) {
    macro_rules! destroyed {
        ($($TYPE:ident $Destroy:ident)*) => {
            match kind.handle_type() {
                Some(HandleType::COMMANDLIST) => {
                    context.ddi(ddi::DestroyCommandList { context: of, device, command_list: handle });
                }
                $( Some(HandleType::$TYPE) => context.ddi(ddi::$Destroy { context: of, device, handle }), )*
                _ => {}
            }
        };
    }
    destroyed! {
        RESOURCE DestroyResource
        SHADERRESOURCEVIEW DestroyShaderResourceView
        RENDERTARGETVIEW DestroyRenderTargetView
        DEPTHSTENCILVIEW DestroyDepthStencilView
        UNORDEREDACCESSVIEW DestroyUnorderedAccessView
        BLENDSTATE DestroyBlendState
        DEPTHSTENCILSTATE DestroyDepthStencilState
        RASTERIZERSTATE DestroyRasterizerState
        SAMPLERSTATE DestroySampler
        SHADER DestroyShader
        ELEMENTLAYOUT DestroyElementLayout
        QUERY DestroyQuery
    }
}

/// The handle of an object that the call merely passes on: a deferred context records it, so it holds and opens it; the immediate
/// one knows it until [`ContextState::passed`]. `None` if the driver hears nothing of it.
pub(crate) fn pass(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    id: ObjectId,
) -> HResult<Option<DriverHandle>> {
    if state.is_silent() {
        return Ok(None);
    }
    if state.kind == ContextKind::Deferred {
        hold(context, state, objects, (id, "Direct3D 11 object", |_| true))?;
    }
    if state.held.contains_key(&id) {
        return Ok(handle_of(context, state, id));
    }
    let Some(object) = find(objects, id) else { return Err(HResultCode::E_HANDLE) };
    if object.is_lost {
        state.lost = true;
        return Ok(None);
    }
    let handle = object.handle.clone().ok_or(HResultCode::E_HANDLE)?;
    let of = view_of(&object.kind).map(|view| Arc::clone(&view.resource_object));
    for known in [Some(&handle), of.as_ref().and_then(|of| of.handle.as_ref())].into_iter().flatten() {
        if !state.memory.knows(known.address) {
            state.memory.know(known.address, &known.image);
            state.passing.push(known.address);
        }
    }
    Ok(Some(handle.address))
}

/// What a resource is, whether the context holds it or the call has locked it.
pub(crate) fn resource(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    id: D3d11ResourceId,
) -> HResult<crate::state::D3d11Resource> {
    match state.held.get(&id.into()).map(|held| &held.object.kind) {
        Some(D3d11Kind::Resource(resource)) => Ok(resource.clone()),
        Some(_) => no_such(context, "Direct3D 11 resource", id.into()),
        None => open::resource(context, state, objects, id),
    }
}
