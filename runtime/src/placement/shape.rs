//! Resource properties that placement uses, common to the API and DDI descriptions.

use taut_schemas::{
    DdiResourceDesc, DdiResourceFlags, Dimension, ResourceDesc, ResourceFlags, TextureLayout, format::Format,
};

/// Extents and kind of a resource. Values are as described, not validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    pub dimension: Dimension,
    /// Width in texels; a buffer's size in bytes.
    pub width: u64,
    /// Height in texels.
    pub height: u32,
    /// Depth in texels of a 3D texture; array size of others.
    pub depth_or_array_size: u16,
    /// Mip levels; 0 is the full chain.
    pub mip_levels: u16,
    pub format: Format,
    /// Samples per texel.
    pub sample_count: u32,
    pub layout: TextureLayout,
    /// The resource may be a render target or depth-stencil.
    pub render_target_or_depth_stencil: bool,
}

impl Shape {
    /// True with more than one sample per texel.
    pub fn is_msaa(&self) -> bool {
        self.sample_count > 1
    }

    /// Returns the depth of the most detailed mip; 1 unless the texture is 3D.
    pub fn depth(&self) -> u64 {
        if self.dimension == Dimension::TEXTURE3D { self.depth_or_array_size.into() } else { 1 }
    }

    /// Returns the array size; 1 for a 3D texture.
    pub fn array_size(&self) -> u64 {
        if self.dimension == Dimension::TEXTURE3D { 1 } else { self.depth_or_array_size.into() }
    }

    /// Returns the number of levels of the full mip chain: down to one texel in every extent.
    pub fn full_mip_levels(&self) -> u16 {
        let longest = self.width.max(self.height.into()).max(self.depth());
        longest.checked_ilog2().map_or(1, |levels| levels as u16 + 1)
    }

    /// Returns width, height and depth of a mip level, in texels.
    pub fn mip_extents(&self, level: u16) -> (u64, u64, u64) {
        let halve = |extent: u64| extent.checked_shr(level.into()).unwrap_or(0).max(1);
        (halve(self.width), halve(self.height.into()), halve(self.depth()))
    }
}

impl From<&ResourceDesc> for Shape {
    fn from(desc: &ResourceDesc) -> Shape {
        let targets = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_DEPTH_STENCIL;
        Shape {
            dimension: desc.dimension,
            width: desc.width,
            height: desc.height,
            depth_or_array_size: desc.depth_or_array_size,
            mip_levels: desc.mip_levels,
            format: desc.format,
            sample_count: desc.sample_count,
            layout: desc.layout,
            render_target_or_depth_stencil: desc.flags.intersects(targets),
        }
    }
}

impl From<&DdiResourceDesc> for Shape {
    fn from(desc: &DdiResourceDesc) -> Shape {
        let targets = DdiResourceFlags::RENDER_TARGET | DdiResourceFlags::DEPTH_STENCIL;
        Shape {
            dimension: desc.dimension,
            width: desc.width,
            height: desc.height,
            depth_or_array_size: desc.depth_or_array_size,
            mip_levels: desc.mip_levels,
            format: desc.format,
            sample_count: desc.sample_count,
            layout: desc.layout,
            render_target_or_depth_stencil: desc.flags.intersects(targets),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_chain_ends_at_one_texel() {
        let desc = |dimension, width, height, depth_or_array_size| ResourceDesc {
            dimension,
            width,
            height,
            depth_or_array_size,
            sample_count: 1,
            ..Default::default()
        };
        let levels = |desc: ResourceDesc| Shape::from(&desc).full_mip_levels();
        assert_eq!(levels(desc(Dimension::TEXTURE2D, 1024, 1024, 1)), 11);
        assert_eq!(levels(desc(Dimension::TEXTURE2D, 32, 1, 2048)), 6);
        assert_eq!(levels(desc(Dimension::TEXTURE3D, 32, 1, 2048)), 12);
        assert_eq!(levels(desc(Dimension::TEXTURE1D, 1, 1, 1)), 1);
        assert_eq!(levels(desc(Dimension::TEXTURE1D, 0, 0, 0)), 1);
        assert_eq!(levels(desc(Dimension::TEXTURE1D, u64::MAX, 0, 0)), 64);
    }
}
