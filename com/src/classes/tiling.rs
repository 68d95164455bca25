//! Tiles of reserved resources: outputs of ID3D12Device::GetResourceTiling, which follow from the description.

use crate::unsafe_abi::{Out, PackedMipInfo, SubresourceTiling, TileShape};
use taut_runtime::placement::{KIB_64, Shape, tile_shape};
use taut_schemas::format::FormatInfo;
use taut_schemas::{Dimension, ResourceDesc};

/// D3D12_PACKED_TILE.
const PACKED_TILE: u32 = u32::MAX;

/// Outputs; each may be NULL.
pub struct Outputs {
    pub num_tiles: Out<u32>,
    pub packed_mips: Out<PackedMipInfo>,
    pub tile_shape: Out<TileShape>,
    /// Before the call, the number of subresources whose tiles are requested.
    pub num_tilings: Out<u32>,
    pub first_tiling: u32,
    pub tilings: Out<SubresourceTiling>,
}

impl Outputs {
    /// Writes the tiles of a resource; without a description, or for a format without tiles, it has none.
    pub fn set(self, desc: Option<&ResourceDesc>) {
        let tiling = desc.and_then(Tiling::new).unwrap_or_default();
        self.num_tiles.set(tiling.num_tiles);
        self.packed_mips.set(tiling.packed_mips);
        self.tile_shape.set(tiling.tile_shape);
        let requested = self.num_tilings.list(1).and_then(|count| count.first().copied()).unwrap_or_default();
        let rest = tiling.subresources.get(self.first_tiling as usize..).unwrap_or_default();
        let found = &rest[..rest.len().min(requested as usize)];
        self.num_tilings.set(found.len() as u32);
        self.tilings.set_list(found);
    }
}

/// Tiles of a resource.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tiling {
    num_tiles: u32,
    packed_mips: PackedMipInfo,
    tile_shape: TileShape,
    subresources: Vec<SubresourceTiling>,
}

impl Tiling {
    /// `None` for a format without tiles of 64 KiB, and for more tiles than the header's types count.
    fn new(desc: &ResourceDesc) -> Option<Tiling> {
        if desc.dimension == Dimension::BUFFER {
            let width = u32::try_from(desc.width.div_ceil(KIB_64)).ok()?;
            return Some(Tiling {
                num_tiles: width,
                packed_mips: PackedMipInfo::default(),
                tile_shape: TileShape { width: KIB_64 as u32, height: 1, depth: 1 },
                subresources: vec![SubresourceTiling { width, height: 1, depth: 1, start_tile: 0 }],
            });
        }
        let shape = Shape::from(desc);
        let info = shape.format.info()?;
        let tile = Tile::new(&shape, info)?;
        let mips = 0..shape.mip_levels;
        // Mips with an extent below that of a tile are packed, as they may be from tier 2 on.
        let standard: Vec<[u64; 3]> = mips.clone().map_while(|level| tile.tiles_of_mip(&shape, level)).collect();
        let num_standard: u64 = standard.iter().map(|tiles| tiles.iter().product::<u64>()).sum();
        let packed_bytes: u64 = mips.skip(standard.len()).map(|level| tile.bytes_of_mip(&shape, level)).sum();
        let num_packed = packed_bytes.div_ceil(KIB_64);
        let per_slice = num_standard.checked_add(num_packed)?;
        let num_tiles = u32::try_from(per_slice.checked_mul(shape.array_size())?).ok()?;
        let mut subresources = Vec::new();
        for slice in 0..shape.array_size() {
            let mut start = slice * per_slice;
            for tiles in &standard {
                let [width, height, depth] = *tiles;
                let (height, depth) = (u16::try_from(height).ok()?, u16::try_from(depth).ok()?);
                let (width, start_tile) = (u32::try_from(width).ok()?, start as u32);
                subresources.push(SubresourceTiling { width, height, depth, start_tile });
                start += tiles.iter().product::<u64>();
            }
            let packed = SubresourceTiling { start_tile: PACKED_TILE, ..SubresourceTiling::default() };
            subresources.extend((standard.len()..shape.mip_levels.into()).map(|_| packed));
        }
        Some(Tiling {
            num_tiles,
            packed_mips: PackedMipInfo {
                num_standard_mips: standard.len() as u8,
                num_packed_mips: shape.mip_levels.checked_sub(standard.len() as u16)? as u8,
                num_tiles: num_packed as u32,
                start_tile: if num_packed > 0 { num_standard as u32 } else { 0 },
            },
            tile_shape: tile.in_texels(),
            subresources,
        })
    }
}

/// Tile of 64 KiB, in units of a format.
struct Tile {
    extents: [u64; 3],
    unit_texels: [u64; 3],
    unit_bytes: u64,
}

impl Tile {
    fn new(shape: &Shape, info: &FormatInfo) -> Option<Tile> {
        let (width, height, depth) = tile_shape(info.unit_bits, shape.dimension, shape.sample_count, KIB_64)?;
        let samples = u64::from(shape.sample_count.max(1));
        Some(Tile {
            extents: [width, height, depth],
            unit_texels: [info.unit_texels.0.into(), info.unit_texels.1.into(), 1],
            unit_bytes: u64::from(info.unit_bits / 8) * samples,
        })
    }

