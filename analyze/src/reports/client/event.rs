//! Events of a program on the binary interface, merged over all threads.

use crate::error::AnalyzeError;
use crate::events::{EventReader, Source};
use crate::view;
use taut_schemas::format::Format;
use taut_schemas::{
    CommandAllocatorId, CommandListId, CommandQueueId, CommandSignatureId, CopyBox, DescriptorHeapId, DeviceId,
    FenceId, HResultCode, HeapId, MemoryRange, ObjectId, PipelineStateId, QueryHeapId, ResourceId, RootSignatureId,
    d3d12, mark,
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

/// A command of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Draw,
    Dispatch,
    /// Draws or dispatches whose number is in memory.
    Indirect,
    /// Copy of bytes between buffers.
    CopyBytes {
        dst: ResourceId,
        src: ResourceId,
        bytes: u64,
    },
    CopyTexture(TextureCopy),
    /// Copy of a whole resource.
    CopyResource {
        dst: ResourceId,
        src: ResourceId,
    },
    /// Copy of tiles.
    CopyTiles(TileCopy),
    /// Clear of a view; of the null resource if its bytes are not known.
    Clear(ResourceId),
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
view! {
    struct BufferCopy of start d3d12::CopyBufferRegion {
        command_list: CommandListId,
        dst_buffer: ResourceId,
        src_buffer: ResourceId,
        num_bytes: u64,
    }
}
/// Copies of as many bytes as their names state.
macro_rules! atomic_copies {
    ($($Copy:ident $Call:ident),*) => { $(
        view! {
            struct $Copy of start d3d12::$Call {
                command_list: CommandListId,
                dst_buffer: ResourceId,
                src_buffer: ResourceId,
            }
        }
    )* };
}
atomic_copies! { Copy32 AtomicCopyBufferUINT, Copy64 AtomicCopyBufferUINT64 }
view! {
    struct ResourceCopy of start d3d12::CopyResource {
        command_list: CommandListId,
        dst_resource: ResourceId,
        src_resource: ResourceId,
    }
}
view! {
    /// Copy of tiles of a reserved resource.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct TileCopy of start d3d12::CopyTiles {
        command_list: CommandListId,
        num_tiles: u32 = region_size.num_tiles,
        flags: u32,
    }
}
view! {
    /// A read of a subresource by the CPU.
    struct Read of start d3d12::ReadFromSubresource { resource: ResourceId, }
}
view! {
    /// Copy of a box of texels.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct TextureCopy of start d3d12::CopyTextureRegion {
        command_list: CommandListId,
        dst: ResourceId = dst.resource,
        dst_format: Format = dst.format,
        src: ResourceId = src.resource,
        src_subresource: u32 = src.subresource_index,
        src_format: Format = src.format,
        src_width: u32 = src.width,
        src_height: u32 = src.height,
        src_depth: u32 = src.depth,
        src_box: Option<CopyBox>,
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

/// Adds the clears of views to a reader.
macro_rules! clears {
    ($reader:ident; $($Clear:ident $Call:ident),*) => { $(
        view! {
            struct $Clear of start d3d12::$Call {
                command_list: CommandListId,
            } if any {
                resource: ResourceId = view.resource,
            }
        }
        // Traces of builds that executed no clear have no view.
        $reader.each(|$Clear { command_list, resource }| {
            Some(ClientEvent::Command(command_list, Command::Clear(resource.unwrap_or_default())))
        })?;
    )* };
}

fn read_clears(reader: &mut EventReader<'_, ClientEvent>) -> Result<(), AnalyzeError> {
    clears! { reader;
        TargetClear ClearRenderTargetView, DepthClear ClearDepthStencilView,
        UintClear ClearUnorderedAccessViewUint, FloatClear ClearUnorderedAccessViewFloat
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
    reader.each(move |copy: BufferCopy| {
        let BufferCopy { command_list, dst_buffer: dst, src_buffer: src, num_bytes: bytes } = copy;
        command(command_list, Command::CopyBytes { dst, src, bytes })
    })?;
    reader.each(move |Copy32 { command_list, dst_buffer: dst, src_buffer: src }| {
        command(command_list, Command::CopyBytes { dst, src, bytes: 4 })
    })?;
    reader.each(move |Copy64 { command_list, dst_buffer: dst, src_buffer: src }| {
        command(command_list, Command::CopyBytes { dst, src, bytes: 8 })
    })?;
    reader.each(move |copy: ResourceCopy| {
        command(copy.command_list, Command::CopyResource { dst: copy.dst_resource, src: copy.src_resource })
    })?;
    reader.each(move |copy: TextureCopy| command(copy.command_list, Command::CopyTexture(copy)))?;
    reader.each(move |copy: TileCopy| command(copy.command_list, Command::CopyTiles(copy)))?;
    read_clears(&mut reader)?;
    reader.each(|Read { resource }| Some(ClientEvent::Mapped(resource)))?;
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
