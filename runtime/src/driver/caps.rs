//! Capabilities of a driver: keys of its profile, data of its GetCaps answers, and their decoding by the runtime.

use serde::{Deserialize, Serialize};
use taut_schemas::DdiCapsType;

macro_rules! caps {
    ($( $(#[doc = $doc:literal])+ $key:ident: $ty:ident = $default:expr, $caps_type:ident; )*) => {
        /// Capabilities of a driver, one member per line, in the order of the GetCaps data.
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

            /// Encodes the GetCaps data for one caps type: the members of that type, a u32 each.
            pub(crate) fn encode(&self, caps_type: DdiCapsType) -> Vec<u8> {
                let mut data = Vec::new();
                $( if caps_type == DdiCapsType::$caps_type {
                    data.extend_from_slice(&u32::from(self.$key).to_le_bytes());
                } )*
                data
            }

            /// Returns every member as a word, in the order of the lines. Appended members are left out at their
            /// defaults, so that the states of drivers without them stay the same.
            pub(crate) fn words(&self) -> Vec<u32> {
                let of = |caps: &Caps| vec![$( u32::from(caps.$key) ),*];
                let (mut words, defaults) = (of(self), of(&Caps::default()));
                while words.len() > FIRST_MEMBERS && words.last() == defaults.get(words.len() - 1) {
                    words.pop();
                }
                words
            }

            /// Decodes the words of [`Caps::words`]. `None` if their number is wrong.
            pub(crate) fn from_words(words: &[u32]) -> Option<Self> {
                if !(FIRST_MEMBERS..=Caps::KEYS.len()).contains(&words.len()) {
                    return None;
                }
                let mut words = words.iter();
                Some(Caps {
                    $( $key: match words.next() {
                        Some(word) => { let word = *word; caps!(@read $ty word) }
                        None => $default,
                    }, )*
                })
            }

            /// Decodes the GetCaps data for one caps type. False if its size is wrong.
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
                // Longer data is an error as well: GetCaps is called with the exact size.
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
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS: viewport and render-target array index without geometry-shader emulation.
    vp_and_rt_array_index_without_gs: bool = true, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS::ResourceHeapTier.
    resource_heap_tier: u32 = 2, D3D12_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS6::BackgroundProcessingSupported; the DDI reports it among the first options.
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
    /// VidMm may use large pages for the adapter (rule A-12).
    large_page_support: bool = false, MEMORY_ARCHITECTURE;
    /// Large page size in bytes; 0 without [`Caps::large_page_support`].
    large_page_size_bytes: u32 = 0, MEMORY_ARCHITECTURE;
    /// D3D12_FEATURE_DATA_ARCHITECTURE::TileBasedRenderer.
    tile_based_renderer: bool = false, ARCHITECTURE_INFO;
    /// Maximum D3D_FEATURE_LEVEL.
    max_feature_level: u32 = 0xc200, ARCHITECTURE_INFO;
    /// D3D12DDI_TIGHT_ALIGNMENT_TIER.
    tight_alignment_tier: u32 = 0, TIGHT_ALIGNMENT_TIER_0111;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS8::UnalignedBlockTexturesSupported.
    unaligned_block_textures: bool = true, LATER_OPTIONS;
    /// D3D12_FEATURE_DATA_D3D12_OPTIONS12::EnhancedBarriersSupported.
    enhanced_barriers: bool = true, LATER_OPTIONS;
}

/// Number of members that the first rundown records have; those after them were appended.
const FIRST_MEMBERS: usize = Caps::KEYS.len() - 2;

impl Caps {
    /// True if a member of [`DdiCapsType::LATER_OPTIONS`] is not at its default, which a driver announces.
    pub(crate) fn has_later_options(&self) -> bool {
        let later = DdiCapsType::LATER_OPTIONS;
        self.encode(later) != Caps::default().encode(later)
    }
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

    #[test]
    fn states_of_drivers_without_appended_caps_keep_their_size() {
        let first = Caps { resource_heap_tier: 1, ..Caps::default() };
        assert_eq!(first.words().len(), FIRST_MEMBERS);
        for caps in [
            first.clone(),
            Caps { unaligned_block_textures: false, ..first.clone() },
            Caps { enhanced_barriers: false, ..first },
        ] {
            assert_eq!(Caps::from_words(&caps.words()), Some(caps));
        }
        assert_eq!(Caps::from_words(&[0; FIRST_MEMBERS - 1]), None);
        assert_eq!(Caps::from_words(&[0; Caps::KEYS.len() + 1]), None);
    }
}
