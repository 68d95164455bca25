//! The table of layouts, and their names.

use core::{fmt, str::FromStr};

use crate::{Rule, TilingError};

const INSTANT_ACCESS: &str = "Intel, Tiling Format for Iris Graphics Extension for Instant Access";
const I915: &str = "Linux i915, DOC: tiling swizzling details";
const ISL: &str = "Mesa, docs/isl/tiling.rst";
const GMMLIB: &str = "Intel gmmlib, CpuSwizzleBlt";
const STANDARD_SWIZZLE: &str = "Microsoft, D3D11_TEXTURE_LAYOUT: 64 KB standard swizzle; Intel gmmlib, CpuSwizzleBlt";

/// Defines the enum of layouts, its documentation and the table [`LAYOUTS`].
macro_rules! layouts {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $pattern:literal, toggles $toggles:expr, unit $unit:expr, $source:ident;)+) => {
        /// Tile layout of a surface.
        ///
        /// Parses from and prints as the names in the table [`LAYOUTS`]. The letters are the coordinate of each address
        /// bit inside the tile, highest bit first; x is in bytes, S is the sample.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Layout {
            $($(#[doc = $doc])+ #[doc = concat!("\n\n`", $name, "`: `", $pattern, "`.")] $variant,)+
        }

        /// All layouts in the order of the enum.
        const ALL: &[Layout] = &[$(Layout::$variant,)+];

        /// Address rules of all layouts, in the order of [`Layout::all`].
        pub const LAYOUTS: &[Rule] = &[$(Rule::new($name, $pattern, $toggles, $unit, $source),)+];
    };
}

