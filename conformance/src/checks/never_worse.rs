//! Check A-51: alignment with the tight flag is never worse than without.

use super::bench::{Bench, INVALID_SIZE, tightened};
use super::tally::{NotApplicable, Tally};
use taut_runtime::AllocationKind;
use taut_runtime::placement::{ResourceClass, Shape};
use taut_schemas::{HResult, ResourceDesc};

/// Compares with the best alignment of the same resource without the flag: its default, or the smaller one where it may
/// be requested. Committed allocations on large pages are exempt (rule A-12).
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    bench.require_tight()?;
    let mut tally = Tally::default();
    for desc in bench.resources().iter() {
        let smaller = ResourceClass::new(&Shape::from(desc)).small_alignment();
        let classic = [*desc, ResourceDesc { alignment_bytes: smaller, ..*desc }];
        let placed = classic.map(|desc| bench.info(desc));
        let valid = placed.map(|info| info.size_bytes != INVALID_SIZE);
        let best = placed.iter().zip(valid).filter(|(_, valid)| *valid).map(|(info, _)| info.alignment_bytes).min();
        let tight = bench.info(tightened(*desc)).alignment_bytes;
        compare(&mut tally, desc, AllocationKind::Placed, tight, best);

        let committed = [(classic[0], valid[0]), (classic[1], valid[1])];
        let created_alignments =
            committed.into_iter().filter(|(_, valid)| *valid).map(|(desc, _)| created(bench, desc));
        let best = created_alignments.collect::<HResult<Vec<u64>>>().map(|alignments| alignments.into_iter().min());
        match (created(bench, tightened(*desc)), best) {
            (Ok(tight), _) if on_large_pages(bench, tight) => {}
            (Ok(tight), Ok(best)) => compare(&mut tally, desc, AllocationKind::Committed, tight, best),
            _ => tally.refused += 1,
        }
    }
    Ok(tally)
}

fn compare(tally: &mut Tally, desc: &ResourceDesc, kind: AllocationKind, tight: u64, best: Option<u64>) {
    let worse = best.filter(|best| tight > *best);
    let what = worse.map(|best| format!("alignment {tight} with the flag; {best} without it"));
    tally.count_allocation(&tightened(*desc), kind, what);
}

/// Returns the alignment of a committed resource.
fn created(bench: &mut Bench<'_>, desc: ResourceDesc) -> HResult<u64> {
    let resource = bench.create_committed(desc)?;
    Ok(bench.alignment_of(resource))
}

fn on_large_pages(bench: &Bench<'_>, alignment: u64) -> bool {
    let page = bench.adapter().filter(|adapter| adapter.caps.large_page_support);
    bench.settings().allow_large_pages
        && page.is_some_and(|adapter| u64::from(adapter.caps.large_page_size_bytes) == alignment)
}
