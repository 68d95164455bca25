//! CheckFeatureSupport: the runtime answers features of the driver's profile; constants that claim no support beyond the
//! simulation answer the others.

use super::format_support;
use super::hold::DeviceHold;
use crate::unsafe_abi::{FeatureLevels, Out};
use taut_schemas::{Bytes, Feature, HResult, HResultCode, d3d12};

const FEATURE_LEVELS: u32 = 2;
const FORMAT_SUPPORT: u32 = 3;
const MULTISAMPLE_QUALITY_LEVELS: u32 = 4;
const FORMAT_INFO: u32 = 5;
const GPU_VIRTUAL_ADDRESS_SUPPORT: u32 = 6;
const SHADER_MODEL: u32 = 7;
const COMMAND_QUEUE_PRIORITY: u32 = 20;
const ROOT_SIGNATURE: u32 = 12;
const ARCHITECTURE1: u32 = 16;
const OPTIONS3: u32 = 21;

/// D3D12_COMMAND_LIST_SUPPORT_FLAGS of WriteBufferImmediate: direct, bundle, compute, copy.
const LISTS_WITH_IMMEDIATE_WRITES: u32 = 0x1 | 0x2 | 0x4 | 0x8;

/// D3D_FEATURE_LEVEL_1_0_CORE, 11_0, 11_1, 12_0, 12_1, 12_2: the levels of Direct3D 12.
const LEVELS: [u32; 6] = [0x1000, 0xb000, 0xb100, 0xc000, 0xc100, 0xc200];

/// D3D_FEATURE_LEVEL_12_0: higher levels need features that no driver model has.
const MAX_FEATURE_LEVEL: u32 = 0xc000;

/// Checks MinimumFeatureLevel of D3D12CreateDevice. The runtime checks it against the driver's highest level.
///
/// # Errors
/// E_INVALIDARG: no level of Direct3D 12. DXGI_ERROR_UNSUPPORTED: the level needs features that no driver model has.
pub fn check_minimum(level: u32) -> HResult<()> {
    if !LEVELS.contains(&level) {
        return Err(HResultCode::E_INVALIDARG);
    }
    if level > MAX_FEATURE_LEVEL { Err(HResultCode::DXGI_ERROR_UNSUPPORTED) } else { Ok(()) }
}

/// D3D_SHADER_MODEL_6_2.
const MAX_SHADER_MODEL: u32 = 0x62;

/// D3D_ROOT_SIGNATURE_VERSION_1_1.
const MAX_ROOT_SIGNATURE: u32 = 2;

/// Bits of an address: of a resource, and of a process.
const ADDRESS_BITS: [u32; 2] = [40, 47];

/// Features of which nothing is supported, with the sizes of their structures in bytes. Inputs of the structures are a
/// node, which is 0.
const UNSUPPORTED: [(u32, usize); 21] = [
    // OPTIONS1, OPTIONS2, SHADER_CACHE, EXISTING_HEAPS, SERIALIZATION, CROSS_NODE, OPTIONS5, DISPLAYABLE.
    (8, 24),
    (18, 8),
    (19, 4),
    (22, 4),
    (24, 8),
    (25, 8),
    (27, 12),
    (28, 8),
    // OPTIONS7, PROTECTED_RESOURCE_SESSION_TYPE_COUNT, OPTIONS9, OPTIONS10, OPTIONS11, OPTIONS13, OPTIONS14, OPTIONS15.
    (32, 8),
    (33, 8),
    (37, 24),
    (39, 8),
    (40, 4),
    (42, 24),
    (43, 12),
    (44, 8),
    // OPTIONS17, OPTIONS18, OPTIONS20, PREDICATION, OPTIONS21.
    (46, 8),
    (47, 4),
    (49, 8),
    (50, 4),
    (53, 16),
];

/// D3D12_COMMAND_QUEUE_PRIORITY_NORMAL, the only priority that makes no difference.
const NORMAL_PRIORITY: u32 = 0;

/// Max size of a structure, in bytes.
const MAX_BYTES: u32 = 4096;

