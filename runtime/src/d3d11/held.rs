//! References of a context to objects: one reference per object, independent of how often the object is bound, open or
//! recorded (rule H-13).

use super::callbacks::DdiOutcome;
use super::context_ref::ContextRef;
use super::context_state::{ContextKind, ContextState};
use super::open::{self, find};
use crate::context::{Context, no_such_object};
use crate::state::{D3d11Kind, D3d11Object, D3d11View, Objects};
use crate::violation::ObservedValue;
use std::sync::Arc;
use taut_schemas::{
    BlendDesc, Call, CreateHandle, D3d11ContextId, D3d11ResourceId, DriverHandle, FunctionTable, HResult, HResultCode,
    HandleMemoryCall, HandleType, ObjectId, ShaderStage, d3d11_context_ddi as ddi, rule,
};

/// Begins a context call that needs a driver with handles per context, and checks that the context exists.
pub(crate) fn begin(context: &mut Context<'_>, state: &ContextState, id: D3d11ContextId) -> HResult<()> {
    if !state.exists() || state.id != id {
        return no_such_object(context, "context", id.into());
    }
    if state.facts.is_none() {
        let text = format_args!("The adapter's driver has no handles per context.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, id, text);
    }
    Ok(())
}

/// Object to which a context adds a reference, and the accepted kinds of objects.
pub(crate) struct HoldTarget<'k, Is: Fn(&D3d11Kind) -> bool> {
    pub id: ObjectId,
    /// Kind in the text of an error.
    pub kind: &'k str,
    pub is: Is,
}

