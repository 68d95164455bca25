//! Functions of the driver model at the Direct3D 11 DDI.

use super::direct_access::DirectAccess;
use super::profile::Profile;
use taut_schemas::{
    AvailableExtensions, CopyKind, CopyOutcome, CpuAddress, D3d11DdiResourceDesc, D3d11ResourceLayout, Dimension,
    HResult, HResultCode, SharedMapData, TileFormat, Usage, d3d11_ddi,
};

/// Row pitch alignment of linear textures in bytes, as of most adapters.
const LINEAR_PITCH_BYTES: u64 = 64;

/// Implements GetExtensions.
pub(crate) fn extensions(profile: &Profile) -> AvailableExtensions {
    AvailableExtensions { direct_access: profile.direct_access.is_some() }
}

/// Implements CreateResource: direct access for one mip level of one 2D texture if the driver has the extension; a
/// linear layout for any other resource.
pub(crate) fn create(profile: &Profile, call: &d3d11_ddi::CreateResource) -> HResult<D3d11ResourceLayout> {
    if !call.direct_access {
        return linear(&call.desc);
    }
    let extension = profile.direct_access.as_ref().ok_or(HResultCode::DXGI_ERROR_UNSUPPORTED)?;
    let desc = &call.desc;
    if desc.dimension != Dimension::TEXTURE2D || desc.mip_levels != 1 || desc.array_size != 1 {
        return Err(HResultCode::E_INVALIDARG);
    }
    let layout = tiled(extension, desc)?;
    // A staging texture for direct access has the layout of its partner, and no memory (rule T-05).
    let shares = desc.usage == Usage::STAGING && !profile.faults.direct_access_staging_has_memory;
    Ok(if shares { D3d11ResourceLayout { size_bytes: 0, ..layout } } else { layout })
}

/// Implements ResourceCopy: a pair created for direct access is bound instead of copied.
pub(crate) fn copy(profile: &Profile, call: &d3d11_ddi::ResourceCopy) -> CopyOutcome {
    let binds = call.direct_access_pair && !profile.faults.copies_direct_access_pairs;
    CopyOutcome { kind: if binds { CopyKind::BOUND } else { CopyKind::COPIED } }
}

/// Implements StagingResourceMap: returns the stored layout at the base address of the call.
pub(crate) fn map(profile: &Profile, call: &d3d11_ddi::StagingResourceMap) -> SharedMapData {
    let driver_data = &call.driver_data;
    let is_bound = call.memory != call.resource;
    let astray = profile.faults.direct_access_map_offset_bytes.filter(|_| is_bound).unwrap_or(0);
    SharedMapData {
        base_address: CpuAddress(call.base_address.0.wrapping_add(astray)),
        tile_format: driver_data.tile_format,
        pitch_bytes: driver_data.pitch_bytes,
        x_offset_bytes: driver_data.x_offset_bytes,
        y_offset_rows: driver_data.y_offset_rows,
        size_bytes: driver_data.size_bytes,
    }
}

/// Returns bytes per row and rows of a mip level, in units of the format.
fn extents(desc: &D3d11DdiResourceDesc, level: u32) -> HResult<(u64, u64)> {
    let halve = |extent: u32| extent.checked_shr(level).unwrap_or(0).max(1);
    if desc.dimension == Dimension::BUFFER {
        return Ok((desc.width.into(), 1));
    }
    let info = desc.format.info().ok_or(HResultCode::E_INVALIDARG)?;
    let units_wide = halve(desc.width).div_ceil(info.unit_texels.0);
    let rows = halve(desc.height).div_ceil(info.unit_texels.1);
    Ok((u64::from(units_wide) * u64::from(info.unit_bits / 8), rows.into()))
}

fn linear(desc: &D3d11DdiResourceDesc) -> HResult<D3d11ResourceLayout> {
    let mut size_bytes = 0_u64;
    for level in 0..desc.mip_levels.max(1) {
        let (width_bytes, rows) = extents(desc, level)?;
        size_bytes = size_bytes.saturating_add(width_bytes.next_multiple_of(LINEAR_PITCH_BYTES).saturating_mul(rows));
    }
    let pitch_bytes = u32::try_from(extents(desc, 0)?.0.next_multiple_of(LINEAR_PITCH_BYTES));
    Ok(D3d11ResourceLayout {
        size_bytes: size_bytes.saturating_mul(desc.array_size.max(1).into()),
        pitch_bytes: pitch_bytes.map_err(|_| HResultCode::E_OUTOFMEMORY)?,
        tile_format: TileFormat::LINEAR,
        ..Default::default()
    })
}

fn tiled(extension: &DirectAccess, desc: &D3d11DdiResourceDesc) -> HResult<D3d11ResourceLayout> {
    let (width_bytes, rows) = extents(desc, 0)?;
    let format = extension.tile_format;
    // A pitch alignment of 0 in the profile means the tile's width.
    let unit = u64::from(extension.pitch_alignment_bytes.max(format.tile_width_bytes()));
    let pitch_bytes = (width_bytes + u64::from(extension.x_offset_bytes)).next_multiple_of(unit);
    let rows = (rows + u64::from(extension.y_offset_rows)).next_multiple_of(format.tile_rows().into());
    Ok(D3d11ResourceLayout {
        size_bytes: pitch_bytes * rows,
        pitch_bytes: u32::try_from(pitch_bytes).map_err(|_| HResultCode::E_OUTOFMEMORY)?,
        tile_format: format.code(),
        x_offset_bytes: extension.x_offset_bytes,
        y_offset_rows: extension.y_offset_rows,
    })
}