/// ID3D12Device::CheckFeatureSupport.
///
/// # Errors
/// E_INVALIDARG: NULL, a structure of another size, or an unknown feature.
pub fn check(device: &DeviceHold, feature: u32, data: Out<u8>, size: u32) -> HResult<()> {
    if data.is_null() || size == 0 || size > MAX_BYTES {
        return Err(HResultCode::E_INVALIDARG);
    }
    let is_modelled = Feature::NAMES.iter().any(|(known, _)| *known == feature);
    if is_modelled {
        let answer = modelled(device, Feature(feature), data.list(size as usize).unwrap_or_default())?;
        data.set_list(answer.get(..size as usize).unwrap_or(&answer));
        return Ok(());
    }
    if feature == FEATURE_LEVELS {
        return feature_level(data, size);
    }
    let words: Out<u32> = data.cast();
    let input = words.list(size as usize / 4).unwrap_or_default();
    let answer = match (feature, input.as_slice()) {
        (FORMAT_SUPPORT, &[format, _, _]) => {
            let [first, second] = format_support::of(format).ok_or(HResultCode::E_FAIL)?;
            vec![format, first, second]
        }
        (MULTISAMPLE_QUALITY_LEVELS, &[format, count, flags, _]) => {
            vec![format, count, flags, format_support::quality_levels(format, count)]
        }
        (OPTIONS3, &[_, _, _, _, _]) => vec![0, 0, LISTS_WITH_IMMEDIATE_WRITES, 0, 0],
        (FORMAT_INFO, &[format, _]) => vec![format, format_support::planes(format).ok_or(HResultCode::E_INVALIDARG)?],
        (GPU_VIRTUAL_ADDRESS_SUPPORT, &[_, _]) => ADDRESS_BITS.to_vec(),
        (SHADER_MODEL, &[model]) => vec![model.min(MAX_SHADER_MODEL)],
        (ROOT_SIGNATURE, &[version]) => vec![version.min(MAX_ROOT_SIGNATURE)],
        (COMMAND_QUEUE_PRIORITY, &[list_type, priority, _]) => {
            vec![list_type, priority, u32::from(priority == NORMAL_PRIORITY)]
        }
        (ARCHITECTURE1, &[0, _, _, _, _]) => architecture(device).into_iter().chain([0]).collect(),
        _ if UNSUPPORTED.contains(&(feature, size as usize)) => vec![0; input.len()],
        _ => return Err(HResultCode::E_INVALIDARG),
    };
    words.set_list(&answer);
    Ok(())
}

/// Answer of the runtime.
fn modelled(device: &DeviceHold, feature: Feature, data: Vec<u8>) -> HResult<Vec<u8>> {
    let check = d3d12::CheckFeatureSupport { device: device.id, feature, data: Bytes(data) };
    device.world.call(check).map(|data| data.0)
}

/// The highest of the feature levels that the client names.
fn feature_level(data: Out<u8>, size: u32) -> HResult<()> {
    let data: Out<FeatureLevels> = data.cast();
    let mut levels = (size as usize == size_of::<FeatureLevels>())
        .then(|| data.list(1))
        .flatten()
        .and_then(|levels| levels.first().copied())
        .ok_or(HResultCode::E_INVALIDARG)?;
    let requested = levels.requested.list(levels.count as usize).ok_or(HResultCode::E_INVALIDARG)?;
    let max = requested.into_iter().filter(|level| *level <= MAX_FEATURE_LEVEL).max();
    levels.max = max.ok_or(HResultCode::E_INVALIDARG)?;
    data.set(levels);
    Ok(())
}

/// D3D12_FEATURE_DATA_ARCHITECTURE of node 0: node, tile-based renderer, UMA, cache-coherent UMA.
fn architecture(device: &DeviceHold) -> [u32; 4] {
    *device.architecture.get_or_init(|| {
        let data = modelled(device, Feature::ARCHITECTURE, vec![0; 16]).unwrap_or_default();
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(data.chunks_exact(4)) {
            *word = bytes.try_into().map_or(0, u32::from_le_bytes);
        }
        words
    })
}
