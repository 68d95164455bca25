//! Raytracing: validation of the buffers that command lists bind by address.

use super::floor::Bindings;
use crate::context::Context;
use crate::state::DeviceState;
use taut_schemas::{HResult, MessageId, d3d12};

/// ID3D12GraphicsCommandList4::DispatchRays.
pub(crate) fn dispatch_rays(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::DispatchRays,
) -> HResult<()> {
    device.open(context, call.device)?;
    let mut bindings = Bindings::default();
    bindings.add_addresses(device, call);
    bindings.check(context, MessageId::DISPATCH_RAYS_INVALID)
}

/// ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure.
pub(crate) fn build_raytracing_acceleration_structure(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::BuildRaytracingAccelerationStructure,
) -> HResult<()> {
    device.open(context, call.device)?;
    let mut bindings = Bindings::default();
    bindings.add_addresses(device, call);
    bindings.check(context, MessageId::BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INVALID)
}
