//! Advice about descriptions: the runtime accepts it, and it saves what the report claims.
#![allow(clippy::expect_used)]

mod causes;
mod heaps;
mod programs;
mod real_log;
mod reported;
mod scenes;

use programs::{DRIVERS, answer, buffers, header, kind_of, textures, world};
use proptest::prelude::*;
use std::sync::Arc;
use taut_analyze::memory::{Backing, World};
use taut_analyze::reports::alignment::{Advised, AdvisedKind, AlignmentFigures, WorstFigures};
use taut_replay::RecordedSizes;
use taut_runtime::{AllocationKind, RuleSet};
use taut_schemas::format::Format;
use taut_schemas::{AdapterId, Dimension, ResourceDesc, ResourceFlags, ResourceId, ResourceSizes};

/// Returns the resource of an advice before and after the change.
fn changed(
    world: &World,
    worst: &WorstFigures,
    advised: &Advised,
) -> (ResourceDesc, bool, ResourceDesc, AllocationKind) {
    let found = world.resources.iter().find(|resource| resource.id == ResourceId(worst.resource));
    let resource = found.expect("the resource of the advice");
    let desc = ResourceDesc { alignment_bytes: advised.alignment, flags: advised.flags, ..resource.desc };
    let kind = kind_of(advised.kind == AdvisedKind::Committed);
    (resource.desc, matches!(resource.backing, Backing::Committed { .. }), desc, kind)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_advised_description_is_accepted_and_saves_what_is_claimed(
        name in prop::sample::select(DRIVERS.to_vec()),
        rules in prop::sample::select(RuleSet::ALL.to_vec()),
        requested in prop::collection::vec((prop_oneof![buffers(), textures()], any::<bool>()), 1..12),
    ) {
        let (header, profile, settings) = header(name, rules);
        let world = world(&profile, &settings, &requested);
        let sizes = RecordedSizes::of(&header).expect("a world that this build knows");
        let figures = AlignmentFigures::with_sizes(&world, Some(&sizes));
        for worst in &figures.worst {
            let Some(advised) = &worst.advised else { continue };
            let (desc, committed, desc_advised, kind) = changed(&world, worst, advised);
            let before = answer(&profile, &settings, &desc, kind_of(committed)).expect("it was created");
            let after = answer(&profile, &settings, &desc_advised, kind);
            prop_assert!(after.is_some(), "{name}, {rules}: refused {desc_advised:?}, advised for {desc:?}");
            let after = after.expect("an answer").size_bytes;
            prop_assert_eq!(after, advised.size_bytes);
            prop_assert_eq!(before.size_bytes - after, advised.saving_bytes);
            prop_assert_eq!(advised.group_saving_bytes, advised.saving_bytes * worst.group_size);
        }
    }
}

/// Returns the advice for one placed resource under the reference model.
fn advised(desc: ResourceDesc, name: &str) -> (WorstFigures, u64) {
    let (header, profile, settings) = header(name, RuleSet::R1_618);
    let world = world(&profile, &settings, &[(desc, false)]);
    let sizes = Arc::new(RecordedSizes::of(&header).expect("a world that this build knows"));
    let figures = AlignmentFigures::with_sizes(&world, Some(&*sizes));
    let taken = answer(&profile, &settings, &desc, AllocationKind::Placed).expect("it was created").size_bytes;
    (figures.worst.into_iter().next().expect("it wastes memory"), taken)
}

fn rgba8(width: u64, height: u32, depth_or_array_size: u16) -> ResourceDesc {
    let (dimension, format) = (Dimension::TEXTURE2D, Format::R8G8B8A8_UNORM);
    let (mip_levels, sample_count) = (1, 1);
    ResourceDesc {
        dimension,
        width,
        height,
        depth_or_array_size,
        mip_levels,
        format,
        sample_count,
        ..Default::default()
    }
}

#[test]
fn a_texture_small_in_bytes_but_not_in_tiles_is_not_advised_to_request_4_kib() {
    // 8 by 1000 texels are 31 KiB, but 32 tiles of 4 KiB: twice the maximum of a small texture.
    let desc = rgba8(8, 1000, 1);
    let (_, profile, settings) = header("legacy", RuleSet::R1_618);
    let small = ResourceDesc { alignment_bytes: 4096, ..desc };
    assert_eq!(answer(&profile, &settings, &small, AllocationKind::Placed), None);
    let (worst, _) = advised(desc, "legacy");
    assert_eq!(worst.advised, None, "{worst:#?}");
    assert!(!worst.advice.contains("4.00 KiB"), "{}", worst.advice);
}

#[test]
fn a_small_array_is_advised_to_request_4_kib() {
    let desc = rgba8(16, 16, 8);
    let (worst, taken) = advised(desc, "legacy");
    let found = worst.advised.expect("advice");
    assert_eq!((found.kind, found.alignment), (AdvisedKind::Placed, 4096));
    assert_eq!(found.saving_bytes, taken - found.size_bytes);
    assert!(found.saving_bytes > 0 && worst.advice.contains("with an Alignment of 4.00 KiB"), "{}", worst.advice);
}

#[test]
fn a_driver_without_tight_alignment_is_not_advised_to_have_it() {
    let (worst, _) = advised(ResourceDesc::buffer(100), "legacy");
    assert_eq!(worst.advised, None, "{worst:#?}");
    assert!(worst.advice.starts_with("Join several buffers into one"), "{}", worst.advice);
    let (worst, _) = advised(ResourceDesc::buffer(100), "reference");
    let found = worst.advised.expect("advice");
    assert!(found.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) && found.alignment == 0);
}

#[test]
fn the_adapter_of_a_resource_answers_for_it() {
    let (mut world, ..) = header("legacy", RuleSet::R1_618);
    world.adapters.extend(header("reference", RuleSet::R1_618).0.adapters);
    let sizes = RecordedSizes::of(&world).expect("a world that this build knows");
    let tight = ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(100) };
    assert_eq!(sizes.placed(AdapterId::FIRST, &tight), None);
    assert_eq!(sizes.placed(AdapterId(2), &tight).map(|info| info.size_bytes), Some(256));
    assert_eq!(sizes.committed(AdapterId(2), &tight).map(|info| info.size_bytes), Some(4096));
}