/// Adds a reference to an object of the kind that `is` accepts, unless the context has one already.
pub(crate) fn hold(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    target: HoldTarget<'_, impl Fn(&D3d11Kind) -> bool>,
) -> HResult<()> {
    let HoldTarget { id, kind, is } = target;
    if let Some(held) = state.held.get(&id) {
        return if is(&held.object.kind) { Ok(()) } else { no_such_object(context, kind, id) };
    }
    // The call has locked this context, so `objects` must not be searched for the context's own id.
    let found = if id == ObjectId::from(state.id) { None } else { find(objects, id) };
    let Some(object) = found.filter(|object| is(&object.kind)) else {
        return no_such_object(context, kind, id);
    };
    // Handles are only valid on the device that created them.
    if object.device != state.device {
        let text = format_args!("Object {} belongs to device {}, not to {}.", id.0, object.device.0, state.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    object.pins += 1;
    // The object shows that the device was removed, so the context treats the device as lost from here on.
    state.lost |= object.is_lost;
    let object = object.clone();
    state.insert_ref(id, object, true);
    Ok(())
}

fn view_of(kind: &D3d11Kind) -> Option<&D3d11View> {
    match kind {
        D3d11Kind::View(view) => Some(view),
        _ => None,
    }
}

impl ContextState {
    /// Adds a reference, and makes the object's handle valid in the context's memory.
    fn insert_ref(&mut self, id: ObjectId, object: D3d11Object, pinned: bool) {
        let of = view_of(&object.kind).map(|view| &*view.resource_object);
        // The driver may read the handle of a view's resource when it gets the view, so both handles must be valid.
        for handle in [Some(&object), of].into_iter().flatten().filter_map(|object| object.handle.as_ref()) {
            self.memory.add_valid_handle(handle.address, &handle.image);
        }
        if let Some(view) = view_of(&object.kind) {
            *self.viewed.entry(view.resource.into()).or_default() += 1;
        }
        self.held.insert(id, ContextRef { object, local: None, pinned });
    }

    /// Removes the handles that were valid on the immediate context for one call only.
    pub(crate) fn forget_passed_handles(&mut self) {
        for handle in std::mem::take(&mut self.passing) {
            self.memory.forget(handle);
        }
    }

    /// Removes the reference to an object. Dropping the object's pin is left to the caller.
    pub(crate) fn remove_ref(&mut self, id: ObjectId) {
        let Some(ContextRef { object, .. }) = self.held.remove(&id) else { return };
        self.forget(id, &object);
        if let Some(view) = view_of(&object.kind) {
            // Several views may share a resource, whose handle stays valid while a view is referenced.
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

    /// Removes an object's handle from the context's memory, unless the context refers to the object or to a view of
    /// it.
    fn forget(&mut self, id: ObjectId, object: &D3d11Object) {
        let needed = self.held.contains_key(&id) || self.viewed.contains_key(&id);
        if let Some(handle) = object.handle.as_ref().filter(|_| !needed) {
            self.memory.forget(handle.address);
        }
    }

    /// Calls a DDI function through the context's table. `None` if the driver left the slot empty.
    pub(crate) fn record<C: HandleMemoryCall>(&mut self, context: &mut Context<'_>, call: C) -> Option<C::Output> {
        self.record_in(context, FunctionTable::slot(C::ID), call)
    }

    /// Calls a DDI function that has one slot per shader stage, through the context's table.
    pub(crate) fn record_at<C: HandleMemoryCall>(
        &mut self,
        context: &mut Context<'_>,
        stage: ShaderStage,
        call: C,
    ) -> Option<C::Output> {
        self.record_in(context, FunctionTable::stage_slot(C::ID, stage), call)
    }

    fn record_in<C: HandleMemoryCall>(&mut self, context: &mut Context<'_>, slot: u32, call: C) -> Option<C::Output> {
        // Rule H-74: after E_OUTOFMEMORY the driver gets no call until FinishCommandList.
        if self.skips_driver() {
            return None;
        }
        if !self.table.has(slot) {
            let text = format_args!("The driver left {} out of the table of context {}.", C::NAME, self.id.0);
            // In strict mode the context is lost. Otherwise the only consequence is that the DDI call is skipped.
            if crate::violation::record_violation(
                context,
                rule::H_42,
                ObservedValue { found: slot.into(), min: 0, max: 0 },
                text,
            )
            .is_err()
            {
                self.mark_device_removed();
            }
            return None;
        }
        let data = context.ddi_on(&mut self.memory, self.kind, call);
        match data.outcome {
            DdiOutcome::Fine => return Some(data.output),
            DdiOutcome::Returned(code) => self.returned = Some(code),
            DdiOutcome::LocalRemoval => abandon_recording(context, self),
            DdiOutcome::Removal => self.mark_device_removed(),
        }
        None
    }
}

/// Handles E_OUTOFMEMORY of a recording: the driver abandons what it has recorded, and every context-local handle is
/// closed at once (rules H-52 and H-73).
fn abandon_recording(context: &mut Context<'_>, state: &mut ContextState) {
    state.poisoned = true;
    // Rule H-52: the driver abandons the recording before any handle is closed.
    if state.table.has(FunctionTable::slot(ddi::AbandonCommandList::ID)) {
        let abandon = ddi::AbandonCommandList { context: state.id, device: state.device_handle };
        if context.ddi_on(&mut state.memory, state.kind, abandon).outcome != DdiOutcome::Fine {
            state.mark_device_removed();
        }
    }
    close_all(context, state);
}

/// Returns the driver's handle of an object that the context refers to, and opens the object before if necessary (rules
/// H-02 and H-10). `None` if the driver must not get the object, for instance after the driver reported an error.
pub(crate) fn handle_of(context: &mut Context<'_>, state: &mut ContextState, id: ObjectId) -> Option<DriverHandle> {
    // Null unbinds a slot, and the driver's name for null is handle 0.
    if id == ObjectId::NULL {
        return Some(DriverHandle::default());
    }
    // While a deferred recording executes, its objects are not referenced by the context; their handles are listed
    // apart.
    if let Some(handle) = state.executing_handles.get(&id) {
        return Some(*handle);
    }
    let ContextRef { object, local, .. } = state.held.get(&id)?;
    let handle = object.handle.clone()?;
    match (state.kind, local) {
        (_, Some(open)) => return Some(*open),
        // Rule H-74: nothing is opened for a recording that is already discarded.
        _ if state.skips_driver() => return None,
        (ContextKind::Deferred, None) => {}
        (_, None) => return Some(handle.address),
    }
    let kind = object.kind.clone();
    let dependency_handle = match &kind {
        // Rules H-08 and H-10: a view's handle depends on its resource's handle in the same context, opened first.
        D3d11Kind::View(view) => {
            let resource = ObjectId::from(view.resource);
            if !state.held.contains_key(&resource) {
                state.insert_ref(resource, (*view.resource_object).clone(), false);
            }
            handle_of(context, state, resource)?
        }
        _ => DriverHandle::default(),
    };
    let Some(local) = state.memory.allocate(handle.deferred_bytes) else {
        abandon_recording(context, state);
        return None;
    };
    let depends = dependency_handle != DriverHandle::default();
    // Rules H-07 and H-08: arguments are null without a dependency, else zero except for the dependency's handle.
    let data = CreateHandle {
        driver_handle: local,
        size_bytes: handle.deferred_bytes,
        ic_handle: handle.address,
        dependency_handle,
        args_null: !depends,
        args_zero: depends,
    };
    create(context, state, id, &kind, data);
    if state.skips_driver() {
        // Rule H-79: a handle whose creation failed is not closed.
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

/// Closes every context-local handle, views before their resources (rule H-09).
pub(crate) fn close_all(context: &mut Context<'_>, state: &mut ContextState) {
    let is_view = |held: &ContextRef| matches!(held.object.kind, D3d11Kind::View(_));
    // `true` is first: views depend on the handles of their resources.
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
    destroy_handle(context, &kind, state.id, state.device_handle, handle);
    // Released after the destroy call, in which the driver may access the memory.
    state.memory.release(handle);
}

/// Destroys a handle of any context.
pub(crate) fn destroy_handle(
    context: &mut Context<'_>,
    kind: &D3d11Kind,
    of: D3d11ContextId,
    device: DriverHandle,
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

/// Returns the handle that the driver gets for an object which a call uses without binding it. A deferred context
/// records the object, so it adds a reference and opens the object. On the immediate context, the handle is valid until
/// [`ContextState::forget_passed_handles`]. `None` if the driver does not get the call.
pub(crate) fn handle_for_call(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    id: ObjectId,
) -> HResult<Option<DriverHandle>> {
    if state.skips_driver() {
        return Ok(None);
    }
    if state.kind == ContextKind::Deferred {
        hold(context, state, objects, HoldTarget { id, kind: "Direct3D 11 object", is: |_| true })?;
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
        if !state.memory.is_valid_handle(known.address) {
            // Handles that were valid before the call remain valid after it.
            state.memory.add_valid_handle(known.address, &known.image);
            state.passing.push(known.address);
        }
    }
    Ok(Some(handle.address))
}

/// A resource's state, taken from the context's reference or from the objects that the call has locked.
pub(crate) fn resource(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    id: D3d11ResourceId,
) -> HResult<crate::state::D3d11Resource> {
    match state.held.get(&id.into()).map(|held| &held.object.kind) {
        Some(D3d11Kind::Resource(resource)) => Ok(resource.clone()),
        Some(_) => no_such_object(context, "Direct3D 11 resource", id.into()),
        None => open::resource(context, state, objects, id),
    }
}
