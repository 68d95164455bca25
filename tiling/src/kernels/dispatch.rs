//! Selection of loop and mover for a copy.
#![allow(unsafe_code)]

use super::lines::FourRowLines;
use super::mover::Mover;
use super::null_vector::NullVector;
use super::plan::Plan;
use super::raw::RawMover;
use super::slices::SliceMover;
use super::vector::Vector;
use super::{edges, runs};
use crate::store::NoObservation;
use crate::{Kernel, Store};

#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512, sse2::Sse2};

/// Copies `source` to `target`, whose lengths are validated for the plan, on an available kernel.
pub(crate) fn copy<const TO_TILED: bool>(plan: &Plan, kernel: Kernel, streams: bool, source: &[u8], target: &mut [u8]) {
    let Some(lines) = plan.lines else {
        let mut mover = SliceMover::<_, TO_TILED>::new(source, target, plan.linear_pitch_bytes, NoObservation);
        return runs::copy(&mut mover, plan);
    };
    let job = Job { plan, lines, source, target };
    match (kernel, streams) {
        // SAFETY: the kernel is available, so the processor has its instructions.
        #[cfg(target_arch = "x86_64")]
        (Kernel::Avx512, false) => unsafe { avx512::<TO_TILED, false>(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        (Kernel::Avx512, true) => unsafe { avx512::<TO_TILED, true>(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        (Kernel::Avx2, false) => unsafe { avx2::<TO_TILED, false>(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        (Kernel::Avx2, true) => unsafe { avx2::<TO_TILED, true>(job) },
        // SAFETY: every x86-64 processor has SSE2.
        #[cfg(target_arch = "x86_64")]
        (Kernel::Sse2, false) => unsafe { vectors::<Sse2, Sse2, TO_TILED, false>(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        (Kernel::Sse2, true) => unsafe { vectors::<Sse2, Sse2, TO_TILED, true>(job) },
        // SAFETY: the kernel is available, and its vectors are ordinary loads and stores.
        #[cfg(target_arch = "aarch64")]
        (Kernel::Neon, _) => unsafe { vectors::<super::plain::Plain<1>, super::plain::Plain<1>, TO_TILED, false>(job) },
        _ => portable::<TO_TILED>(job),
    }
}

/// A copy in a layout of four-row lines.
struct Job<'a> {
    plan: &'a Plan,
    lines: &'static FourRowLines,
    source: &'a [u8],
    target: &'a mut [u8],
}

/// Moves the inside.
#[inline(always)]
pub(super) fn bands<P: Mover>(mover: &mut P, plan: &Plan) {
    if let Some(bands) = &plan.bands {
        mover.bands(bands);
    }
}

fn portable<const TO_TILED: bool>(job: Job<'_>) {
    let Job { plan, lines, source, target } = job;
    let mut mover = SliceMover::<_, TO_TILED>::new(source, target, plan.linear_pitch_bytes, NoObservation);
    edges::copy(&mut mover, plan, lines);
    bands(&mut mover, plan);
}

/// # Safety
/// The processor has AVX-512F.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512<const TO_TILED: bool, const STREAM: bool>(job: Job<'_>) {
    // SAFETY: the caller's promise.
    unsafe { vectors::<Avx512, Sse2, TO_TILED, STREAM>(job) }
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<const TO_TILED: bool, const STREAM: bool>(job: Job<'_>) {
    // SAFETY: the caller's promise.
    unsafe { vectors::<Avx2, Sse2, TO_TILED, STREAM>(job) }
}

/// Copies the inside with `V`, and the edges with the narrow `E`. Inlined into a function that enables the instructions
/// of `V`.
///
/// # Safety
/// The processor has the instructions of `V` and `E`.
#[inline(always)]
unsafe fn vectors<V: Vector, E: Vector, const TO_TILED: bool, const STREAM: bool>(job: Job<'_>) {
    let Job { plan, lines, source, target } = job;
    let pitch = plan.linear_pitch_bytes;
    if plan.inside != plan.area {
        // SAFETY: the caller's promise.
        unsafe { vector_edges::<E, TO_TILED>(Job { plan, lines, source, target: &mut *target }) };
    }
    // SAFETY: the caller's promise.
    let mut mover =
        unsafe { RawMover::<V, NoObservation, TO_TILED, STREAM>::new(source, target, pitch, NoObservation) };
    bands(&mut mover, plan);
    mover.finish();
}

/// Copies the edges. A separate function, so that the loop over the inside has all registers.
///
/// # Safety
/// The processor has the instructions of `E`.
#[inline(never)]
unsafe fn vector_edges<E: Vector, const TO_TILED: bool>(job: Job<'_>) {
    let Job { plan, lines, source, target } = job;
    let pitch = plan.linear_pitch_bytes;
    // SAFETY: the caller's promise.
    let mut mover = unsafe { RawMover::<E, NoObservation, TO_TILED, false>::new(source, target, pitch, NoObservation) };
    edges::copy(&mut mover, plan, lines);
}

/// Reports to `sink` every store that [`copy`] would make, without memory.
pub(crate) fn observe<S: Store, const TO_TILED: bool>(plan: &Plan, kernel: Kernel, sink: S) {
    match kernel.store_width_bytes() {
        64 => without_memory::<S, 4, TO_TILED>(plan, sink),
        32 => without_memory::<S, 2, TO_TILED>(plan, sink),
        _ => without_memory::<S, 1, TO_TILED>(plan, sink),
    }
}

/// Reports to `sink` every store that a custom loop makes through the mover, without memory.
pub(crate) fn observe_loop<'p, S: Store>(
    plan: &Plan,
    sink: S,
    run: impl FnOnce(&mut RawMover<'p, NullVector<1>, S, true, false>),
) {
    run(&mut null_mover(plan, sink));
}

fn null_mover<'p, S: Store, const LANES: usize, const TO_TILED: bool>(
    plan: &Plan,
    sink: S,
) -> RawMover<'p, NullVector<LANES>, S, TO_TILED, false> {
    let (source_bytes, target_bytes) =
        if TO_TILED { (plan.linear_bytes, plan.tiled_bytes) } else { (plan.tiled_bytes, plan.linear_bytes) };
    let (source, target) = (core::ptr::dangling(), core::ptr::dangling_mut());
    let pitch = plan.linear_pitch_bytes;
    // SAFETY: null vectors are no instructions and use no pointer.
    unsafe { RawMover::from_parts(source, source_bytes, target, target_bytes, pitch, sink) }
}

fn without_memory<S: Store, const LANES: usize, const TO_TILED: bool>(plan: &Plan, sink: S) {
    let mut mover = null_mover::<S, LANES, TO_TILED>(plan, sink);
    match plan.lines {
        Some(lines) => {
            edges::copy(&mut mover, plan, lines);
            bands(&mut mover, plan);
        }
        None => runs::copy(&mut mover, plan),
    }
}
