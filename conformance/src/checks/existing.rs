//! Check A-56: sizes of existing resources.

use super::bench::{Bench, tightened};
use super::tally::{NotApplicable, Tally};
use taut_runtime::AllocationKind;
use taut_schemas::{DriverCall, HResult, ResourceDesc, ResourceId, d3d12_ddi};

/// Creates placed and committed resources, and compares CheckExistingResourceAllocationInfo with the preceding
/// CheckResourceAllocationInfo.
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
    created: HResult<ResourceId>,
) {
    let announced = bench.ddi_recorder.last_check().map(|(_, answer)| answer);
    let driver_data = bench.ddi_recorder.last_creation().and_then(|(_, answer)| answer.ok());
    let (Ok(resource), Some(announced), Some(driver_data)) = (created, announced, driver_data) else {
        tally.refused += 1;
        return;
    };
    let call = d3d12_ddi::CheckExistingResourceAllocationInfo { resource, driver_data };
    let existing = call.dispatch(bench.ddi_recorder.driver);
    let (found, expected) = [existing, announced].map(|info| (info.size_bytes, info.alignment_bytes)).into();
    let what = (found != expected).then(|| {
        format!(
            "announced {} bytes at alignment {}; what exists has {} at {}",
            expected.0, expected.1, found.0, found.1
        )
    });
    tally.count_allocation(desc, kind, what);
    bench.release(resource);
}
