//! Tests that all movers copy the same bytes, and that null vectors report the stores of real ones.
#![allow(unsafe_code)]

extern crate std;

use std::vec::Vec;

use proptest::prelude::*;

use super::mover::Mover;
use super::plain::Plain;
use super::plan::Plan;
use super::raw::RawMover;
use super::slices::SliceMover;
use super::vector::Vector;
use super::{dispatch, edges, runs};
use crate::{Kernel, Layout, Rect, Surface};

type Stores = Vec<(usize, usize)>;

fn run<P: Mover>(mover: &mut P, plan: &Plan) {
    match plan.lines {
        Some(lines) => {
            edges::copy(mover, plan, lines);
            dispatch::bands(mover, plan);
        }
        None => runs::copy(mover, plan),
    }
}

/// Returns the target and the stores, in order, of the safe mover.
fn by_slices<const TO_TILED: bool>(plan: &Plan, source: &[u8], target: &[u8]) -> (Vec<u8>, Stores) {
    let (mut target, mut stores) = (target.to_vec(), Stores::new());
    let sink = |offset, width| stores.push((offset, width));
    run(&mut SliceMover::<_, TO_TILED>::new(source, &mut target, plan.linear_pitch_bytes, sink), plan);
    (target, stores)
}

/// Returns the target and the stores of the pointer mover, with registers of `LANES` lanes.
fn by_vectors<const LANES: usize, const TO_TILED: bool, const STREAM: bool>(
    plan: &Plan,
    source: &[u8],
    target: &[u8],
) -> (Vec<u8>, Stores) {
    let (mut target, mut stores) = (target.to_vec(), Stores::new());
    let sink = |offset, width| stores.push((offset, width));
    let pitch = plan.linear_pitch_bytes;
    // SAFETY: plain vectors need no special instructions.
    let mut mover = unsafe { RawMover::<Plain<LANES>, _, TO_TILED, STREAM>::new(source, &mut target, pitch, sink) };
    run(&mut mover, plan);
    mover.finish();
    (target, stores)
}

fn observed<const TO_TILED: bool>(plan: &Plan, kernel: Kernel) -> Stores {
    let mut stores = Stores::new();
    dispatch::observe::<_, TO_TILED>(plan, kernel, |offset, width| stores.push((offset, width)));
    stores
}

fn all_agree<const TO_TILED: bool>(plan: &Plan, linear: &[u8], tiled: &[u8]) {
    let (source, target) = if TO_TILED { (linear, tiled) } else { (tiled, linear) };
    let (expected, stores) = by_slices::<TO_TILED>(plan, source, target);
    assert_eq!(observed::<TO_TILED>(plan, Kernel::Portable), stores);
    let narrow = by_vectors::<1, TO_TILED, false>(plan, source, target);
    assert!(narrow == (expected.clone(), stores), "16-byte stores");
    for (vectors, kernel) in [
        (by_vectors::<2, TO_TILED, false>(plan, source, target), Kernel::Avx2),
        (by_vectors::<2, TO_TILED, true>(plan, source, target), Kernel::Avx2),
        (by_vectors::<4, TO_TILED, false>(plan, source, target), Kernel::Avx512),
        (by_vectors::<4, TO_TILED, true>(plan, source, target), Kernel::Avx512),
    ] {
        assert!(vectors == (expected.clone(), observed::<TO_TILED>(plan, kernel)), "{kernel}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Rule T-03 for vectors of every width, on any processor; the observed stores are those that were made.
    #[test]
    fn t03_movers_agree_and_null_vectors_report_their_stores(
        layout in proptest::sample::select(Layout::all()), tiles in 1u64..4, rows in 1u64..80, pick in any::<[u64; 4]>(),
        extra_pitch in prop_oneof![Just(0u64), 0u64..70],
    ) {
        let surface = Surface::new(layout, tiles * layout.rule().tile_width_bytes(), rows)?;
        let (x_bytes, y) = (pick[0] % surface.pitch_bytes(), pick[1] % rows);
        let width_bytes = 1 + pick[2] % (surface.pitch_bytes() - x_bytes);
        let rect = Rect { x_bytes, y, z: 0, width_bytes, rows: 1 + pick[3] % (rows - y) };
        for rect in [rect, Rect::from_origin(surface.pitch_bytes(), rows)] {
            let plan = Plan::new(&surface, rect, rect.width_bytes + extra_pitch)?;
            let linear: Vec<u8> = (0..plan.linear_bytes).map(|at| (at * 7 + 1) as u8).collect();
            let tiled: Vec<u8> = (0..plan.tiled_bytes).map(|at| (at * 11 + at / 256) as u8).collect();
            all_agree::<true>(&plan, &linear, &tiled);
            all_agree::<false>(&plan, &linear, &tiled);
        }
    }
}

/// Returns the result of a real vector for four sources, in the order of memory.
fn regrouped<V: Vector>() -> Vec<u8> {
    let sources = [0u8, 1, 2, 3].map(|source| core::array::from_fn::<u8, 64, _>(|at| source * 64 + at as u8));
    let mut memory = [0; 4 * 64];
    // SAFETY: 64 bytes are readable at each source; the callers check the processor's features.
    let registers = unsafe { V::regroup([0, 1, 2, 3].map(|number| sources[number].as_ptr())) };
    for (register, target) in registers.into_iter().zip(memory.chunks_exact_mut(V::WIDTH_BYTES)) {
        // SAFETY: a chunk is writable for its width; the callers check the processor's features.
        unsafe { register.store(target.as_mut_ptr()) };
    }
    memory[..4 * V::WIDTH_BYTES].to_vec()
}

#[cfg(target_arch = "x86_64")]
#[test]
fn real_vectors_regroup_as_plain_ones() {
    assert_eq!(regrouped::<super::sse2::Sse2>(), regrouped::<Plain<1>>());
    if Kernel::Avx2.is_available() {
        assert_eq!(regrouped::<super::avx2::Avx2>(), regrouped::<Plain<2>>());
    }
    if Kernel::Avx512.is_available() {
        assert_eq!(regrouped::<super::avx512::Avx512>(), regrouped::<Plain<4>>());
    }
}
