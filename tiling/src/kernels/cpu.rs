//! Processor features, detected once.
//!
//! The crate has no `std` for detection, so it reads CPUID itself. Wide registers also need the operating system to
//! save them (OSXSAVE, then XGETBV): otherwise, an instruction that the processor has would still fault.
#![cfg_attr(target_arch = "x86_64", allow(unsafe_code))]

use crate::Kernel;

/// Assumed size of the last-level cache in bytes if the processor does not report it.
const ASSUMED_LAST_LEVEL_CACHE_BYTES: usize = 32 << 20;

impl Kernel {
    /// True if this processor supports the kernel.
    ///
    /// On x86-64, the processor is queried once (CPUID, and XGETBV for the registers that the operating system saves);
    /// the result is cached.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Sse2 => cfg!(target_arch = "x86_64"),
            Self::Avx2 => has_avx2(),
            Self::Avx512 => has_avx512(),
            Self::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
        }
    }

    /// Returns the fastest available kernel.
    pub fn best() -> Self {
        match () {
            () if Self::Avx512.is_available() => Self::Avx512,
            () if Self::Avx2.is_available() => Self::Avx2,
            () if Self::Sse2.is_available() => Self::Sse2,
            () if Self::Neon.is_available() => Self::Neon,
            () => Self::Portable,
        }
    }
}

fn has_avx2() -> bool {
    machine::answers() & machine::AVX2 != 0
}

fn has_avx512() -> bool {
    machine::answers() & machine::AVX512 != 0
}

/// Returns the size of the last-level cache in bytes.
pub(crate) fn last_level_cache_bytes() -> usize {
    match machine::answers() >> machine::CACHE_SHIFT {
        0 => ASSUMED_LAST_LEVEL_CACHE_BYTES,
        units => units as usize * machine::CACHE_UNIT_BYTES,
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod machine {
    pub const AVX2: u32 = 1 << 1;
    pub const AVX512: u32 = 1 << 2;
    pub const CACHE_SHIFT: u32 = 3;
    pub const CACHE_UNIT_BYTES: usize = 1 << 10;

    pub fn answers() -> u32 {
        0
    }
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    use core::sync::atomic::{AtomicU32, Ordering};

    const DETECTED: u32 = 1 << 0;
    pub const AVX2: u32 = 1 << 1;
    pub const AVX512: u32 = 1 << 2;
    /// Position of the size of the last-level cache, in units, above the feature bits.
    pub const CACHE_SHIFT: u32 = 3;
    pub const CACHE_UNIT_BYTES: usize = 1 << 10;

    /// Zero until detected. All threads detect the same values, so a race only repeats the work.
    static ANSWERS: AtomicU32 = AtomicU32::new(0);

    #[inline(always)]
    pub fn answers() -> u32 {
        match ANSWERS.load(Ordering::Relaxed) {
            0 => detect_once(),
            known => known,
        }
    }

    #[cold]
    fn detect_once() -> u32 {
        let max_units = u64::from(u32::MAX >> CACHE_SHIFT);
        let cache_units = (last_level_cache_bytes() / CACHE_UNIT_BYTES as u64).min(max_units) as u32;
        let known = DETECTED | vector_features() | cache_units << CACHE_SHIFT;
        ANSWERS.store(known, Ordering::Relaxed);
        known
    }

    fn vector_features() -> u32 {
        const OSXSAVE_AND_AVX: u32 = 1 << 27 | 1 << 28;
        // State that the system must save: SSE and AVX registers; for AVX-512 also masks and both halves of its
        // registers.
        const YMM_STATE: u64 = 1 << 1 | 1 << 2;
        const ZMM_STATE: u64 = YMM_STATE | 1 << 5 | 1 << 6 | 1 << 7;
        if __cpuid(0).eax < 7 || __cpuid(1).ecx & OSXSAVE_AND_AVX != OSXSAVE_AND_AVX {
            return 0;
        }
        // SAFETY: OSXSAVE is set, so the XGETBV instruction and register 0 exist.
        let saved = unsafe { saved_state() };
        let leaf7 = __cpuid_count(7, 0).ebx;
        let mut features = 0;
        if leaf7 & 1 << 5 != 0 && saved & YMM_STATE == YMM_STATE {
            features |= AVX2;
            if leaf7 & 1 << 16 != 0 && saved & ZMM_STATE == ZMM_STATE {
                features |= AVX512;
            }
        }
        features
    }

    /// # Safety
    /// The operating system has set OSXSAVE.
    #[target_feature(enable = "xsave")]
    unsafe fn saved_state() -> u64 {
        // SAFETY: register 0 exists wherever XGETBV does.
        unsafe { _xgetbv(0) }
    }

    /// Returns the size of the largest cache of the highest level, from leaf 4 (Intel) or leaf 0x8000001D (AMD), which
    /// have the same layout; zero if neither reports one.
    fn last_level_cache_bytes() -> u64 {
        let amd_leaf = 0x8000_001d;
        let has_amd_leaf = __cpuid(0x8000_0000).eax >= amd_leaf && __cpuid(0x8000_0001).ecx & 1 << 22 != 0;
        let leaf = if has_amd_leaf { amd_leaf } else { 4 };
        if !has_amd_leaf && __cpuid(0).eax < 4 {
            return 0;
        }
        let mut largest = (0, 0);
        for index in 0..16 {
            let cache = __cpuid_count(leaf, index);
            let (kind, level) = (cache.eax & 0x1f, cache.eax >> 5 & 7);
            if kind == 0 {
                break;
            }
            let line = u64::from(cache.ebx & 0xfff) + 1;
            let partitions = u64::from(cache.ebx >> 12 & 0x3ff) + 1;
            let ways = u64::from(cache.ebx >> 22) + 1;
            let sets = u64::from(cache.ecx) + 1;
            largest = largest.max((level, line * partitions * ways * sets));
        }
        largest.1
    }

    #[cfg(test)]
    mod tests {
        extern crate std;

        #[test]
        fn answers_agree_with_the_standard_library() {
            let answers = super::answers();
            assert_eq!(answers & super::AVX2 != 0, std::is_x86_feature_detected!("avx2"));
            assert_eq!(answers & super::AVX512 != 0, std::is_x86_feature_detected!("avx512f"));
        }
    }
}
