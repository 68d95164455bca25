//! buffers with the tight flag.

use super::bench::{Bench, tightened};
use super::sweep;
use super::tally::{NotApplicable, Tally};
use crate::d3d12::alloc_info::AllocationKind;
use crate::placement::TIGHT_MAX_BUFFER;

/// Placed buffers of many widths, without flags or formats that conflict. A driver has tight alignment only from DDI
/// 0111 on, so that needs no check of its own.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    bench.needs_tight()?;
    let mut tally = Tally::default();
    for desc in sweep::buffers() {
        let desc = tightened(desc);
        let alignment = bench.info(desc).alignment_bytes;
        let Some((_, answer)) = bench.watched.last_check() else { continue };
        let (size, width) = (answer.size_bytes, desc.width);
        let what = if answer.alignment_bytes > TIGHT_MAX_BUFFER || alignment > TIGHT_MAX_BUFFER {
            Some(format!("a buffer of width {width} has alignment {}; expected at most 256", answer.alignment_bytes))
        } else if size != width {
            Some(format!("a buffer of width {width} has size {size} at the driver interface; expected {width}"))
        } else {
            None
        };
        tally.judge(&desc, AllocationKind::Placed, what);
    }
    Ok(tally)
}
