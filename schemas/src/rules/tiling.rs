//! Rules of tiled surfaces and direct access.

use super::definition::{Chapter, rules};

rules! {
    mod rule, const CHAPTERS;

    "Tiled surfaces and direct access":
    T_01 "T-01" "TILE_Y without the extra swizzle arranges a 4 KiB tile in eight columns of 16 bytes and 32 rows"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: sample implementation";
    T_02 "T-02" "TILE_Y exchanges four rows with the next four in every other column"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: figure 1";
    T_03 "T-03" "every layout maps the bytes of whole tiles one to one, and its inverse maps them back"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: sample implementation (inferred)";
    T_04 "T-04" "CopyResource binds a pair of textures created for direct access, and copies between any other \
        textures"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph";
    T_05 "T-05" "a direct-access staging texture has no memory of its own: Map returns a pointer into the texture to \
        which it is bound"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph";
    T_06 "T-06" "Map of a direct-access staging texture returns the pointer and the tile format"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 3rd paragraph";
    T_07 "T-07" "writes in tile order never cost more than writes in any other order to write-combined memory"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: write-combined memory";
    T_08 "T-08" "the analysis reports reads from write-combined memory"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: write-combined memory (inferred)";
}
