//! the same question, the same answer.

use super::bench::{Bench, tightened};
use super::tally::{NotApplicable, Tally};
use crate::d3d12::alloc_info::AllocationKind;
use taut_schemas::DriverCall;

/// Asks what the runtime asked twice again.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let tight = bench.is_tight();
    for classic in bench.resources().iter() {
        for desc in [Some(*classic), tight.then(|| tightened(*classic))].into_iter().flatten() {
            bench.info(desc);
            let Some((question, first)) = bench.watched.last_check() else { continue };
            let driver = bench.watched.driver;
            let mut again = (0..2).map(|_| question.dispatch(driver));
            let what = again.find(|answer| *answer != first).map(|other| {
                format!(
                    "the driver answers size {} at alignment {}, then size {} at alignment {}",
                    first.size_bytes, first.alignment_bytes, other.size_bytes, other.alignment_bytes
                )
            });
            tally.judge(&desc, AllocationKind::Placed, what);
        }
    }
    Ok(tally)
}
