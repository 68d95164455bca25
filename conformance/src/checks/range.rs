//! Check A-55: ranges of tight alignment.

use super::bench::{Bench, tightened};
use super::tally::{NotApplicable, Tally};
use taut_runtime::AllocationKind;
use taut_runtime::placement::{ResourceClass, Shape, TIGHT_MIN_PLACED, is_small, tight_range};
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
    }
    Ok(tally)
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