    fn units_of_mip(&self, shape: &Shape, level: u16) -> [u64; 3] {
        let (width, height, depth) = shape.mip_extents(level);
        let [across, down, _] = self.unit_texels;
        [width.div_ceil(across), height.div_ceil(down), depth]
    }

    /// Tiles of a mip in each dimension; `None` if it is packed.
    fn tiles_of_mip(&self, shape: &Shape, level: u16) -> Option<[u64; 3]> {
        let units = self.units_of_mip(shape, level);
        // Without mips, a texture below the size of a tile has one of its own.
        let is_packed = shape.mip_levels > 1 && units.iter().zip(self.extents).any(|(units, tile)| *units < tile);
        let [width, height, depth] = units;
        let [across, down, deep] = self.extents;
        (!is_packed).then(|| [width.div_ceil(across), height.div_ceil(down), depth.div_ceil(deep)])
    }

    fn bytes_of_mip(&self, shape: &Shape, level: u16) -> u64 {
        self.units_of_mip(shape, level).iter().product::<u64>().saturating_mul(self.unit_bytes)
    }

    fn in_texels(&self) -> TileShape {
        let [width, height, depth] = [0, 1, 2].map(|axis| (self.extents[axis] * self.unit_texels[axis]) as u32);
        TileShape { width, height, depth }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use taut_schemas::format::Format;

    fn texture(format: Format, width: u64, height: u32, array: u16, mip_levels: u16) -> ResourceDesc {
        ResourceDesc {
            dimension: Dimension::TEXTURE2D,
            width,
            height,
            depth_or_array_size: array,
            mip_levels,
            format,
            sample_count: 1,
            ..ResourceDesc::default()
        }
    }

    #[test]
    fn standard_tiles_have_the_shapes_of_the_documentation() {
        for (format, width, height) in [
            (Format::R8_UNORM, 256, 256),
            (Format::R8G8B8A8_UNORM, 128, 128),
            (Format::R16G16B16A16_FLOAT, 128, 64),
            (Format::R32G32B32A32_FLOAT, 64, 64),
            (Format::BC1_UNORM, 512, 256),
            (Format::BC7_UNORM, 256, 256),
        ] {
            let tiling = Tiling::new(&texture(format, 2048, 2048, 1, 1)).unwrap();
            assert_eq!(tiling.tile_shape, TileShape { width, height, depth: 1 }, "{format:?}");
            assert_eq!(tiling.num_tiles, (2048 / width) * (2048 / height));
        }
    }

    #[test]
    fn mips_below_a_tile_are_packed() {
        // 512, 256 and 128 texels have 16, 4 and 1 tiles; 64 to 1 have 5,461 texels together.
        let tiling = Tiling::new(&texture(Format::R8G8B8A8_UNORM, 512, 512, 2, 10)).unwrap();
        let PackedMipInfo { num_standard_mips, num_packed_mips, num_tiles, start_tile } = tiling.packed_mips;
        assert_eq!((num_standard_mips, num_packed_mips, num_tiles, start_tile), (3, 7, 1, 21));
        assert_eq!((tiling.num_tiles, tiling.subresources.len()), (44, 20));
        let starts: Vec<u32> = tiling.subresources.iter().map(|one| one.start_tile).collect();
        assert_eq!(starts[..4], [0, 16, 20, PACKED_TILE]);
        assert_eq!(starts[10..14], [22, 38, 42, PACKED_TILE]);
    }

    #[test]
    fn a_buffer_has_tiles_of_bytes() {
        let tiling = Tiling::new(&ResourceDesc::buffer(3 * KIB_64 + 1)).unwrap();
        assert_eq!((tiling.num_tiles, tiling.tile_shape.width, tiling.subresources.len()), (4, 65536, 1));
    }

    proptest! {
        #[test]
        fn each_tile_belongs_to_one_subresource_or_to_the_packed_mips(
            width in 1_u64..5000, height in 1_u32..5000, array in 1_u16..5, mips in 1_u16..13,
        ) {
            let desc = texture(Format::R8G8B8A8_UNORM, width, height, array, mips);
            let mips = mips.min(Shape::from(&desc).full_mip_levels());
            let tiling = Tiling::new(&ResourceDesc { mip_levels: mips, ..desc }).unwrap();
            let mut seen = vec![0; tiling.num_tiles as usize];
            for one in tiling.subresources.iter().filter(|one| one.start_tile != PACKED_TILE) {
                let tiles = one.width * u32::from(one.height) * u32::from(one.depth);
                (one.start_tile..one.start_tile + tiles).for_each(|tile| seen[tile as usize] += 1);
            }
            let per_slice = tiling.num_tiles / u32::from(array);
            for slice in 0..u32::from(array) {
                let first = slice * per_slice + tiling.packed_mips.start_tile;
                (first..first + tiling.packed_mips.num_tiles).for_each(|tile| seen[tile as usize] += 1);
            }
            prop_assert!(seen.iter().all(|count| *count == 1));
            let PackedMipInfo { num_standard_mips, num_packed_mips, .. } = tiling.packed_mips;
            prop_assert_eq!(u16::from(num_standard_mips + num_packed_mips), mips);
            prop_assert_eq!(tiling.subresources.len(), usize::from(mips * array));
        }
    }
}
