//! Check A-55: ranges of tight alignment.

use super::bench::{Bench, INVALID_SIZE, tightened};
use super::tally::{NotApplicable, Tally};
use taut_runtime::placement::{AlignmentRange, ResourceClass, Shape, TIGHT_MIN_PLACED, is_small, tight_range};
use taut_runtime::{AllocationKind, RuleSet};
use taut_schemas::{DdiAllocationInfo, ResourceDesc};

/// Checks the driver's answers for placed and committed resources. Another check covers their creation, so the driver
/// is queried directly.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    bench.require_tight()?;
    let mut tally = Tally::default();
    for classic in bench.resources().iter() {
        let desc = tightened(*classic);
        bench.info(desc);
        if let Some((_, answer)) = bench.ddi_recorder.last_check() {
            judge(bench, &mut tally, &desc, AllocationKind::Placed, &answer);
        }
        let created = bench.create_committed(desc);
        if let Some((_, answer)) = bench.ddi_recorder.last_check() {
            judge(bench, &mut tally, &desc, AllocationKind::Committed, &answer);
        }
        if let Ok(resource) = created {
            bench.release(resource);
        }
        if bench.settings().rules == RuleSet::R1_619_4 {
            FLOORS.into_iter().for_each(|floor| judge_floor(bench, &mut tally, desc, floor));
        }
    }
    Ok(tally)
}

/// Requested alignments that are a floor under rule set 1.619.4 (rule A-16): a buffer's maximum, and two above it.
const FLOORS: [u64; 3] = [256, 4 << 10, 64 << 10];

/// Checks the answers for a resource that requests a minimum alignment. The runtime refuses a floor above the maximum of
/// the resource's class; such a floor is no case.
fn judge_floor(bench: &mut Bench<'_>, tally: &mut Tally, desc: ResourceDesc, floor: u64) {
    let desc = ResourceDesc { alignment_bytes: floor, ..desc };
    let info = bench.info(desc);
    if info.size_bytes != INVALID_SIZE {
        if let Some((_, answer)) = bench.ddi_recorder.last_check() {
            judge(bench, tally, &desc, AllocationKind::Placed, &answer);
        }
        let wrong = info.alignment_bytes < floor || !info.alignment_bytes.is_power_of_two();
        let found = info.alignment_bytes;
        let what = || format!("GetResourceAllocationInfo returns alignment {found}; expected {floor} or more");
        tally.count_allocation(&desc, AllocationKind::Placed, wrong.then(what));
    }
    if let Ok(resource) = bench.create_committed(desc) {
        if let Some((_, answer)) = bench.ddi_recorder.last_check() {
            judge(bench, tally, &desc, AllocationKind::Committed, &answer);
        }
        bench.release(resource);
    }
}

fn judge(bench: &Bench<'_>, tally: &mut Tally, desc: &ResourceDesc, kind: AllocationKind, answer: &DdiAllocationInfo) {
    let settings = bench.settings();
    let shape = Shape::from(desc);
    let class = ResourceClass::new(&shape);
    let small = is_small(&shape, settings.small_msaa);
    let committed = kind == AllocationKind::Committed;
    let mut range = tight_range(class, small, committed);
    if !settings.restriction_is_minimum {
        range.min = TIGHT_MIN_PLACED;
    }
    if committed {
        // The requested floor of a committed resource reaches the driver as AlignmentRestriction.
        range = AlignmentRange { min: range.min.max(desc.alignment_bytes), max: range.max.max(desc.alignment_bytes) };
    }
    let found = answer.alignment_bytes;
    let page = bench.adapter().filter(|adapter| adapter.caps.large_page_support && settings.allow_large_pages);
    let page = page.map_or(0, |adapter| u64::from(adapter.caps.large_page_size_bytes));
    let on_large_pages = committed && page == found && page != 0 && answer.size_bytes.is_multiple_of(page);
    let odd = settings.require_power_of_two && !found.is_power_of_two();
    let wrong = odd || !(range.contains(found) || on_large_pages);
    let what = || {
        let (size, state) = if small { ("small ", kind_name(kind)) } else { ("", kind_name(kind)) };
        let (min, max) = (range.min, range.max);
        let class = class.name();
        format!("a {state} {size}{class} has alignment {found}; expected a power of two from {min} to {max}")
    };
    tally.count_allocation(desc, kind, wrong.then(what));
}

fn kind_name(kind: AllocationKind) -> &'static str {
    match kind {
        AllocationKind::Placed => "placed",
        AllocationKind::Committed => "committed",
    }
}
