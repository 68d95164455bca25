//! Check A-50: tight alignment and cross-adapter access.

use super::bench::{Bench, INVALID_SIZE, tightened};
use super::tally::{NotApplicable, Tally};
use taut_runtime::AllocationKind;
use taut_runtime::placement::{KIB_4, Shape, default_alignment};
use taut_schemas::{Dimension, ResourceDesc, ResourceFlags, TextureLayout};

/// Alignments in bytes that an application may request with the flag: none, that of a small resource, and a floor (rule
/// Rejected alignments are not checked.
const ALIGNMENTS_BYTES: [u64; 3] = [0, KIB_4, 16];

/// Checks that API and driver report the classic alignment, small or not.
pub(super) fn check(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    bench.require_tight()?;
    let mut tally = Tally::default();
    for desc in bench.resources().iter() {
        let tight = tightened(*desc);
        let crossing = ResourceDesc { flags: tight.flags | ResourceFlags::ALLOW_CROSS_ADAPTER, ..tight };
        // Cross-adapter textures have one mip level.
        let crossing = ResourceDesc { mip_levels: 1, ..crossing };
        for alignment_bytes in ALIGNMENTS_BYTES {
            judge(bench, &mut tally, ResourceDesc { alignment_bytes, ..crossing });
        }
        let single = desc.depth_or_array_size == 1 && desc.mip_levels == 1 && desc.sample_count == 1;
        if desc.dimension == Dimension::TEXTURE2D && single {
            judge(bench, &mut tally, ResourceDesc { layout: TextureLayout::ROW_MAJOR, ..crossing });
        }
    }
    Ok(tally)
}

/// Judges a resource if its description is valid.
fn judge(bench: &mut Bench<'_>, tally: &mut Tally, desc: ResourceDesc) {
    let info = bench.info(desc);
    let Some((_, answer)) = bench.ddi_recorder.last_check().filter(|_| info.size_bytes != INVALID_SIZE) else { return };
    let expected = default_alignment(&Shape::from(&desc));
    let wrong = (info.alignment_bytes, answer.alignment_bytes) != (expected, expected);
    let what = || {
        format!(
            "the driver answers alignment {} and the API says {}; expected {expected}",
            answer.alignment_bytes, info.alignment_bytes
        )
    };
    tally.count_allocation(&desc, AllocationKind::Placed, wrong.then(what));
}
