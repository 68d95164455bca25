//! Check A-53: equal queries get equal answers.

use super::bench::{Bench, tightened};
use super::tally::{NotApplicable, Tally};
use taut_runtime::AllocationKind;
use taut_schemas::DriverCall;

/// Repeats the runtime's queries twice.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut tally = Tally::default();
    let tight = bench.is_tight();
    for classic in bench.resources().iter() {
        for desc in [Some(*classic), tight.then(|| tightened(*classic))].into_iter().flatten() {
            bench.info(desc);
            let Some((question, first)) = bench.ddi_recorder.last_check() else { continue };
            let driver = bench.ddi_recorder.driver;
            let mut repeats = (0..2).map(|_| question.dispatch(driver));
            let what = repeats.find(|answer| *answer != first).map(|other| {
                format!(
                    "the driver answers size {} at alignment {}, then size {} at alignment {}",
                    first.size_bytes, first.alignment_bytes, other.size_bytes, other.alignment_bytes
                )
            });
            tally.count_allocation(&desc, AllocationKind::Placed, what);
        }
    }
    Ok(tally)
}
