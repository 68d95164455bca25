//! Tests of hybrid systems: which adapters share frames (rule C-11), and which one a program uses (rule C-12).

use super::presents::{Laptop, ONE_COPY, full, mode, named, two};
use taut_runtime::{DList, Kernel, Profile, Revision, Settings, Wddm};
use taut_schemas::{
    AdapterId, DListQueryDecisionFactor, DListQueryResult, FallbackReason, HResult, HResultCode, HybridPresentMode,
    QueriedDList, WddmVersion, dxgi_ddi, machine, mark,
};

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

/// The integrated and the discrete adapter.
const INTEGRATED: AdapterId = AdapterId::FIRST;
const DISCRETE: AdapterId = AdapterId(2);

/// Returns a discrete adapter's driver with this list of applications.
fn with_dlist(dlist: DList) -> Profile {
    Profile { dlist: Some(dlist), ..named("dgpu") }
}

/// Starts a program on the integrated adapter and another one, under a system of this version. Returns its adapter, the
/// answers of the list, and the lints.
fn started(
    other: &Profile,
    os: WddmVersion,
    application: &str,
) -> (HResult<AdapterId>, Vec<HResult<QueriedDList>>, Vec<mark::DriverViolation>) {
    let settings = Settings { os_wddm_version: Wddm(os), ..Settings::default() };
    let mut laptop = Laptop::under(settings, &[named("igpu-tier3"), other.clone()], &[mode(1920, 1080, 0)]);
    let found = laptop.call(&machine::StartApplication { application: application.to_owned() });
    let answers = laptop.tap.stopped::<dxgi_ddi::QueryDListForApplication2>();
    (found, answers, laptop.tap.marks())
}

#[test]
fn c12_a_program_of_the_discrete_drivers_list_runs_on_the_discrete_adapter() {
    let dlist = DList { applications: vec!["Game.exe".to_owned()], ..DList::default() };
    let listed = QueriedDList {
        result: DListQueryResult::HIGH_PERFORMANCE_PREFERENCE,
        decision_factor: DListQueryDecisionFactor::DLIST_APP_ENTRY,
        library_bytes: 65_536,
        elapsed_ns: 500_000,
    };
    let unlisted = QueriedDList {
        result: DListQueryResult::NO_DATA,
        decision_factor: DListQueryDecisionFactor::UNDEFINED,
        ..listed
    };
    let now = WddmVersion::WDDM_3_2;
    let found = started(&with_dlist(dlist.clone()), now, "game.EXE");
    assert_eq!(found, (Ok(DISCRETE), vec![Ok(listed)], Vec::new()), "the list is queried once, whatever the case");
    let found = started(&with_dlist(dlist.clone()), now, "editor.exe");
    assert_eq!(found, (Ok(INTEGRATED), vec![Ok(unlisted)], Vec::new()));
    let (refused, queries, _) = started(&with_dlist(dlist.clone()), now, "");
    assert_eq!((refused, queries), (Err(HResultCode::E_INVALIDARG), Vec::new()));
    // The function exists from WDDM 2.9 on.
    let (found, queries, _) = started(&with_dlist(dlist.clone()), WddmVersion::WDDM_2_9, "game.exe");
    assert_eq!((found, queries.len()), (Ok(DISCRETE), 1));
    let (found, queries, _) = started(&with_dlist(dlist.clone()), WddmVersion::WDDM_2_8, "game.exe");
    assert_eq!((found, queries.len()), (Ok(INTEGRATED), 0));
    // Without a discrete adapter of a hybrid system, DXGI queries nothing.
    let mut other = named("dgpu");
    if let Some(kernel) = &mut other.kernel {
        kernel.hybrid_discrete = false;
    }
    let (found, queries, _) = started(&other, now, "game.exe");
    assert_eq!((found, queries.len()), (Ok(INTEGRATED), 0));
}

#[test]
fn c12_a_dlist_dll_of_200_kb_or_with_an_answer_after_4_ms_is_a_lint() {
    let lints = |library_bytes: u64, query_us: u64| {
        let dlist = DList { library_bytes, query_us, ..DList::default() };
        let (_, _, lints) = started(&with_dlist(dlist), WddmVersion::WDDM_3_2, "game.exe");
        assert!(lints.iter().all(|lint| lint.lint && lint.rule == "C-12"), "{lints:?}");
        lints.iter().map(|lint| (lint.found, lint.max)).collect::<Vec<_>>()
    };
    assert_eq!(lints(204_799, 3999), []);
    assert_eq!(lints(204_800, 3999), [(204_800, 204_799)]);
    assert_eq!(lints(204_799, 4000), [(4_000_000, 3_999_999)]);
    assert_eq!(lints(1 << 20, 9000).len(), 2);
}
