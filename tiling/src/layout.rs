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
        /// bit inside the tile, highest bit first; x is in bytes.
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
