//! The kernels a copy can run on, and which of them this machine has.

use core::fmt;

/// The instructions a copy is made of.
///
/// All of them make the same copy; they differ in the width of their stores. Only the layouts whose 64-byte
/// lines hold 16 bytes of four rows (all but X and W) have more than the portable one; there the others fall
/// back to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kernel {
    /// Safe code, every access bounds-checked, on every machine.
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
    /// Every kernel, whether this machine has it or not, slowest first.
    pub const fn all() -> &'static [Kernel] {
        &[Self::Portable, Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon]
    }

    /// The width of its stores in bytes.
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

/// When a copy bypasses the caches with non-temporal stores.
///
/// Such stores need whole aligned vectors: a target that is not aligned for them is written with ordinary ones.
/// A fence follows, so that the copy is visible to other observers in the usual order when it returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Streaming {
    /// When the bytes read and written together exceed the last-level cache, and it was measured to gain: into tiles,
    /// in layouts that spread the lines of four rows over memory channels (not `tile_y_no_csx`); out of tiles, with
    /// 64-byte stores only.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always where the kernel and the alignment allow it.
    Always,
}
