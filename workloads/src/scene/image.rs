//! Conversion of a scene's images to textures.

use super::document::Document;
use super::error::Fault;
use super::extent::extent;
use super::source::{self, Source};
use super::texels::{TexelFormat, texels};
use gltf::json::texture::Texture;
use gltf::json::{Index, Root};
use std::io::{BufRead, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use taut_schemas::format::Format;
use taut_schemas::{Dimension, ResourceDesc};

/// D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION.
const MAX_SIDE: u64 = 16384;
/// D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION and D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION.
const MAX_VOLUME_SIDE: u64 = 2048;
/// Number of bytes that are read for the header of a DDS or KTX file, more than it can have.
const HEAD_BYTES: u64 = 160;

/// Reason why an image has no texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFault {
    /// The image's file does not exist.
    Missing,
    /// The first bytes do not reveal width and height.
    UnknownFormat,
    /// Width or height exceed the maximum of textures.
    Extent,
}

/// Origin of a texture's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// A loader decodes the image (PNG, JPEG) to four 8-bit channels.
    Decoded,
    /// The file contains texels of this format.
    Declared,
    /// The file contains texels in a format that Direct3D lacks: counted as decoded to four 8-bit channels.
    Foreign,
    /// The file does not specify its format: counted as four 8-bit channels.
    Unknown,
}

/// Image of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Name in the scene, or number.
    pub name: String,
    /// Origin of the texture's format.
    pub format: ImageFormat,
    /// Description of the texture, or the reason why there is none.
    pub texture: Result<ResourceDesc, ImageFault>,
    /// Path to the first node that uses it: names from the scene's root on, joined by `/`.
    pub used_from: Option<Arc<str>>,
}

/// Converts the scene's images.
///
/// # Errors
/// A texture or an image refers to a missing element.
pub(super) fn images(document: &Document, folder: &Path) -> Result<Vec<Image>, Fault> {
    let root = &document.root;
    let srgb = srgb_images(root)?;
    let mut images = Vec::with_capacity(root.images.len());
    for (index, image) in root.images.iter().enumerate() {
        if let Some(view) = image.buffer_view.filter(|view| root.buffer_views.get(view.value()).is_none()) {
            let path = format!("images[{index}].bufferView");
            return Err(Fault::no_such(path, "buffer views", root.buffer_views.len(), view.value()));
        }
        // glTF 2.0, 3.9.2 and 3.9.3: base colour and emissive textures use sRGB's transfer function, all others are
        // linear. A file that contains texels specifies its own format.
        let decoded = if srgb[index] { Format::R8G8B8A8_UNORM_SRGB } else { Format::R8G8B8A8_UNORM };
        let (format, texture) = texture(source::open(document, folder, image), decoded);
        let name = image.name.clone().unwrap_or_else(|| format!("image {index}"));
        images.push(Image { name, format, texture, used_from: None });
    }
    Ok(images)
}

/// Returns the texture of an image; `decoded` is the format of images that a loader decodes.
fn texture(source: Option<Source>, decoded: Format) -> (ImageFormat, Result<ResourceDesc, ImageFault>) {
    match source {
        None => (ImageFormat::Unknown, Err(ImageFault::Missing)),
        Some(Source::File(file)) => texture_of(file, decoded),
        Some(Source::Memory(bytes)) => texture_of(bytes, decoded),
    }
}

fn texture_of<R: BufRead + Seek>(mut reader: R, decoded: Format) -> (ImageFormat, Result<ResourceDesc, ImageFault>) {
    let mut head = Vec::new();
    let read = reader.by_ref().take(HEAD_BYTES).read_to_end(&mut head).and_then(|_| reader.seek(SeekFrom::Start(0)));
    let found = read.ok().and_then(|_| texels(&head));
    let Some(found) = found else {
        let Some((width, height)) = extent(reader) else {
            return (ImageFormat::Unknown, Err(ImageFault::UnknownFormat));
        };
        // 0 mip levels mean the full chain, which loaders generate.
        return (ImageFormat::Decoded, described((width, height), 1, 1, 0, decoded));
    };
    let (kind, format) = match found.format {
        TexelFormat::Known(format) => (ImageFormat::Declared, format),
        TexelFormat::Foreign => (ImageFormat::Foreign, decoded),
        TexelFormat::Unknown => (ImageFormat::Unknown, decoded),
    };
    (kind, described((found.width, found.height), found.depth, found.array_size, found.mip_levels, format))
}

/// Returns the description of a texture with these extents, if they are valid.
fn described(
    (width, height): (u64, u64),
    depth: u64,
    array_size: u64,
    mip_levels: u32,
    format: Format,
) -> Result<ResourceDesc, ImageFault> {
    let max = if depth > 1 { MAX_VOLUME_SIDE } else { MAX_SIDE };
    let fits = |extent: u64, max: u64| (1..=max).contains(&extent);
    // Number of levels until the longest side is 1.
    let full_chain = u64::from(width.max(height).max(depth).max(1).ilog2()) + 1;
    let layers = if depth > 1 { depth } else { array_size };
    let is_volume_array = depth > 1 && array_size > 1;
    if !fits(width, max) || !fits(height, max) || !fits(layers, MAX_VOLUME_SIDE) || is_volume_array {
        return Err(ImageFault::Extent);
    }
    let levels = u64::from(mip_levels).min(full_chain);
    let narrow = |value: u64| u32::try_from(value).map_err(|_| ImageFault::Extent);
    let narrower = |value: u64| u16::try_from(value).map_err(|_| ImageFault::Extent);
    Ok(ResourceDesc {
        dimension: if depth > 1 { Dimension::TEXTURE3D } else { Dimension::TEXTURE2D },
        width,
        height: narrow(height)?,
        depth_or_array_size: narrower(layers)?,
        mip_levels: narrower(levels)?,
        format,
        sample_count: 1,
        ..ResourceDesc::default()
    })
}

/// Returns true for each image whose colours use sRGB's transfer function.
fn srgb_images(root: &Root) -> Result<Vec<bool>, Fault> {
    let mut srgb = vec![false; root.images.len()];
    for (index, texture) in root.textures.iter().enumerate() {
        let image = texture.source.value();
        // For a texture whose image is in an extension, the parser sets the maximum index.
        if image != u32::MAX as usize && image >= root.images.len() {
            let path = format!("textures[{index}].source");
            return Err(Fault::no_such(path, "images", root.images.len(), image));
        }
    }
    let mut mark = |path: String, texture: Index<Texture>| {
        let Some(texture) = root.textures.get(texture.value()) else {
            return Err(Fault::no_such(path, "textures", root.textures.len(), texture.value()));
        };
        if let Some(image) = srgb.get_mut(texture.source.value()) {
            *image = true;
        }
        Ok(())
    };
    for (index, material) in root.materials.iter().enumerate() {
        if let Some(base_color) = &material.pbr_metallic_roughness.base_color_texture {
            mark(format!("materials[{index}].pbrMetallicRoughness.baseColorTexture.index"), base_color.index)?;
        }
        if let Some(emissive) = &material.emissive_texture {
            mark(format!("materials[{index}].emissiveTexture.index"), emissive.index)?;
        }
    }
    Ok(srgb)
}
