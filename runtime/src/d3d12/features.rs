//! CheckFeatureSupport: structs of d3d12.h, filled from the driver's capabilities.

use crate::context::Context;
use crate::driver::caps::Caps;
use crate::state::DeviceState;
use taut_schemas::{Feature, FeatureData, HResult, HResultCode, d3d12};

/// ID3D12Device::CheckFeatureSupport. E_INVALIDARG for a struct of the wrong size, a node that the adapter does not
/// have, and a feature that is not simulated.
pub(crate) fn check_feature_support(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::CheckFeatureSupport,
) -> HResult<FeatureData> {
    let adapter = device.open(context, call.device)?;
    // NodeIndex is the struct's first member and an input. The adapter has one node, 0.
    let names_node = matches!(call.feature, Feature::ARCHITECTURE | Feature::PROTECTED_RESOURCE_SESSION_SUPPORT);
    if names_node && call.data.0.iter().take(4).any(|byte| *byte != 0) {
        return Err(HResultCode::E_INVALIDARG);
    }
    let words = feature_words(&adapter.caps, call.feature).ok_or(HResultCode::E_INVALIDARG)?;
    let data: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    if data.len() == call.data.0.len() { Ok(FeatureData(data)) } else { Err(HResultCode::E_INVALIDARG) }
}

/// Members of a feature's struct, in order; all are 32 bits wide.
fn feature_words(caps: &Caps, feature: Feature) -> Option<Vec<u32>> {
    let words = match feature {
        Feature::D3D12_OPTIONS => vec![
            caps.double_precision_float_shader_ops.into(),
            caps.output_merger_logic_op.into(),
            caps.min_precision_support,
            caps.tiled_resources_tier,
            caps.resource_binding_tier,
            caps.ps_specified_stencil_ref.into(),
            caps.typed_uav_load_additional_formats.into(),
            caps.rovs.into(),
            caps.conservative_rasterization_tier,
            caps.max_gpu_virtual_address_bits_per_resource,
            caps.standard_swizzle_64kb.into(),
            caps.cross_node_sharing_tier,
            caps.cross_adapter_row_major_texture.into(),
            caps.vp_and_rt_array_index_without_gs.into(),
            caps.resource_heap_tier,
        ],
        Feature::ARCHITECTURE => {
            vec![0, caps.tile_based_renderer.into(), caps.uma.into(), caps.cache_coherent_uma.into()]
        }
        Feature::PROTECTED_RESOURCE_SESSION_SUPPORT => vec![0, caps.protected_resource_session_support],
        Feature::D3D12_OPTIONS4 => vec![
            caps.msaa_64kb_aligned_textures.into(),
            caps.shared_resource_compatibility_tier,
            caps.native_16bit_shader_ops.into(),
        ],
        // Shading rates are not simulated; BackgroundProcessingSupported is the last member (rule X-24).
        Feature::D3D12_OPTIONS6 => vec![0, 0, 0, 0, caps.background_processing.into()],
        Feature::D3D12_OPTIONS8 => vec![caps.unaligned_block_textures.into()],
        // Statistics of mesh shaders are not simulated; relaxed casting of formats came with enhanced barriers.
        Feature::D3D12_OPTIONS12 => vec![0, caps.enhanced_barriers.into(), caps.enhanced_barriers.into()],
        Feature::D3D12_OPTIONS16 => vec![caps.dynamic_depth_bias.into(), caps.gpu_upload_heaps.into()],
        Feature::D3D12_TIGHT_ALIGNMENT => vec![caps.tight_alignment_tier],
        _ => return None,
    };
    Some(words)
}
