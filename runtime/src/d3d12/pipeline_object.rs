//! Objects of pipelines whose contents the runtime does not read: root signatures, query heaps, command signatures,
//! pipeline states of opaque shaders.

use crate::context::{Context, no_such_object};
use crate::state::{DeviceState, Object, ObjectKind, Objects, PipelineState};
use std::sync::Arc;
use taut_schemas::{
    CommandSignatureId, DeviceId, HResult, HResultCode, ObjectId, OpaqueShader, PipelineStateId, QueryHeapId,
    RootSignatureId, d3d12,
};

macro_rules! objects {
    ($( $create:ident $Create:ident, $release:ident $Release:ident $field:ident: $Id:ident, $Kind:ident $name:literal; )*) => { $(
        #[doc = concat!("ID3D12Device::", stringify!($Create), ".")]
        pub(crate) fn $create(
            context: &mut Context<'_>,
            device: &mut DeviceState,
            objects: &mut dyn Objects,
            call: &d3d12::$Create,
        ) -> HResult<$Id> {
            device.open(context, call.device)?;
            check_named(context, objects, call)?;
            Ok($Id(insert(device, objects, ObjectKind::$Kind).0))
        }

        #[doc = concat!("IUnknown::Release of a ", $name, "'s last reference.")]
        pub(crate) fn $release(
            context: &mut Context<'_>,
            objects: &mut dyn Objects,
            call: &d3d12::$Release,
        ) -> HResult<()> {
            let id = ObjectId::from(call.$field);
            let is_known = objects.get(id).is_some_and(|object| matches!(object.kind, ObjectKind::$Kind));
            if !is_known || objects.remove(id).is_none() {
                return no_such_object(context, $name, id);
            }
            Ok(())
        }
    )* };
}

objects! {
    create_root_signature CreateRootSignature, release_root_signature ReleaseRootSignature
        root_signature: RootSignatureId, RootSignature "root signature";
    create_query_heap CreateQueryHeap, release_query_heap ReleaseQueryHeap
        query_heap: QueryHeapId, QueryHeap "query heap";
    create_command_signature CreateCommandSignature, release_command_signature ReleaseCommandSignature
        command_signature: CommandSignatureId, CommandSignature "command signature";
}

/// Objects that a creation names have to exist.
fn check_named<C: taut_schemas::Call>(context: &mut Context<'_>, objects: &mut dyn Objects, call: &C) -> HResult<()> {
    let mut missing = ObjectId::NULL;
    call.visit_objects(&mut |object| {
        if objects.get(object).is_none() {
            missing = object;
        }
    });
    if missing == ObjectId::NULL { Ok(()) } else { no_such_object(context, "object", missing) }
}

pub(super) fn insert(device: &mut DeviceState, objects: &mut dyn Objects, kind: ObjectKind) -> ObjectId {
    let id = device.next_object();
    objects.insert(id, Object::new(kind));
    device.count_object();
    id
}

/// ID3D12Device::CreateGraphicsPipelineState, of shaders that the runtime does not read.
pub(crate) fn create_opaque_graphics_pipeline_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateOpaqueGraphicsPipelineState,
) -> HResult<PipelineStateId> {
    check_named(context, objects, call)?;
    create(context, device, objects, OpaquePipeline { device: call.device, shaders: &call.shaders, compute: false })
}

/// ID3D12Device::CreateComputePipelineState, of a shader that the runtime does not read.
pub(crate) fn create_opaque_compute_pipeline_state(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateOpaqueComputePipelineState,
) -> HResult<PipelineStateId> {
    check_named(context, objects, call)?;
    create(context, device, objects, OpaquePipeline { device: call.device, shaders: &call.shaders, compute: true })
}

/// Pipeline state that a call creates.
struct OpaquePipeline<'s> {
    device: DeviceId,
    shaders: &'s [OpaqueShader],
    compute: bool,
}

fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    request: OpaquePipeline<'_>,
) -> HResult<PipelineStateId> {
    let OpaquePipeline { device: id, shaders, compute } = request;
    device.open(context, id)?;
    if compute && shaders.is_empty() {
        let text = format_args!("A pipeline state for dispatches needs a compute shader.");
        return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
    }
    let id = PipelineStateId(device.next_object().0);
    let pipeline = PipelineState { id, compute, constants: 0, opaque: true };
    Ok(PipelineStateId(insert(device, objects, ObjectKind::PipelineState(Arc::new(pipeline))).0))
}
