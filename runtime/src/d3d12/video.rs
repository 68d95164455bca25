//! Video decoding: the buffers that it reads and writes.

use super::floor::Bindings;
use super::query::resource;
use crate::context::Context;
use crate::placement::BufferUse;
use crate::state::{DeviceState, Objects};
use taut_schemas::{Dimension, HResult, MessageId, ResourceId, d3d12};

/// ID3D12VideoDecodeCommandList1::DecodeFrame1.
pub(crate) fn decode_frame1(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::DecodeFrame1,
) -> HResult<()> {
    device.open(context, call.device)?;
    let bitstream = (call.compressed_bitstream.buffer, BufferUse::VideoBitstream);
    let histograms = call.histograms.iter().map(|histogram| (histogram.buffer, BufferUse::VideoHistogram));
    let mut bindings = Bindings::default();
    for (buffer, usage) in std::iter::once(bitstream).chain(histograms) {
        if buffer != ResourceId::NULL {
            let desc = resource(context, objects, buffer)?.desc;
            if desc.dimension == Dimension::BUFFER {
                bindings.add(buffer, desc.alignment_bytes, usage);
            }
        }
    }
    bindings.check(context, MessageId::VIDEO_DECODE_FRAME_INVALID_ARGUMENT)
}
