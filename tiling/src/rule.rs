//! Address rule of a layout: the address bit of each bit of x, y and z inside a tile.

use crate::bits::{deposit, extract};

/// Address rule of one layout: everything that the crate knows about it.
///
/// A tile has `tile_bytes()` consecutive bytes. Inside it, the bits of x (in bytes), y (in rows) and z (in slices, or the
/// sample of a multisampled surface) are spread over the address bits by [`pattern`](Rule::pattern); tiles follow each
/// other row by row, and layer by layer in three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Name that [`Layout`](crate::Layout) parses from and prints as, such as `tile_y` or `ys_32`.
    pub name: &'static str,
    /// Address bits inside a tile, highest first: each `X`, `Y`, `Z` takes the next lower bit of its coordinate,
    /// so the last `X` is bit 0 of x in bytes. `S` takes bits of the sample, which is passed as z.
    pub pattern: &'static str,
    /// Address bits whose odd parity toggles address bit 6 (channel-select swizzle); 0 without it.
    pub bit6_toggles: u64,
    /// Bits per texel, or per block of a block-compressed format, of the layout; `None` for texels of any size.
    pub unit_bits: Option<u16>,
    /// Published document of the rule.
    pub source: &'static str,
    /// Address bits that hold x in bytes.
    pub x_mask: u64,
    /// Address bits that hold y in rows.
    pub y_mask: u64,
    /// Address bits that hold z in slices, or the sample; 0 for a layout of two dimensions and one sample.
    pub z_mask: u64,
    // Precomputed: counting the bits of a mask is slow on processors without an instruction for it.
    x_bits: u32,
    y_bits: u32,
    z_bits: u32,
}

impl Rule {
    pub(crate) const fn new(
        name: &'static str,
        pattern: &'static str,
        bit6_toggles: u64,
        unit_bits: Option<u16>,
        source: &'static str,
    ) -> Self {
        let (x_mask, y_mask, z_mask) = (
            letter_mask(pattern, b'X'),
            letter_mask(pattern, b'Y'),
            letter_mask(pattern, b'Z') | letter_mask(pattern, b'S'),
        );
        assert!(x_mask | y_mask | z_mask == (1 << pattern.len()) - 1, "a pattern is made of X, Y, Z and S");
        assert!(bit6_toggles & 0x7f == 0, "a toggle that read bit 6 or less would not be its own inverse");
        Self {
            name,
            pattern,
            bit6_toggles,
            unit_bits,
            source,
            x_mask,
            y_mask,
            z_mask,
            x_bits: x_mask.count_ones(),
            y_bits: y_mask.count_ones(),
            z_bits: z_mask.count_ones(),
        }
    }

    /// Returns the size of a tile in bytes: 4096 or 65536.
    pub const fn tile_bytes(&self) -> u64 {
        1 << self.pattern.len()
    }

    /// Returns the width of a tile in bytes; the pitch is a multiple of it.
    pub const fn tile_width_bytes(&self) -> u64 {
        1 << self.x_bits
    }

    /// Returns the height of a tile in rows.
    pub const fn tile_rows(&self) -> u64 {
        1 << self.y_bits
    }

    /// Returns the depth of a tile in slices, or its samples: 1 for a layout of two dimensions and one sample.
    pub const fn tile_slices(&self) -> u64 {
        1 << self.z_bits
    }

    /// Returns the number of bits of x, in bytes, inside a tile.
    pub(crate) const fn x_bits(&self) -> u32 {
        self.x_bits
    }

    /// Returns the number of bits of y inside a tile.
    pub(crate) const fn y_bits(&self) -> u32 {
        self.y_bits
    }

    /// Returns the number of bits of z inside a tile.
    pub(crate) const fn z_bits(&self) -> u32 {
        self.z_bits
    }

    /// True if tiles have several slices or samples.
    pub const fn is_3d(&self) -> bool {
        self.z_mask != 0
    }

    /// Returns the offset inside a tile; coordinates are taken modulo the tile's extents.
    pub(crate) const fn encode_in_tile(&self, x_bytes: u64, y: u64, z: u64) -> u64 {
        let plain = deposit(x_bytes, self.x_mask) | deposit(y, self.y_mask) | deposit(z, self.z_mask);
        self.toggle_bit6(plain)
    }

    /// Returns (x in bytes, y, z) inside a tile of the byte at `offset`, taken modulo the tile's size.
    pub(crate) const fn decode_in_tile(&self, offset: u64) -> (u64, u64, u64) {
        let plain = self.toggle_bit6(offset);
        (extract(plain, self.x_mask), extract(plain, self.y_mask), extract(plain, self.z_mask))
    }

    pub(crate) const fn toggle_bit6(&self, offset: u64) -> u64 {
        offset ^ (((offset & self.bit6_toggles).count_ones() as u64 & 1) << 6)
    }
}

const fn letter_mask(pattern: &str, letter: u8) -> u64 {
    let letters = pattern.as_bytes();
    let (mut mask, mut at) = (0, 0);
    while at < letters.len() {
        mask = mask << 1 | (letters[at] == letter) as u64;
        at += 1;
    }
    mask
}
