//! Tests of hybrid systems: which adapters share frames (rule C-11).

use super::presents::{Laptop, ONE_COPY, full, mode, named, two};
use taut_runtime::{Kernel, Revision, Settings, Wddm};
use taut_schemas::{FallbackReason, HybridPresentMode, WddmVersion};

#[test]
fn c11_adapters_that_are_not_hybrid_by_name_share_frames_in_one_copy_too() {
    let mut profile = named("igpu-tier3");
    if let Some(kernel) = &mut profile.kernel {
        kernel.hybrid_integrated = false;
    }
    assert_eq!(Laptop::with(&profile).decided(full()), ONE_COPY);
}

/// Returns the path of a chain on two adapters, whose rendering driver has this version and is hybrid or not.
fn path_at(
    revision: Revision,
    versions: [WddmVersion; 2],
    is_hybrid: [bool; 2],
) -> (HybridPresentMode, FallbackReason) {
    let ([os, render], [render_hybrid, display_hybrid]) = (versions, is_hybrid);
    let (mut shows, mut renders) = (named("igpu-tier3"), named("dgpu"));
    let (Some(display), Some(kernel)) = (&mut shows.kernel, &mut renders.kernel) else { panic!("kernel-mode drivers") };
    display.hybrid_integrated = display_hybrid;
    renders.caps.cross_adapter_row_major_texture = false;
    *kernel = Kernel {
        wddm_version: Wddm(render),
        cross_adapter_resource_texture: false,
        cross_adapter_resource_scanout: false,
        hybrid_discrete: render_hybrid,
        ..kernel.clone()
    };
    let settings = Settings { revision, os_wddm_version: Wddm(os), ..Settings::default() };
    Laptop::under(settings, &[shows, renders], &[mode(1920, 1080, 0)]).decided(full())
}

#[test]
fn c11_below_wddm_2_4_hybrid_systems_alone_share_frames() {
    let (before, first, now) = (WddmVersion::WDDM_2_3, WddmVersion::WDDM_2_4, WddmVersion::WDDM_3_2);
    for hybrid in [[true, true], [true, false], [false, true], [false, false]] {
        for versions in [[now, first], [first, now], [first, first]] {
            assert_eq!(path_at(Revision::CURRENT, versions, hybrid), ONE_COPY, "{versions:?} {hybrid:?}");
        }
        for versions in [[now, before], [before, now], [before, before]] {
            let expected = if hybrid == [true, true] { ONE_COPY } else { two(FallbackReason::NO_HYBRID_SYSTEM) };
            assert_eq!(path_at(Revision::CURRENT, versions, hybrid), expected, "{versions:?} {hybrid:?}");
            assert_eq!(path_at(Revision::CHAIN_OWNERS, versions, hybrid), ONE_COPY, "{versions:?} {hybrid:?}");
        }
    }
}
