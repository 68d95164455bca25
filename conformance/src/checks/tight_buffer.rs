//! Check A-52: buffers with the tight flag.

use super::bench::{Bench, tightened};
use super::sweep;
use super::tally::{NotApplicable, Tally};
use taut_runtime::AllocationKind;
use taut_runtime::placement::TIGHT_MAX_BUFFER;

/// Checks placed buffers of many widths, without conflicting flags or formats. A driver supports tight alignment from
/// DDI 0111 on only, so that needs no check of its own.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    bench.require_tight()?;
    let mut tally = Tally::default();
    for desc in sweep::buffers() {
        let desc = tightened(desc);
        let alignment = bench.info(desc).alignment_bytes;
        let Some((_, answer)) = bench.ddi_recorder.last_check() else { continue };
        let (size, width) = (answer.size_bytes, desc.width);
        let what = if answer.alignment_bytes > TIGHT_MAX_BUFFER || alignment > TIGHT_MAX_BUFFER {
            Some(format!("a buffer of width {width} has alignment {}; expected at most 256", answer.alignment_bytes))
        } else if size != width {
            Some(format!("a buffer of width {width} has size {size} at the driver interface; expected {width}"))
        } else {
            None
        };
        tally.count_allocation(&desc, AllocationKind::Placed, what);
    }
    Ok(tally)
}
