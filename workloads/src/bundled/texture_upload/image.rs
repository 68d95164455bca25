//! Uploaded images: extents, format, and the rectangle that is written.

use crate::bundled::{Parameters, WorkloadError};
use taut_schemas::ResourceDesc;
use taut_schemas::format::{Format, FormatInfo};
use taut_tiling::Rect;

/// Formats that can be selected, by the names of dxgiformat.h: 8 to 128 bits, and block-compressed.
pub(super) const FORMATS: &[&str] =
    &["R8G8B8A8_UNORM", "R8_UNORM", "R8G8_UNORM", "R16G16B16A16_FLOAT", "R32G32B32A32_FLOAT", "BC1_UNORM", "BC7_UNORM"];

/// Scenes whose images can be selected.
pub(super) const SCENES: &[&str] =
    &["none", "FlightHelmet", "AbandonedWarehouse", "Sponza01", "SpaceModule", "Bonza4X", "ABeautifulGame"];

/// Scene, width and height in texels, and number of images; only images with published files and a known size, as in
/// testdata/README.md.
const SCENE_IMAGES: &[(&str, u32, u32, usize)] = &[
    ("FlightHelmet", 2048, 2048, 9),
    ("FlightHelmet", 1024, 1024, 3),
    ("AbandonedWarehouse", 512, 512, 6),
    ("AbandonedWarehouse", 1024, 1024, 1),
    ("Sponza01", 1024, 1024, 19),
    ("Sponza01", 2048, 2048, 3),
    ("Sponza01", 512, 512, 1),
    ("Sponza01", 256, 1024, 1),
    ("SpaceModule", 2048, 2048, 4),
    ("SpaceModule", 1024, 1024, 4),
    ("SpaceModule", 512, 512, 2),
    ("SpaceModule", 2048, 1024, 1),
    ("Bonza4X", 2048, 2048, 44),
    ("Bonza4X", 1024, 1024, 7),
    ("Bonza4X", 2048, 1024, 1),
    ("Bonza4X", 256, 256, 1),
    ("Bonza4X", 64, 64, 1),
    ("ABeautifulGame", 2048, 2048, 33),
];

/// Texture to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UploadImage {
    /// Width in texels, a multiple of the block width.
    pub width: u32,
    /// Height in texels, a multiple of the block height.
    pub height: u32,
    pub format: Format,
    /// Written rectangle, relative to the texture's corner: x in bytes, y in rows of blocks.
    pub rect: Rect,
}

impl UploadImage {
    /// Returns the whole top level of a texture; `None` for an unknown format.
    pub fn top_level(desc: &ResourceDesc) -> Option<UploadImage> {
        let info = desc.format.info()?;
        let (unit_width, unit_height) = info.unit_texels;
        let width = u32::try_from(desc.width).ok()?.checked_next_multiple_of(unit_width)?;
        let height = desc.height.checked_next_multiple_of(unit_height)?;
        let width_bytes = u64::from(width / unit_width) * u64::from(info.unit_bits / 8);
        let rect = Rect { x_bytes: 0, y: 0, z: 0, width_bytes, rows: u64::from(height / unit_height) };
        Some(UploadImage { width, height, format: info.format, rect })
    }
}

/// Returns the images that the parameters select.
///
/// # Errors
/// The format is unknown.
pub(super) fn images(parameters: &Parameters) -> Result<Vec<UploadImage>, WorkloadError> {
    let scene = parameters.word("scene");
    let explicit =
        [(parameters.get("width") as u32, parameters.get("height") as u32, parameters.get("textures") as usize)];
    let of_scene = SCENE_IMAGES.iter().filter(|(name, ..)| *name == scene);
    let sizes: Vec<_> = match scene {
        "none" => explicit.to_vec(),
        _ => of_scene.map(|(_, width, height, count)| (*width, *height, *count)).collect(),
    };
    let format = Format::parse(parameters.word("format")).unwrap_or_default();
    let Some(info) = format.info() else {
        let call = "CreateTexture2D";
        return Err(WorkloadError::CallFailed { call, hr: taut_schemas::HResultCode::E_INVALIDARG });
    };
    let each = |(width, height, count)| std::iter::repeat_n(image(parameters, info, width, height), count);
    Ok(sizes.into_iter().flat_map(each).collect())
}

/// Returns an image of this extent, rounded up to whole blocks, with the part of the rectangle inside it, at least one
/// block.
fn image(parameters: &Parameters, info: &FormatInfo, width: u32, height: u32) -> UploadImage {
    let (unit_width, unit_height) = info.unit_texels;
    let (width, height) = (width.next_multiple_of(unit_width), height.next_multiple_of(unit_height));
    let side = |start: &str, length: &str, extent: u32, unit: u32| {
        let extent = u64::from(extent / unit);
        let start = (parameters.get(start) / u64::from(unit)).min(extent - 1);
        match parameters.get(length).div_ceil(unit.into()) {
            0 => (start, extent - start),
            length => (start, length.min(extent - start)),
        }
    };
    let (x, columns) = side("rect_x", "rect_width", width, unit_width);
    let (y, rows) = side("rect_y", "rect_height", height, unit_height);
    let unit_bytes = u64::from(info.unit_bits / 8);
    let rect = Rect { x_bytes: x * unit_bytes, y, z: 0, width_bytes: columns * unit_bytes, rows };
    UploadImage { width, height, format: info.format, rect }
}
