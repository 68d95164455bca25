//! What a driver says it can do: keys of its profile, data of its GetCaps answers, and what the runtime makes of them.

use serde::{Deserialize, Serialize};
use taut_schemas::DdiCapsType;

macro_rules! caps {
    ($( $(#[doc = $doc:literal])+ $key:ident: $ty:ident = $default:expr, $caps_type:ident; )*) => {
        /// What a driver supports, one member per line, in the order of the answers to GetCaps.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Caps { $( $(#[doc = $doc])+ pub $key: $ty, )* }

        impl Default for Caps {
            fn default() -> Self {
                Caps { $( $key: $default, )* }
            }
        }

        impl Caps {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];

            /// The answer to GetCaps for one caps type: the members that belong to it, a u32 each.
            pub(crate) fn encode(&self, caps_type: DdiCapsType) -> Vec<u8> {
                let mut data = Vec::new();
                $( if caps_type == DdiCapsType::$caps_type {
                    data.extend_from_slice(&u32::from(self.$key).to_le_bytes());
                } )*
                data
            }

            /// Every member, a word each, in the order of the lines.
            pub(crate) fn words(&self) -> Vec<u32> {
                vec![$( u32::from(self.$key) ),*]
            }

            /// Reads them. None if there is another number of them.
            pub(crate) fn of_words(words: &[u32]) -> Option<Self> {
                let mut words = words.iter();
                let caps = Caps { $( $key: { let word = *words.next()?; caps!(@read $ty word) }, )* };
                words.next().is_none().then_some(caps)
            }

            /// Reads such an answer. False if it has not the size it should have.
            pub(crate) fn decode(&mut self, caps_type: DdiCapsType, data: &[u8]) -> bool {
                let mut words = data.chunks_exact(4).map(|word| match *word {
                    [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                    _ => 0,
                });
                $( if caps_type == DdiCapsType::$caps_type {
                    match words.next() {
                        Some(word) => self.$key = caps!(@read $ty word),
                        None => return false,
                    }
                } )*
                words.next().is_none() && data.len() % 4 == 0
            }
        }
    };
    (@read bool $word:ident) => { $word != 0 };
    (@read u32 $word:ident) => { $word };
}

caps! {
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::DoublePrecisionFloatShaderOps.
    double_precision_float_shader_ops: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::OutputMergerLogicOp.
    output_merger_logic_op: bool = true, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::MinPrecisionSupport, bits.
    min_precision_support: u32 = 0, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::TiledResourcesTier.
    tiled_resources_tier: u32 = 3, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::ResourceBindingTier.
    resource_binding_tier: u32 = 3, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::PSSpecifiedStencilRefSupported.
    ps_specified_stencil_ref: bool = true, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::TypedUAVLoadAdditionalFormats.
    typed_uav_load_additional_formats: bool = true, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::ROVsSupported.
    rovs: bool = true, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::ConservativeRasterizationTier.
    conservative_rasterization_tier: u32 = 3, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::MaxGPUVirtualAddressBitsPerResource.
    max_gpu_virtual_address_bits_per_resource: u32 = 40, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::StandardSwizzle64KBSupported.
    standard_swizzle_64kb: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::CrossNodeSharingTier.
    cross_node_sharing_tier: u32 = 0, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::CrossAdapterRowMajorTextureSupported.
    cross_adapter_row_major_texture: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS: the member named after viewport and render-target array index without
    /// geometry-shader emulation.
    vp_and_rt_array_index_without_gs: bool = true, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::ResourceHeapTier.
    resource_heap_tier: u32 = 2, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS6::BackgroundProcessingSupported, which the DDI has among the first options.
    background_processing: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS4::MSAA64KBAlignedTextureSupported.
    msaa_64kb_aligned_textures: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS4::SharedResourceCompatibilityTier.
    shared_resource_compatibility_tier: u32 = 0, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS4::Native16BitShaderOpsSupported.
    native_16bit_shader_ops: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS16::DynamicDepthBiasSupported.
    dynamic_depth_bias: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS16::GPUUploadHeapSupported.
    gpu_upload_heaps: bool = false, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT::Support, bits.
    protected_resource_session_support: u32 = 0, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_ARCHITECTURE::UMA.
    uma: bool = false, MEMORY_ARCHITECTURE;
    /// D3D12_FEATURE_DATA_ARCHITECTURE::CacheCoherentUMA.
    cache_coherent_uma: bool = false, MEMORY_ARCHITECTURE;
    /// Whether VidMm may use large pages for the adapter (rule A-12).
    large_page_support: bool = false, MEMORY_ARCHITECTURE;
    /// Size of a large page, in bytes; 0 without [`Caps::large_page_support`].
    large_page_size_bytes: u32 = 0, MEMORY_ARCHITECTURE;
    /// D3D12_FEATURE_DATA_ARCHITECTURE::TileBasedRenderer.
    tile_based_renderer: bool = false, ARCHITECTURE_INFO;
    /// Greatest D3D_FEATURE_LEVEL.
    max_feature_level: u32 = 0xc200, ARCHITECTURE_INFO;
    /// D3D12DDI_TIGHT_ALIGNMENT_TIER.
    tight_alignment_tier: u32 = 0, TIGHT_ALIGNMENT_TIER_0111;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_survive_get_caps() {
        let caps = Caps {
            uma: true,
            max_gpu_virtual_address_bits_per_resource: 44,
            tight_alignment_tier: 1,
            large_page_size_bytes: 2 << 20,
            ..Caps::default()
        };
        let mut back = Caps::default();
        for (caps_type, name) in DdiCapsType::NAMES {
            let data = caps.encode(DdiCapsType(*caps_type));
            assert!(!data.is_empty(), "{name}");
            assert!(back.decode(DdiCapsType(*caps_type), &data), "{name}");
            assert!(!back.decode(DdiCapsType(*caps_type), &data[1..]), "{name}");
            assert!(!back.decode(DdiCapsType(*caps_type), &[data, vec![0; 4]].concat()), "{name}");
        }
        back.decode(DdiCapsType::D3D12_OPTIONS, &caps.encode(DdiCapsType::D3D12_OPTIONS));
        assert_eq!(back, caps);
    }
}
