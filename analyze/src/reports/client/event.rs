//! Events of a program on the binary interface, merged over all threads.

use crate::error::AnalyzeError;
use crate::events::{EventReader, Source};
use crate::view;
use taut_schemas::{
    CommandAllocatorId, CommandListId, CommandQueueId, CommandSignatureId, DescriptorHeapId, DeviceId, FenceId,
    HResultCode, HeapId, MemoryRange, ObjectId, PipelineStateId, QueryHeapId, ResourceId, RootSignatureId, d3d12, mark,
};

/// Kind of an object, as the report names it.
pub(super) type Kind = &'static str;

/// Kind of devices, whose ids are numbered apart.
pub(super) const DEVICE: Kind = "device";

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClientEvent {
    Created(Kind, u64),
    Released(Kind, u64),
    Named(Named),
    /// A command was recorded into a list.
    Command(CommandListId, Command),
    /// A list begins without commands.
    Reset(CommandListId),
    /// A list executes another one.
    Bundle(Bundle),
    Submitted(Vec<CommandListId>),
    Mapped(ResourceId),
    Unmapped(Unmapped),
    Queried(Query),
    Unsupported(Unsupported),
    CalledAfterRelease(AfterRelease),
}

/// A command that is not executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Draw,
    Dispatch,
    /// Draws or dispatches whose number is in memory.
    Indirect,
    Copy {
        bytes: u64,
    },
    /// Copy of a whole resource.
    CopyOf(ResourceId),
}

view! {
    /// A name of an object.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Named of start d3d12::SetName { object: ObjectId, name: String, }
}
view! {
    /// Execution of a bundle.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Bundle of start d3d12::ExecuteBundle { command_list: CommandListId, bundle: CommandListId, }
}
view! {
    /// The end of a map.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Unmapped of start d3d12::Unmap { resource: ResourceId, written_range: Option<MemoryRange>, }
}
view! {
    /// Count of queries of an interface.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Query of info mark::InterfaceQuery { interface: String, query_result: HResultCode, count: u64, }
}
view! {
    /// Count of calls of an unsupported method.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Unsupported of info mark::UnsupportedCall {
        interface: String,
        method: String,
        slot: u32,
        count: u64,
    }
}
view! {
    /// Count of calls of a method of released objects.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct AfterRelease of info mark::ReleasedObjectCall { interface: String, method: String, count: u64, }
}
view! { struct Map of start d3d12::Map { resource: ResourceId, } }
view! { struct Submission of start d3d12::ExecuteCommandLists { command_lists: Vec<CommandListId>, } }
view! { struct Reset of start d3d12::ResetCommandList { command_list: CommandListId, } }
view! { struct Draw of start d3d12::DrawInstanced { command_list: CommandListId, } }
view! { struct IndexedDraw of start d3d12::DrawIndexedInstanced { command_list: CommandListId, } }
view! { struct Dispatch of start d3d12::Dispatch { command_list: CommandListId, } }
view! { struct Indirect of start d3d12::ExecuteIndirect { command_list: CommandListId, } }
view! { struct BufferCopy of start d3d12::CopyBufferRegion { command_list: CommandListId, num_bytes: u64, } }
view! { struct ResourceCopy of start d3d12::CopyResource { command_list: CommandListId, dst_resource: ResourceId, } }
view! {
    struct TextureCopy of start d3d12::CopyTextureRegion {
        command_list: CommandListId,
        dst_pitch_bytes: u32 = dst.row_pitch_bytes,
        dst_height: u32 = dst.height,
        dst_depth: u32 = dst.depth,
        src_pitch_bytes: u32 = src.row_pitch_bytes,
        src_height: u32 = src.height,
        src_depth: u32 = src.depth,
    }
}

impl TextureCopy {
    /// Bytes of the copy's footprint in a buffer; 0 for a copy between textures.
    fn bytes(&self) -> u64 {
        let bytes = |pitch: u32, height: u32, depth: u32| {
            u64::from(pitch).saturating_mul(height.into()).saturating_mul(depth.into())
        };
        let dst = bytes(self.dst_pitch_bytes, self.dst_height, self.dst_depth);
        dst.max(bytes(self.src_pitch_bytes, self.src_height, self.src_depth))
    }
}

