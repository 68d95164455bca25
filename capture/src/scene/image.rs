//! The images of a scene, as textures.

use super::document::Document;
use super::error::Fault;
use super::extent::extent;
use super::source::{self, Source};
use gltf::json::texture::Texture;
use gltf::json::{Index, Root};
use std::path::Path;
use taut_schemas::format::Format;

/// D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION.
const MOST_TEXELS: u64 = 16384;

/// Why an image becomes no texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFault {
    /// Its file is not there.
    Missing,
    /// Its width and height cannot be told from its first bytes.
    UnknownFormat,
    /// No texture can have its width and height.
    Extent,
}

/// An image of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Its name in the scene, or its number.
    pub name: String,
    /// The texture's format: four channels of 8 bits, as PNG and JPEG decode to. glTF 2.0, 3.9.2 and 3.9.3: base colour
    /// and emissive textures are encoded by sRGB's transfer function, all others are linear.
    pub format: Format,
    /// Width and height in texels, each from 1 to 16384, or why there is no texture.
    pub extent: Result<(u64, u32), ImageFault>,
}

/// The scene's images.
///
/// # Errors
/// A texture or an image refers to something that is not there.
pub(super) fn images(document: &Document, folder: &Path) -> Result<Vec<Image>, Fault> {
    let root = &document.root;
    let srgb = srgb_images(root)?;
    let mut images = Vec::with_capacity(root.images.len());
    for (index, image) in root.images.iter().enumerate() {
        if let Some(view) = image.buffer_view.filter(|view| root.buffer_views.get(view.value()).is_none()) {
            let path = format!("images[{index}].bufferView");
            return Err(Fault::no_such(path, "buffer views", root.buffer_views.len(), view.value()));
        }
        images.push(Image {
            name: image.name.clone().unwrap_or_else(|| format!("image {index}")),
            format: if srgb[index] { Format::R8G8B8A8_UNORM_SRGB } else { Format::R8G8B8A8_UNORM },
            extent: texture_extent(source::open(document, folder, image)),
        });
    }
    Ok(images)
}

fn texture_extent(source: Option<Source>) -> Result<(u64, u32), ImageFault> {
    let extent = match source.ok_or(ImageFault::Missing)? {
        Source::File(file) => extent(file),
        Source::Memory(bytes) => extent(bytes),
    };
    let (width, height) = extent.ok_or(ImageFault::UnknownFormat)?;
    let texels = 1..=MOST_TEXELS;
    match u32::try_from(height) {
        Ok(lines) if texels.contains(&width) && texels.contains(&height) => Ok((width, lines)),
        _ => Err(ImageFault::Extent),
    }
}

/// Which images hold colours encoded by sRGB's transfer function.
fn srgb_images(root: &Root) -> Result<Vec<bool>, Fault> {
    let mut srgb = vec![false; root.images.len()];
    for (index, texture) in root.textures.iter().enumerate() {
        let image = texture.source.value();
        // A texture that has its image in an extension has the greatest number there is.
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
