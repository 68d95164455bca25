//! Command allocators and command lists: creation, Reset, Close and Release.

use crate::context::{Context, no_such_object};
use crate::state::{CommandList, DeviceState, Object, ObjectKind, Objects, PipelineState};
use std::sync::Arc;
use taut_schemas::{
    CommandAllocatorId, CommandListId, CommandListType, HResult, HResultCode, ObjectId, PipelineStateId,
    RootSignatureId, d3d12,
};

impl Object {
    pub(crate) fn as_command_list(&self) -> Option<&CommandList> {
        match &self.kind {
            ObjectKind::CommandList(list) => Some(list),
            _ => None,
        }
    }

    pub(crate) fn as_command_list_mut(&mut self) -> Option<&mut CommandList> {
        match &mut self.kind {
            ObjectKind::CommandList(list) => Some(list),
            _ => None,
        }
    }

    fn as_allocator(&self) -> Option<CommandListType> {
        match &self.kind {
            ObjectKind::CommandAllocator(list_type) => Some(*list_type),
            _ => None,
        }
    }
}

impl CommandList {
    fn open(list_type: CommandListType, pipeline: Option<Arc<PipelineState>>) -> CommandList {
        CommandList {
            list_type,
            open: true,
            failed: false,
            pipeline,
            graphics_constants: Vec::new(),
            compute_constants: Vec::new(),
            draws: Vec::new(),
            constants: Vec::new(),
            graphics_root_signature: RootSignatureId::NULL,
            compute_root_signature: RootSignatureId::NULL,
            effects: Arc::default(),
        }
    }
}

/// ID3D12Device::CreateCommandAllocator.
pub(crate) fn create_command_allocator(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateCommandAllocator,
) -> HResult<CommandAllocatorId> {
    device.open(context, call.device)?;
    check_type(context, call.list_type)?;
    let id = device.next_object();
    objects.insert(id, Object::new(ObjectKind::CommandAllocator(call.list_type)));
    device.count_object();
    Ok(CommandAllocatorId(id.0))
}

/// IUnknown::Release of a command allocator's last reference.
pub(crate) fn release_command_allocator(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseCommandAllocator,
) -> HResult<()> {
    let id = ObjectId::from(call.command_allocator);
    if objects.get(id).and_then(Object::as_allocator).is_none() || objects.remove(id).is_none() {
        return no_such_object(context, "command allocator", id);
    }
    Ok(())
}

/// ID3D12CommandAllocator::Reset. Which lists record with an allocator is not checked.
pub(crate) fn reset_command_allocator(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::ResetCommandAllocator,
) -> HResult<()> {
    let id = ObjectId::from(call.command_allocator);
    match objects.get(id).and_then(Object::as_allocator) {
        Some(_) => Ok(()),
        None => no_such_object(context, "command allocator", id),
    }
}

/// ID3D12Device::CreateCommandList.
pub(crate) fn create_command_list(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateCommandList,
) -> HResult<CommandListId> {
    device.open(context, call.device)?;
    check_type(context, call.list_type)?;
    // The allocator's type must be the list's type.
    check_allocator(context, objects, call.command_allocator, call.list_type)?;
    let pipeline = initial_state(context, objects, call.initial_state)?;
    let id = device.next_object();
    let list = CommandList::open(call.list_type, pipeline);
    objects.insert(id, Object::new(ObjectKind::CommandList(Box::new(list))));
    device.count_object();
    Ok(CommandListId(id.0))
}

/// IUnknown::Release of a command list's last reference.
pub(crate) fn release_command_list(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseCommandList,
) -> HResult<()> {
    let id = ObjectId::from(call.command_list);
    if objects.get(id).and_then(Object::as_command_list).is_none() || objects.remove(id).is_none() {
        return no_such_object(context, "command list", id);
    }
    Ok(())
}

/// ID3D12GraphicsCommandList::Reset.
pub(crate) fn reset_command_list(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::ResetCommandList,
) -> HResult<()> {
    let id = call.command_list;
    let list_type = list(context, objects, id)?.list_type;
    check_allocator(context, objects, call.command_allocator, list_type)?;
    let pipeline = initial_state(context, objects, call.initial_state)?;
    let list = list(context, objects, id)?;
    if list.open {
        let text = format_args!("Command list {} is open; Reset is for closed ones.", id.0);
        return context.refuse(HResultCode::E_FAIL, id, text);
    }
    *list = CommandList::open(list_type, pipeline);
    Ok(())
}

/// ID3D12GraphicsCommandList::ClearState.
pub(crate) fn clear_command_list_state(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::ClearCommandListState,
) -> HResult<()> {
    let pipeline = initial_state(context, objects, call.pipeline_state);
    let list = recording(context, objects, call.command_list)?;
    list.failed |= pipeline.is_err();
    list.pipeline = pipeline?;
    list.graphics_constants.clear();
    list.compute_constants.clear();
    list.graphics_root_signature = RootSignatureId::NULL;
    list.compute_root_signature = RootSignatureId::NULL;
    Ok(())
}

/// ID3D12GraphicsCommandList::Close.
pub(crate) fn close_command_list(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::CloseCommandList,
) -> HResult<()> {
    let id = call.command_list;
    let list = list(context, objects, id)?;
    if !list.open {
        return context.refuse(HResultCode::E_FAIL, id, format_args!("Command list {} is closed already.", id.0));
    }
    list.open = false;
    // A refused command fails here, as in Direct3D, because recording calls return nothing.
    if list.failed { Err(HResultCode::E_INVALIDARG) } else { Ok(()) }
}

/// The state of a live command list.
pub(crate) fn list<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: CommandListId,
) -> HResult<&'o mut CommandList> {
    match objects.get_mut(id.into()).and_then(Object::as_command_list_mut) {
        Some(list) => Ok(list),
        None => no_such_object(context, "command list", id.into()),
    }
}

/// The list, if it is open.
pub(super) fn recording<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: CommandListId,
) -> HResult<&'o mut CommandList> {
    let list = list(context, objects, id)?;
    if list.open {
        return Ok(list);
    }
    context.refuse(HResultCode::E_FAIL, id, format_args!("Command list {} is closed.", id.0))
}

pub(crate) fn check_type(context: &mut Context<'_>, list_type: CommandListType) -> HResult<()> {
    if CommandListType::NAMES.iter().any(|(known, _)| *known == list_type.0) {
        return Ok(());
    }
    let text = format_args!("There is no command list type {}.", list_type.0);
    context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text)
}

fn check_allocator(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    id: CommandAllocatorId,
    list_type: CommandListType,
) -> HResult<()> {
    let Some(found) = objects.get(id.into()).and_then(Object::as_allocator) else {
        return no_such_object(context, "command allocator", id.into());
    };
    if found != list_type {
        let text = format_args!("Command allocator {} is for {found:?} lists, not for {list_type:?}.", id.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    Ok(())
}

fn initial_state(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    id: PipelineStateId,
) -> HResult<Option<Arc<PipelineState>>> {
    if id == PipelineStateId::NULL {
        return Ok(None);
    }
    match objects.get(id.into()).and_then(Object::as_pipeline_state) {
        Some(pipeline) => Ok(Some(Arc::clone(pipeline))),
        None => no_such_object(context, "pipeline state", id.into()),
    }
}