layouts! {
    /// Y-tiles of 128 bytes by 32 rows in eight columns of 16 bytes; in odd columns, pairs of 64-byte lines are swapped
    /// (bit 6 is toggled by bit 9).
    TileY "tile_y" "XXXYYYYYXXXX", toggles 1 << 9, unit None, INSTANT_ACCESS;
    /// Y-tiles without that swap.
    TileYNoCsx "tile_y_no_csx" "XXXYYYYYXXXX", toggles 0, unit None, INSTANT_ACCESS;
    /// X-tiles of 512 bytes by 8 rows; bit 6 is toggled by bits 9 and 10.
    TileX "tile_x" "YYYXXXXXXXXX", toggles 1 << 9 | 1 << 10, unit None, I915;
    /// X-tiles without the toggle.
    TileXNoCsx "tile_x_no_csx" "YYYXXXXXXXXX", toggles 0, unit None, I915;
    /// Tile4 of Xe-HP and later: 128 bytes by 32 rows.
    Tile4 "tile4" "YYXYXXYYXXXX", toggles 0, unit None, ISL;
    /// W-tiles of the stencil buffer: 64 bytes by 64 rows.
    W "w" "XXXYYYYXYXYX", toggles 0, unit Some(8), ISL;
    /// Yf, 4 KiB, 8 bits per unit.
    Yf8 "yf_8" "XYXYYYYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Yf, 4 KiB, 16 bits per unit.
    Yf16 "yf_16" "XYXYXYYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Yf, 4 KiB, 32 bits per unit.
    Yf32 "yf_32" "XYXYXYYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Yf, 4 KiB, 64 bits per unit.
    Yf64 "yf_64" "XYXYXXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Yf, 4 KiB, 128 bits per unit.
    Yf128 "yf_128" "XYXYXXYYXXXX", toggles 0, unit Some(128), GMMLIB;
    /// Ys, the 64 KB standard swizzle, 8 bits per unit.
    Ys8 "ys_8" "XYXYXYXYYYYYXXXX", toggles 0, unit Some(8), STANDARD_SWIZZLE;
    /// Ys, the 64 KB standard swizzle, 16 bits per unit.
    Ys16 "ys_16" "XYXYXYXYXYYYXXXX", toggles 0, unit Some(16), STANDARD_SWIZZLE;
    /// Ys, the 64 KB standard swizzle, 32 bits per unit.
    Ys32 "ys_32" "XYXYXYXYXYYYXXXX", toggles 0, unit Some(32), STANDARD_SWIZZLE;
    /// Ys, the 64 KB standard swizzle, 64 bits per unit.
    Ys64 "ys_64" "XYXYXYXYXXYYXXXX", toggles 0, unit Some(64), STANDARD_SWIZZLE;
    /// Ys, the 64 KB standard swizzle, 128 bits per unit.
    Ys128 "ys_128" "XYXYXYXYXXYYXXXX", toggles 0, unit Some(128), STANDARD_SWIZZLE;
    /// Ys of three dimensions, 8 bits per unit.
    Ys3d8 "ys3d_8" "XYZXYZYZZZYYXXXX", toggles 0, unit Some(8), STANDARD_SWIZZLE;
    /// Ys of three dimensions, 16 bits per unit.
    Ys3d16 "ys3d_16" "XYZXYZYZZZYYXXXX", toggles 0, unit Some(16), STANDARD_SWIZZLE;
    /// Ys of three dimensions, 32 bits per unit.
    Ys3d32 "ys3d_32" "XYZXYZXYZZYYXXXX", toggles 0, unit Some(32), STANDARD_SWIZZLE;
    /// Ys of three dimensions, 64 bits per unit.
    Ys3d64 "ys3d_64" "XYZXYZXXZZYYXXXX", toggles 0, unit Some(64), STANDARD_SWIZZLE;
    /// Ys of three dimensions, 128 bits per unit.
    Ys3d128 "ys3d_128" "XYZXYZXXZZYYXXXX", toggles 0, unit Some(128), STANDARD_SWIZZLE;
    /// Tile64 of Xe-HP and later, 8 bits per unit.
    Tile64x8 "tile64_8" "YYYXYYXYXXYYXXXX", toggles 0, unit Some(8), ISL;
    /// Tile64 of Xe-HP and later, 16 bits per unit.
    Tile64x16 "tile64_16" "YYXXYYXYXXYYXXXX", toggles 0, unit Some(16), ISL;
    /// Tile64 of Xe-HP and later, 32 bits per unit.
    Tile64x32 "tile64_32" "YYXXYYXYXXYYXXXX", toggles 0, unit Some(32), ISL;
    /// Tile64 of Xe-HP and later, 64 bits per unit.
    Tile64x64 "tile64_64" "YXXXYYXYXXYYXXXX", toggles 0, unit Some(64), ISL;
    /// Tile64 of Xe-HP and later, 128 bits per unit.
    Tile64x128 "tile64_128" "YXXXYYXYXXYYXXXX", toggles 0, unit Some(128), ISL;
    /// Ys of 2 samples, 8 bits per unit.
    YsMsaa2x8 "ys_msaa2_8" "SYXYXYXYYYYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Ys of 2 samples, 16 bits per unit.
    YsMsaa2x16 "ys_msaa2_16" "SYXYXYXYXYYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Ys of 2 samples, 32 bits per unit.
    YsMsaa2x32 "ys_msaa2_32" "SYXYXYXYXYYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Ys of 2 samples, 64 bits per unit.
    YsMsaa2x64 "ys_msaa2_64" "SYXYXYXYXXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Ys of 2 samples, 128 bits per unit.
    YsMsaa2x128 "ys_msaa2_128" "SYXYXYXYXXYYXXXX", toggles 0, unit Some(128), GMMLIB;
    /// Ys of 4 samples, 8 bits per unit.
    YsMsaa4x8 "ys_msaa4_8" "SSXYXYXYYYYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Ys of 4 samples, 16 bits per unit.
    YsMsaa4x16 "ys_msaa4_16" "SSXYXYXYXYYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Ys of 4 samples, 32 bits per unit.
    YsMsaa4x32 "ys_msaa4_32" "SSXYXYXYXYYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Ys of 4 samples, 64 bits per unit.
    YsMsaa4x64 "ys_msaa4_64" "SSXYXYXYXXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Ys of 4 samples, 128 bits per unit.
    YsMsaa4x128 "ys_msaa4_128" "SSXYXYXYXXYYXXXX", toggles 0, unit Some(128), GMMLIB;
    /// Ys of 8 samples, 8 bits per unit.
    YsMsaa8x8 "ys_msaa8_8" "SSSYXYXYYYYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Ys of 8 samples, 16 bits per unit.
    YsMsaa8x16 "ys_msaa8_16" "SSSYXYXYXYYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Ys of 8 samples, 32 bits per unit.
    YsMsaa8x32 "ys_msaa8_32" "SSSYXYXYXYYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Ys of 8 samples, 64 bits per unit.
    YsMsaa8x64 "ys_msaa8_64" "SSSYXYXYXXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Ys of 8 samples, 128 bits per unit.
    YsMsaa8x128 "ys_msaa8_128" "SSSYXYXYXXYYXXXX", toggles 0, unit Some(128), GMMLIB;
    /// Ys of 16 samples, 8 bits per unit.
    YsMsaa16x8 "ys_msaa16_8" "SSSSXYXYYYYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Ys of 16 samples, 16 bits per unit.
    YsMsaa16x16 "ys_msaa16_16" "SSSSXYXYXYYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Ys of 16 samples, 32 bits per unit.
    YsMsaa16x32 "ys_msaa16_32" "SSSSXYXYXYYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Ys of 16 samples, 64 bits per unit.
    YsMsaa16x64 "ys_msaa16_64" "SSSSXYXYXXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Ys of 16 samples, 128 bits per unit.
    YsMsaa16x128 "ys_msaa16_128" "SSSSXYXYXXYYXXXX", toggles 0, unit Some(128), GMMLIB;
    /// Tile64 of three dimensions, 8 bits per unit.
    Tile643dx8 "tile64_3d_8" "ZZZXYYZYZXYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Tile64 of three dimensions, 16 bits per unit.
    Tile643dx16 "tile64_3d_16" "ZZZYYXZYZXYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Tile64 of three dimensions, 32 bits per unit.
    Tile643dx32 "tile64_3d_32" "ZZYXYXZYZXYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Tile64 of three dimensions, 64 bits per unit.
    Tile643dx64 "tile64_3d_64" "ZZYXXXZYZXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Tile64 of three dimensions, 128 bits per unit.
    Tile643dx128 "tile64_3d_128" "ZZYXXXZYZXYYXXXX", toggles 0, unit Some(128), GMMLIB;
    /// Tile64 of 2 samples, 8 bits per unit.
    Tile64Msaa2x8 "tile64_msaa2_8" "YYYXYYXYSXYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Tile64 of 2 samples, 16 bits per unit.
    Tile64Msaa2x16 "tile64_msaa2_16" "YYXXYYXYSXYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Tile64 of 2 samples, 32 bits per unit.
    Tile64Msaa2x32 "tile64_msaa2_32" "YYXXYYXYSXYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Tile64 of 2 samples, 64 bits per unit.
    Tile64Msaa2x64 "tile64_msaa2_64" "YXXXYYXYSXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Tile64 of 2 samples, 128 bits per unit.
    Tile64Msaa2x128 "tile64_msaa2_128" "YXXXYYXYSXYYXXXX", toggles 0, unit Some(128), GMMLIB;
    /// Tile64 of 4 samples, 8 bits per unit.
    Tile64Msaa4x8 "tile64_msaa4_8" "YYYXYYXSSXYYXXXX", toggles 0, unit Some(8), GMMLIB;
    /// Tile64 of 4 samples, 16 bits per unit.
    Tile64Msaa4x16 "tile64_msaa4_16" "YYXXYYXSSXYYXXXX", toggles 0, unit Some(16), GMMLIB;
    /// Tile64 of 4 samples, 32 bits per unit.
    Tile64Msaa4x32 "tile64_msaa4_32" "YYXXYYXSSXYYXXXX", toggles 0, unit Some(32), GMMLIB;
    /// Tile64 of 4 samples, 64 bits per unit.
    Tile64Msaa4x64 "tile64_msaa4_64" "YXXXYYXSSXYYXXXX", toggles 0, unit Some(64), GMMLIB;
    /// Tile64 of 4 samples, 128 bits per unit.
    Tile64Msaa4x128 "tile64_msaa4_128" "YXXXYYXSSXYYXXXX", toggles 0, unit Some(128), GMMLIB;
}

impl Layout {
    /// Returns all layouts in the order of [`LAYOUTS`].
    pub const fn all() -> &'static [Layout] {
        ALL
    }

    /// Returns the line of [`LAYOUTS`] that defines this layout.
    pub const fn rule(self) -> &'static Rule {
        &LAYOUTS[self as usize]
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.rule().name)
    }
}

impl FromStr for Layout {
    type Err = TilingError;

    /// Parses a layout's name.
    ///
    /// # Errors
    /// [`TilingError::UnknownLayout`] for an unknown name.
    fn from_str(name: &str) -> Result<Self, TilingError> {
        let known = ALL.iter().copied().find(|layout| layout.rule().name == name);
        known.ok_or(TilingError::UnknownLayout)
    }
}
