//! Materials, reduced to the state that a draw binds.

use crate::scene::error::Fault;
use gltf::json::material::{AlphaMode, Material as Declared};
use gltf::json::texture::{MagFilter, MinFilter, Sampler, Texture, WrappingMode};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};
use taut_schemas::{
    Blend, BlendDesc, BlendOp, ColorWriteEnable, CullMode, D3d11Filter, D3d11RasterizerDesc, D3d11SamplerDesc,
    FillMode, RenderTargetBlendDesc, TextureAddressMode,
};

/// Number of textures of a material without extensions: base colour, metallic and roughness, normals, occlusion,
/// emission.
pub(super) const TEXTURES: usize = 5;

/// D3D11_FILTER bits for linear minification, magnification and mip filtering.
const LINEAR_MIN: u32 = 0x10;
const LINEAR_MAG: u32 = 0x4;
const LINEAR_MIP: u32 = 0x1;

/// Texture of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextureUse {
    /// Index of the image; `None` if only an extension names it.
    pub image: Option<usize>,
    pub sampler: D3d11SamplerDesc,
}

/// Material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Material {
    pub name: String,
    pub blend: BlendDesc,
    pub rasterizer: D3d11RasterizerDesc,
    pub textures: [Option<TextureUse>; TEXTURES],
}

impl Material {
    /// Returns the default material of primitives without one (glTF 2.0, 3.9.6).
    pub fn default_one() -> Material {
        Material {
            name: "default material".to_owned(),
            blend: blend(AlphaMode::Opaque),
            rasterizer: rasterizer(false),
            textures: [None; TEXTURES],
        }
    }

    /// Converts the material with this index.
    ///
    /// # Errors
    /// The material or an element it refers to does not exist.
    pub fn of(root: &Root, index: usize, path: String) -> Result<Material, Fault> {
        let Some(material) = root.materials.get(index) else {
            return Err(Fault::no_such(path, "materials", root.materials.len(), index));
        };
        let named = material.name.clone().filter(|name| !name.is_empty());
        let alpha_mode = match material.alpha_mode {
            Checked::Valid(mode) => mode,
            Checked::Invalid => AlphaMode::Opaque,
        };
        Ok(Material {
            name: named.unwrap_or_else(|| format!("material {index}")),
            blend: blend(alpha_mode),
            rasterizer: rasterizer(material.double_sided),
            textures: textures(root, material, index)?,
        })
    }

    /// Returns one bit per texture that is present. Materials with equal masks share a pixel shader.
    pub fn texture_mask(&self) -> u64 {
        let set = self.textures.iter().enumerate().filter(|(_, texture)| texture.is_some());
        set.fold(0, |mask, (slot, _)| mask | 1 << slot)
    }
}

fn textures(root: &Root, material: &Declared, index: usize) -> Result<[Option<TextureUse>; TEXTURES], Fault> {
    let metal = &material.pbr_metallic_roughness;
    let named: [(&str, Option<Index<Texture>>); TEXTURES] = [
        ("pbrMetallicRoughness.baseColorTexture", metal.base_color_texture.as_ref().map(|info| info.index)),
        (
            "pbrMetallicRoughness.metallicRoughnessTexture",
            metal.metallic_roughness_texture.as_ref().map(|info| info.index),
        ),
        ("normalTexture", material.normal_texture.as_ref().map(|info| info.index)),
        ("occlusionTexture", material.occlusion_texture.as_ref().map(|info| info.index)),
        ("emissiveTexture", material.emissive_texture.as_ref().map(|info| info.index)),
    ];
    let mut textures = [None; TEXTURES];
    for (slot, (field, texture)) in textures.iter_mut().zip(named) {
        let Some(texture) = texture else { continue };
        let Some(found) = root.textures.get(texture.value()) else {
            let path = format!("materials[{index}].{field}.index");
            return Err(Fault::no_such(path, "textures", root.textures.len(), texture.value()));
        };
        let sampler = match found.sampler {
            None => sampler(&Sampler::default()),
            Some(of) => match root.samplers.get(of.value()) {
                Some(declared) => sampler(declared),
                None => {
                    let path = format!("textures[{}].sampler", texture.value());
                    return Err(Fault::no_such(path, "samplers", root.samplers.len(), of.value()));
                }
            },
        };
        // For a texture whose image is in an extension, the parser sets the maximum index.
        let image = Some(found.source.value()).filter(|image| *image < root.images.len());
        *slot = Some(TextureUse { image, sampler });
    }
    Ok(textures)
}

/// Returns the blend state: opaque replaces, mask uses alpha to coverage, blend uses source alpha.
fn blend(mode: AlphaMode) -> BlendDesc {
    let over = RenderTargetBlendDesc {
        blend_enable: mode == AlphaMode::Blend,
        src_blend: Blend::SRC_ALPHA,
        dest_blend: Blend::INV_SRC_ALPHA,
        blend_op: BlendOp::ADD,
        src_blend_alpha: Blend::ONE,
        dest_blend_alpha: Blend::INV_SRC_ALPHA,
        blend_op_alpha: BlendOp::ADD,
        write_mask: ColorWriteEnable::ALL,
    };
    let alpha_to_coverage_enable = mode == AlphaMode::Mask;
    BlendDesc { alpha_to_coverage_enable, independent_blend_enable: false, render_targets: vec![over] }
}

/// Returns the rasterizer state. Front faces are counter-clockwise (glTF 2.0, 3.7.2.1).
fn rasterizer(is_double_sided: bool) -> D3d11RasterizerDesc {
    D3d11RasterizerDesc {
        fill_mode: FillMode::SOLID,
        cull_mode: if is_double_sided { CullMode::NONE } else { CullMode::BACK },
        front_counter_clockwise: true,
        depth_clip_enable: true,
        ..Default::default()
    }
}

/// Converts a sampler; unspecified filters are linear, as in common loaders.
fn sampler(declared: &Sampler) -> D3d11SamplerDesc {
    let mag = match declared.mag_filter {
        Some(Checked::Valid(MagFilter::Nearest)) => 0,
        _ => LINEAR_MAG,
    };
    let (min, mip, has_levels) = match declared.min_filter {
        Some(Checked::Valid(filter)) => match filter {
            MinFilter::Nearest => (0, 0, false),
            MinFilter::Linear => (LINEAR_MIN, 0, false),
            MinFilter::NearestMipmapNearest => (0, 0, true),
            MinFilter::LinearMipmapNearest => (LINEAR_MIN, 0, true),
            MinFilter::NearestMipmapLinear => (0, LINEAR_MIP, true),
            MinFilter::LinearMipmapLinear => (LINEAR_MIN, LINEAR_MIP, true),
        },
        _ => (LINEAR_MIN, LINEAR_MIP, true),
    };
    let max_lod = if has_levels { f32::MAX } else { 0.0 };
    D3d11SamplerDesc {
        filter: D3d11Filter(mag | min | mip),
        address_u: address(declared.wrap_s),
        address_v: address(declared.wrap_t),
        address_w: TextureAddressMode::WRAP,
        max_lod: max_lod.to_bits(),
        ..Default::default()
    }
}

fn address(mode: Checked<WrappingMode>) -> TextureAddressMode {
    match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => TextureAddressMode::CLAMP,
        Checked::Valid(WrappingMode::MirroredRepeat) => TextureAddressMode::MIRROR,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => TextureAddressMode::WRAP,
    }
}
