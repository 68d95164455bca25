//! Driver support for views of row-major textures that adapters share (rules C-09 and C-13).

use super::profile::Profile;
use taut_schemas::format::{Format, FormatClass};
use taut_schemas::{CrossAdapterTier, HResult, HResultCode, SCAN_OUT_FORMATS, TextureView};

/// Interface through which a view is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ViewedBy {
    /// Direct3D 11: DXGI creates the cross-adapter resource.
    Dxgi,
    /// Direct3D 12: the application creates the cross-adapter resource.
    D3d12,
}

/// Returns the driver's result of a view's creation.
pub(crate) fn create(profile: &Profile, view: TextureView, format: Format, by: ViewedBy) -> HResult<()> {
    if can(profile, view, format, by) { Ok(()) } else { Err(HResultCode::E_INVALIDARG) }
}

fn can(profile: &Profile, view: TextureView, format: Format, by: ViewedBy) -> bool {
    let faults = &profile.faults;
    let is_missed = faults.misses_a_texture_format.as_deref().and_then(Format::parse) == Some(format);
    if is_missed || (view == TextureView::UNORDERED_ACCESS && format.is_srgb()) {
        return false;
    }
    let tier =
        profile.kernel.as_ref().map_or(CrossAdapterTier::NONE, |kernel| kernel.caps().memory_management_caps.tier());
    // A view in every format exists only if the user-mode driver promises it.
    let promises = profile.caps.cross_adapter_row_major_texture && !faults.views_scan_out_formats_alone;
    let has_textures = tier >= CrossAdapterTier::TEXTURE || (by == ViewedBy::D3d12 && profile.kernel.is_none());
    has_textures && (is_for_scan_out(profile, format) || promises && is_of_textures(format))
}

fn is_for_scan_out(profile: &Profile, format: Format) -> bool {
    let own = profile.overlay.as_ref().map(|overlay| overlay.formats());
    SCAN_OUT_FORMATS.contains(&format) || own.is_some_and(|own| own.contains(&format))
}

/// True for uncompressed colour formats of one plane, whose rows consist of whole texels.
fn is_of_textures(format: Format) -> bool {
    format.info().is_some_and(|info| info.class == FormatClass::Color && info.unit_texels == (1, 1))
}
