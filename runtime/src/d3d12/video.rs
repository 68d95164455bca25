//! Video decoding: validation of the buffers that it reads and writes.

use super::floor::Bindings;
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{HResult, MessageId, d3d12};

/// ID3D12VideoDecodeCommandList1::DecodeFrame1.
pub(crate) fn decode_frame1(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::DecodeFrame1,
) -> HResult<()> {
    device.open(context, call.device)?;
    let mut bindings = Bindings::default();
    bindings.add_resources(context, objects, call)?;
    bindings.check(context, MessageId::VIDEO_DECODE_FRAME_INVALID_ARGUMENT)
}
