//! Check A-54: flag of implicit heaps.

use super::bench::{Bench, tightened};
use super::tally::{NotApplicable, Tally};
use taut_runtime::AllocationKind;
use taut_runtime::DdiVersion;
use taut_schemas::{DdiHeapFlags, DriverCall, HeapFlags, ResourceDesc, d3d12_ddi};

/// Committed resources have heaps with the flag from DDI 0115 on; placed resources and explicit heaps never have it
/// (rule A-41). A driver that rejects a heap which it would create without the flag breaks the rule as well.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let marked = bench.adapter().is_some_and(|adapter| adapter.ddi_version >= DdiVersion::V0115);
    let tight = bench.is_tight();
    for classic in bench.resources().iter() {
        for desc in [Some(*classic), tight.then(|| tightened(*classic))].into_iter().flatten() {
            judge_committed(bench, &mut tally, desc, marked);
        }
    }
    judge_heap(bench, &mut tally);
    Ok(tally)
}

fn judge_committed(bench: &mut Bench<'_>, tally: &mut Tally, desc: ResourceDesc, marked: bool) {
    let created = bench.create_committed(desc);
    let Some((creation, answer)) = bench.ddi_recorder.last_creation() else { return };
    let heap = creation.heap_desc.unwrap_or_default();
    let found = heap.flags.contains(DdiHeapFlags::IMPLICIT);
    let what = if found != marked {
        Some(format!(
            "the heap's flags are 0x{:x}; IMPLICIT (0x80) should be {}",
            heap.flags.0,
            if marked { "set" } else { "clear" }
        ))
    } else if let (Err(code), true) = (answer, marked && is_created_without_flag(bench, &creation)) {
        Some(format!("the driver answers {code:?} to a heap marked IMPLICIT, and creates it without the mark"))
    } else if created.is_err() {
        tally.refused += 1;
        return;
    } else {
        None
    };
    tally.count_allocation(&desc, AllocationKind::Committed, what);
    if let Ok(resource) = created {
        bench.release(resource);
    }
}

/// True if the driver creates the same heap without the flag.
fn is_created_without_flag(bench: &Bench<'_>, creation: &d3d12_ddi::CreateHeapAndResource) -> bool {
    let mut unmarked = creation.clone();
    if let Some(heap) = &mut unmarked.heap_desc {
        heap.flags = heap.flags.without(DdiHeapFlags::IMPLICIT);
    }
    unmarked.dispatch(bench.ddi_recorder.driver).is_ok()
}

/// Judges an explicit heap, and a resource placed in it.
fn judge_heap(bench: &mut Bench<'_>, tally: &mut Tally) {
    let buffer = super::sweep::buffers().into_iter().next().unwrap_or_default();
    let denied = HeapFlags::DENY_RT_DS_TEXTURES | HeapFlags::DENY_NON_RT_DS_TEXTURES;
    let _ = bench.create_heap(1 << 20, denied);
    let heap = bench.ddi_recorder.last_creation().and_then(|(creation, _)| creation.heap_desc).unwrap_or_default();
    let what =
        heap.flags.contains(DdiHeapFlags::IMPLICIT).then(|| "CreateHeap makes a heap marked IMPLICIT".to_owned());
    tally.count_allocation(&buffer, AllocationKind::Placed, what);
    if let Ok(resource) = bench.create_placed(buffer) {
        let creation = bench.ddi_recorder.last_creation().map(|(creation, _)| creation);
        let with_heap = creation.is_some_and(|creation| creation.heap_desc.is_some());
        let what = with_heap.then(|| "a placed resource is created with a heap of its own".to_owned());
        tally.count_allocation(&buffer, AllocationKind::Placed, what);
        bench.release(resource);
    }
}
