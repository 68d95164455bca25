//! Copy kernels, and their availability on this processor.

use core::fmt;

/// Instruction set of a copy.
///
/// All kernels make the same copy; they differ in the width of their stores. Only layouts whose 64-byte lines hold 16
/// bytes of four rows (all but X and W) have kernels other than the portable one; in the others, every kernel falls
/// back to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kernel {
    /// Safe code with bounds checks, on every processor.
    Portable,
    /// 16-byte stores of x86-64.
    Sse2,
    /// 32-byte stores of x86-64 with AVX2.
    Avx2,
    /// 64-byte stores, a whole line each, of x86-64 with AVX-512F.
    Avx512,
    /// 16-byte stores of AArch64.
    Neon,
}

impl Kernel {
    /// Returns every kernel, available or not, slowest first.
    pub const fn all() -> &'static [Kernel] {
        &[Self::Portable, Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon]
    }

    /// Returns the width of a store in bytes.
    pub const fn store_width_bytes(self) -> u64 {
        match self {
            Self::Portable | Self::Sse2 | Self::Neon => 16,
            Self::Avx2 => 32,
            Self::Avx512 => 64,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Portable => "portable",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        })
    }
}

/// Policy for copies that bypass the caches with non-temporal stores.
///
/// Such stores need whole aligned vectors: an unaligned target is written with ordinary stores. A fence follows, so
/// that the copy is visible to other observers in the usual order when it returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Streaming {
    /// When the bytes read and written together exceed the last-level cache, and a gain was measured: into tiles, in
    /// layouts that spread the lines of four rows over memory channels (not `tile_y_no_csx`); out of tiles, with
    /// 64-byte stores only.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always if the kernel and the alignment allow it.
    Always,
}