/// Adds the creations and releases of objects to a reader.
macro_rules! objects {
    ($reader:ident; $(
        $kind:expr, $Id:ident: [$($Created:ident $Create:ident),*], $Released:ident $Release:ident $field:ident;
    )*) => { $(
        $(
            view! { struct $Created of stop d3d12::$Create { hr: HResultCode, object: $Id = output, } }
            $reader.each(|created: $Created| {
                (created.hr == HResultCode::S_OK).then_some(ClientEvent::Created($kind, created.object.0))
            })?;
        )*
        view! { struct $Released of start d3d12::$Release { object: $Id = $field, } }
        $reader.each(|released: $Released| Some(ClientEvent::Released($kind, released.object.0)))?;
    )* };
}

fn read_objects(reader: &mut EventReader<'_, ClientEvent>) -> Result<(), AnalyzeError> {
    objects! { reader;
        DEVICE, DeviceId: [CreatedDevice CreateDevice], ReleasedDevice ReleaseDevice device;
        "heap", HeapId: [CreatedHeap CreateHeap], ReleasedHeap ReleaseHeap heap;
        "resource", ResourceId: [
            CreatedCommitted CreateCommittedResource, CreatedPlaced CreatePlacedResource,
            CreatedReserved CreateReservedResource
        ], ReleasedResource ReleaseResource resource;
        "command queue", CommandQueueId:
            [CreatedQueue CreateCommandQueue], ReleasedQueue ReleaseCommandQueue command_queue;
        "command allocator", CommandAllocatorId:
            [CreatedAllocator CreateCommandAllocator], ReleasedAllocator ReleaseCommandAllocator command_allocator;
        "command list", CommandListId:
            [CreatedList CreateCommandList], ReleasedList ReleaseCommandList command_list;
        "pipeline state", PipelineStateId: [
            CreatedGraphics CreateOpaqueGraphicsPipelineState, CreatedCompute CreateOpaqueComputePipelineState
        ], ReleasedPipeline ReleasePipelineState pipeline_state;
        "root signature", RootSignatureId:
            [CreatedSignature CreateRootSignature], ReleasedSignature ReleaseRootSignature root_signature;
        "descriptor heap", DescriptorHeapId:
            [CreatedDescriptors CreateDescriptorHeap], ReleasedDescriptors ReleaseDescriptorHeap descriptor_heap;
        "query heap", QueryHeapId:
            [CreatedQueries CreateQueryHeap], ReleasedQueries ReleaseQueryHeap query_heap;
        "command signature", CommandSignatureId:
            [CreatedCommand CreateCommandSignature], ReleasedCommand ReleaseCommandSignature command_signature;
        "fence", FenceId: [CreatedFence CreateFence], ReleasedFence ReleaseFence fence;
    }
    Ok(())
}

/// A reader of the report's events.
pub(super) fn events(source: &Source) -> Result<EventReader<'_, ClientEvent>, AnalyzeError> {
    let mut reader = EventReader::new(source);
    read_objects(&mut reader)?;
    let command = |list, command| Some(ClientEvent::Command(list, command));
    reader.each(move |Draw { command_list }| command(command_list, Command::Draw))?;
    reader.each(move |IndexedDraw { command_list }| command(command_list, Command::Draw))?;
    reader.each(move |Dispatch { command_list }| command(command_list, Command::Dispatch))?;
    reader.each(move |Indirect { command_list }| command(command_list, Command::Indirect))?;
    reader.each(move |BufferCopy { command_list, num_bytes }| {
        command(command_list, Command::Copy { bytes: num_bytes })
    })?;
    reader.each(move |ResourceCopy { command_list, dst_resource }| {
        command(command_list, Command::CopyOf(dst_resource))
    })?;
    reader.each(move |copy: TextureCopy| command(copy.command_list, Command::Copy { bytes: copy.bytes() }))?;
    reader.each(|bundle| Some(ClientEvent::Bundle(bundle)))?;
    reader.each(|Reset { command_list }| Some(ClientEvent::Reset(command_list)))?;
    reader.each(|Submission { command_lists }| Some(ClientEvent::Submitted(command_lists)))?;
    reader.each(|named| Some(ClientEvent::Named(named)))?;
    reader.each(|Map { resource }| Some(ClientEvent::Mapped(resource)))?;
    reader.each(|unmapped| Some(ClientEvent::Unmapped(unmapped)))?;
    reader.each(|query| Some(ClientEvent::Queried(query)))?;
    reader.each(|unsupported| Some(ClientEvent::Unsupported(unsupported)))?;
    reader.each(|call| Some(ClientEvent::CalledAfterRelease(call)))?;
    Ok(reader)
}
