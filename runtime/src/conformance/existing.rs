//! what a driver says of a resource once it exists.

use super::bench::{Bench, tightened};
use super::tally::{NotApplicable, Tally};
use crate::d3d12::alloc_info::AllocationKind;
use taut_schemas::{DriverCall, HResult, ResourceDesc, ResourceId, d3d12_ddi};

/// Creates placed and committed resources, and compares CheckExistingResourceAllocationInfo with the
/// CheckResourceAllocationInfo that went before.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let tight = bench.is_tight();
    for classic in bench.resources().iter() {
        for desc in [Some(*classic), tight.then(|| tightened(*classic))].into_iter().flatten() {
            let placed = bench.create_placed(desc);
            judge(bench, &mut tally, &desc, AllocationKind::Placed, placed);
            let committed = bench.create_committed(desc);
            judge(bench, &mut tally, &desc, AllocationKind::Committed, committed);
        }
    }
    Ok(tally)
}

fn judge(
    bench: &mut Bench<'_>,
    tally: &mut Tally,
    desc: &ResourceDesc,
    kind: AllocationKind,
    made: HResult<ResourceId>,
) {
    let announced = bench.watched.last_check().map(|(_, answer)| answer);
    let kept = bench.watched.last_creation().and_then(|(_, answer)| answer.ok());
    let (Ok(resource), Some(announced), Some(kept)) = (made, announced, kept) else {
        tally.refused += 1;
        return;
    };
    let call = d3d12_ddi::CheckExistingResourceAllocationInfo { resource, kept };
    let existing = call.dispatch(bench.watched.driver);
    let (found, expected) = [existing, announced].map(|info| (info.size_bytes, info.alignment_bytes)).into();
    let what = (found != expected).then(|| {
        format!(
            "announced {} bytes at alignment {}; what exists has {} at {}",
            expected.0, expected.1, found.0, found.1
        )
    });
    tally.judge(desc, kind, what);
    bench.release(resource);
}
