//! Tests of the conformance kit: conforming drivers pass every check, faulty ones fail the checks they list (rules A-50
//! to A-56, T-04 and T-05, and those of background processing).

use super::modified_answers::ModifiedAnswers;
use std::collections::BTreeSet;
use taut_conformance::{self as conformance, CHECKS, Outcome, Status};
use taut_runtime::{Profile, RuleSet, Settings, alloc_info, driver};
use taut_schemas::{CapsData, DdiAllocationInfo, Driver, DriverLayer, HResult, HResultCode, ResourceFlags, d3d12_ddi};

fn outcomes(profile: &Profile) -> Vec<Outcome> {
    conformance::run(&*driver(profile), &Settings::default())
}

fn ids(outcomes: &[Outcome], status: Status) -> Vec<&str> {
    outcomes.iter().filter(|outcome| outcome.status == status).map(|outcome| outcome.check.id).collect()
}

fn details(outcomes: &[Outcome]) -> Vec<String> {
    outcomes.iter().map(|outcome| format!("{} {:?}: {}", outcome.check.id, outcome.status, outcome.detail)).collect()
}

#[test]
fn every_bundled_driver_fails_exactly_the_checks_it_names() {
    for (name, _) in Profile::all() {
        let profile = Profile::named(name).unwrap();
        let outcomes = outcomes(&profile);
        assert_eq!(outcomes.len(), CHECKS.len());
        assert_eq!(ids(&outcomes, Status::Fail), profile.fails, "{name}: {:#?}", details(&outcomes));
        let untight: &[&str] = if *name == "legacy" { &["A-50", "A-51", "A-52", "A-55"] } else { &[] };
        let unextended: &[&str] = if profile.direct_access.is_none() { &["T-04", "T-05"] } else { &[] };
        let foreground: Vec<&str> = CHECKS.iter().map(|check| check.id).filter(|id| id.starts_with('B')).collect();
        let foreground = match &profile.background {
            None => foreground,
            // The older interface has no answer to write.
            Some(_) if *name == "pgo-0062" => vec!["B-07", "B-40"],
            Some(_) if *name == "faulty-never-converges" => vec!["B-53"],
            Some(_) => Vec::new(),
        };
        let kernelless: &[&str] = match &profile.kernel {
            None => &[
                "C-01", "C-02", "C-03", "C-04", "C-06", "C-07", "C-08", "C-09", "C-10", "C-12", "C-13", "C-20", "C-21",
                "C-22", "C-26",
            ],
            // Adapters that do not start are not checked.
            Some(_) if *name == "faulty-tier-gap" => {
                &["C-03", "C-06", "C-08", "C-09", "C-10", "C-12", "C-13", "C-20", "C-21", "C-22", "C-26"]
            }
            Some(_) if ["faulty-early-tier", "faulty-cap-over-tier"].contains(name) => {
                &["C-09", "C-10", "C-12", "C-13", "C-20", "C-21", "C-22", "C-26"]
            }
            Some(_) if ["faulty-counts-adapters", "faulty-fewer-tiers"].contains(name) => &["C-12"],
            Some(_) if *name == "faulty-no-overlay-check" => &["C-21", "C-22", "C-26"],
            Some(_) if *name == "faulty-no-primaries" => &["C-09", "C-10"],
            Some(_) if *name == "faulty-misses-format" => &["C-13"],
            Some(_) if BELOW_TEXTURES.contains(name) => &["C-09", "C-10", "C-13", "C-20", "C-21", "C-22", "C-26"],
            Some(_) if BELOW_SCAN_OUT.contains(name) => &["C-10", "C-20", "C-21", "C-22", "C-26"],
            Some(_) => &[],
        };
        let handles = CHECKS.iter().map(|check| check.id).filter(|id| id.starts_with('H'));
        // Without a device, or if the driver builds no lists, no lists are compared.
        let is_listless = ["d3d10umd-like", "faulty-poll-error", "faulty-unthreaded-lists"].contains(name);
        let unrecorded = |id: &&str| is_listless && RECORDED.contains(id);
        let handleless: Vec<&str> = handles.filter(|id| profile.contexts.is_none() || unrecorded(id)).collect();
        let others = foreground.into_iter().chain(kernelless.iter().copied()).chain(handleless);
        let others = others.chain(unextended.iter().copied());
        let unconcerned: Vec<&str> = untight.iter().copied().chain(others).collect();
        assert_eq!(ids(&outcomes, Status::NotApplicable), unconcerned, "{name}");
        for outcome in outcomes {
            assert_eq!(outcome.status == Status::NotApplicable, outcome.cases == 0, "{name}: {outcome:?}");
            assert_eq!(outcome.status == Status::Fail, outcome.first_failure.is_some());
            let min_cases = match outcome.check.id {
                id if id.starts_with(['B', 'C', 'H']) => 0,
                "A-52" | "T-04" | "T-05" => 300,
                _ => 5000,
            };
            assert!(outcome.cases == 0 || outcome.cases > min_cases, "{name}: {outcome:?}");
        }
    }
}

/// Checks that compare command lists.
const RECORDED: [&str; 5] = ["H-41", "H-44", "H-46", "H-61", "H-75"];

/// Drivers with a kernel-mode part that have tier 2, and not tier 3.
const BELOW_SCAN_OUT: [&str; 2] = ["igpu-tier2", "faulty-hybrid-tier"];

/// Drivers with at most tier 1.
const BELOW_TEXTURES: [&str; 3] = ["igpu-tier1", "dgpu", "faulty-slow-dlist"];

/// Checks that no profile fails; drivers of kit_background.rs do.
const UNLISTED: [&str; 5] = ["B-25", "B-38", "B-59", "B-70", "B-73"];

#[test]
fn every_check_has_its_source_and_a_driver_that_fails_it() {
    let failed: BTreeSet<String> =
        Profile::faulty().iter().flat_map(|(name, _)| Profile::named(name).unwrap().fails).collect();
    for check in CHECKS {
        assert!(failed.contains(check.id) || UNLISTED.contains(&check.id), "{}", check.id);
        let document = match &check.id[..1] {
            "H" if check.source.starts_with("Context-local DDI handles") => "",
            "H" if check.source.starts_with("d3d10umddi.h") => "THREADING_CAPS",
            "H" if check.source.starts_with("Direct3D 11.3 Functional Specification") => "",
            "H" if check.source.starts_with("d3d11.h: ID3D11") => "",
            "H" => "WDK: ",
            "T" => "Extension for Instant Access",
            "B" => "Background Processing",
            "C" if check.id == "C-12" => "Validating a hybrid system configuration",
            "C" => "cross-adapter resource scan-out",
            _ => "Tight Placed Resource Alignment",
        };
        assert!(check.source.contains(document) && !check.title.is_empty());
        assert_eq!(conformance::check(check.id).map(|found| found.id), Some(check.id));
    }
    let ids: Vec<&str> = CHECKS.iter().map(|check| check.id).collect();
    assert!(ids.is_sorted());
}

#[test]
fn the_runtime_reports_what_the_kit_finds_in_one_answer() {
    // Checks of one answer; the others are about two answers, or about creations.
    for (name, id) in
        [("faulty-buffer-size", "A-52"), ("faulty-buffer-alignment", "A-55"), ("faulty-committed", "A-55")]
    {
        let driver = driver(&Profile::named(name).unwrap());
        let settings = Settings::default();
        let outcome = conformance::check(id).unwrap().run(&*driver, &settings);
        let (desc, kind) = outcome.first_failure.unwrap().allocation.unwrap();
        let answer = alloc_info(&settings, &*driver, &[desc], kind);
        assert_eq!(answer.hr, HResultCode::S_OK);
        assert_eq!(answer.violations.len(), 1, "{name}: {answer:?}");
    }
}

#[test]
fn the_kit_judges_drivers_that_no_profile_describes() {
    let modified_answers = ModifiedAnswers::answering("reference", |desc, _, info| match desc.format.info() {
        Some(_) => DdiAllocationInfo { alignment_bytes: 128 << 10, ..info },
        None => info,
    });
    let outcomes = conformance::run(&*modified_answers, &Settings { strict: true, ..Settings::default() });
    assert_eq!(ids(&outcomes, Status::Fail), ["A-50", "A-55"], "{:#?}", details(&outcomes));
}

#[test]
fn a_driver_without_a_device_fails_every_check() {
    let (driver, settings) = (Mute(driver(&Profile::named("reference").unwrap())), Settings::default());
    assert_eq!(ids(&conformance::run(&driver, &settings), Status::Fail).len(), CHECKS.len());
    assert_eq!(CHECKS[0].run(&driver, &settings).status, Status::Fail);
}

#[test]
fn the_rule_set_does_not_change_what_a_driver_must_do() {
    let settings = Settings { rules: RuleSet::R1_619_4, ..Settings::default() };
    for name in ["tightest", "faulty-committed"] {
        let profile = Profile::named(name).unwrap();
        let outcomes = conformance::run(&*driver(&profile), &settings);
        assert_eq!(ids(&outcomes, Status::Fail), profile.fails, "{name}: {:#?}", details(&outcomes));
    }
}

#[test]
fn a12_without_large_pages_their_alignment_is_a_failure() {
    let settings = Settings { allow_large_pages: false, ..Settings::default() };
    let outcomes = conformance::run(&*driver(&Profile::named("large-pages").unwrap()), &settings);
    assert_eq!(ids(&outcomes, Status::Fail), ["A-51", "A-55"], "{:#?}", details(&outcomes));
}

/// Returns the text of a check's first failure for a faulty driver.
fn failure_text(id: &str, name: &str) -> String {
    let profile = Profile::named(name).unwrap();
    let outcome = conformance::check(id).unwrap().run(&*driver(&profile), &Settings::default());
    assert_eq!(outcome.status, Status::Fail, "{outcome:?}");
    assert!(outcome.failures > 0 && outcome.failures <= outcome.cases);
    outcome.first_failure.unwrap().what
}

#[test]
fn a50_a_cross_adapter_resource_keeps_its_alignment_at_both_interfaces() {
    let what = failure_text("A-50", "faulty-cross-adapter");
    assert_eq!(what, "the driver answers alignment 4096 and the API says 65536; expected 65536");
    let profile = Profile::named("faulty-cross-adapter").unwrap();
    let outcome = conformance::check("A-50").unwrap().run(&*driver(&profile), &Settings::default());
    let both = ResourceFlags::USE_TIGHT_ALIGNMENT | ResourceFlags::ALLOW_CROSS_ADAPTER;
    let (desc, _) = outcome.first_failure.unwrap().allocation.unwrap();
    assert!(desc.flags.contains(both));
}

#[test]
fn a51_tight_is_compared_with_the_best_that_classic_can_have() {
    assert_eq!(failure_text("A-51", "faulty-worse"), "alignment 4194304 with the flag; 65536 without it");
}

#[test]
fn a52_a_tight_buffer_has_256_bytes_of_alignment_and_its_width() {
    let what = failure_text("A-52", "faulty-buffer-size");
    assert_eq!(what, "a buffer of width 1 has size 65536 at the driver interface; expected 1");
    let what = failure_text("A-52", "faulty-buffer-alignment");
    assert_eq!(what, "a buffer of width 1 has alignment 512; expected at most 256");
}

#[test]
fn a53_the_same_query_is_repeated() {
    let what = failure_text("A-53", "faulty-drifting");
    assert!(what.starts_with("the driver answers size ") && what.contains(", then size "), "{what}");
}

#[test]
fn a54_rejecting_the_flag_differs_from_failing_to_create() {
    let what = failure_text("A-54", "faulty-implicit-heap");
    assert_eq!(what, "the driver answers E_INVALIDARG to a heap marked IMPLICIT, and creates it without the mark");
    let outcomes = outcomes(&Profile::named("faulty-implicit-heap").unwrap());
    let existing = outcomes.iter().find(|outcome| outcome.check.id == "A-56").unwrap();
    assert!(existing.detail.contains("refused to create"), "{}", existing.detail);
    assert!(existing.cases > 0, "placed resources are judged");
}

#[test]
fn a55_committed_resources_have_a_range_of_their_own() {
    let what = failure_text("A-55", "faulty-committed");
    assert_eq!(what, "a committed buffer has alignment 256; expected a power of two from 4096 to 4096");
    let what = failure_text("A-55", "faulty-odd-alignment");
    assert_eq!(what, "a placed buffer has alignment 24; expected a power of two from 8 to 256");
}

#[test]
fn a56_what_exists_is_compared_with_what_was_announced() {
    let what = failure_text("A-56", "faulty-existing");
    assert_eq!(what, "announced 1 bytes at alignment 256; what exists has 65536 at 256");
}

/// Returns the first failure of the check that a faulty driver lists.
fn found(name: &str) -> String {
    failure_text(&Profile::named(name).unwrap().fails[0], name)
}

#[test]
fn h11_memory_past_the_end_of_a_handle_is_not_accessed() {
    let what = found("faulty-past-the-end");
    assert!(what.starts_with("address 0x") && what.ends_with(" belongs to no handle"), "{what}");
}

#[test]
fn h28_h60_h72_h76_errors_are_reported_with_the_class_of_their_call() {
    for (name, expected) in [
        ("faulty-poll-error", "E_OUTOFMEMORY is reported of a call of the class NoErrors"),
        ("faulty-list-error", "E_INVALIDARG is reported of a call of the class AllowOutOfMemory"),
        ("faulty-success", "S_OK is reported of a call of the class AllowDeviceRemoved"),
        ("faulty-reports-twice", "E_OUTOFMEMORY is reported of a call of the class AllowDeviceRemoved"),
    ] {
        assert_eq!(found(name), expected, "{name}");
    }
}

#[test]
fn h32_contexts_that_count_on_one_line_are_found() {
    let what = found("faulty-one-line");
    assert!(what.contains("touches a cache line of another context: write at handle 0x"), "{what}");
}

#[test]
fn h41_h44_what_a_context_records_does_not_depend_on_what_it_was() {
    for name in ["faulty-leftovers", "faulty-recycles-nothing"] {
        let what = found(name);
        assert!(what.starts_with("the same calls are recorded as RecordedCommands"), "{name}: {what}");
    }
}

#[test]
fn h43_a_callback_of_the_immediate_context_fails_in_a_deferred_one() {
    let what = found("faulty-staging-callback");
    assert!(what.starts_with("it is disabled in a call on context "), "{what}");
}

#[test]
fn h46_h75_used_budget_is_released_and_memory_recovers() {
    let what = found("faulty-keeps-memory");
    assert!(what.starts_with("memory is out in recording ") && what.ends_with("it was not in the first"), "{what}");
    assert_eq!(found("faulty-never-recovers"), "memory is still out after FinishCommandList");
}

#[test]
fn h59_h65_executed_commands_are_compared_with_recorded_ones() {
    for name in ["faulty-nested-lists", "faulty-old-lists"] {
        let what = found(name);
        assert!(what.contains(" commands (digest 0x") && what.ends_with(" were executed"), "{name}: {what}");
    }
}

#[test]
fn h61_two_discards_are_mapped_at_two_places() {
    let what = found("faulty-discards-in-place");
    assert!(what.starts_with("two discards of a recording are mapped at 0x"), "{what}");
}

#[test]
fn h80_h81_functions_that_any_thread_may_call_write_nothing_besides() {
    for name in ["faulty-counts-creations", "faulty-counts-queries"] {
        let what = found(name);
        assert!(what.starts_with("a free-threaded function writes: "), "{name}: {what}");
    }
}

#[test]
fn t04_a_pair_for_direct_access_is_to_be_bound() {
    let what = failure_text("T-04", "faulty-direct-copy");
    assert_eq!(
        what,
        "the driver answers COPIED to the copy of a pair created for direct access (1 by 1 texels of \
         R32G32B32A32_TYPELESS); expected BOUND"
    );
}

#[test]
fn t05_a_staging_texture_takes_nothing_and_is_mapped_where_its_texture_lies() {
    let what = failure_text("T-05", "faulty-direct-staging");
    assert_eq!(
        what,
        "the driver wants 4096 bytes for a staging texture (1 by 1 texels of R32G32B32A32_TYPELESS); expected none"
    );
    let what = failure_text("T-05", "faulty-direct-pointer");
    assert!(what.starts_with("Map gives 4096 bytes at 0x") && what.contains("; expected them in the 4096 at 0x"));
}

/// Driver that answers no caps query.
struct Mute(Box<dyn Driver>);

impl DriverLayer for Mute {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.0
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Mute {
    fn get_caps(&self, _: &d3d12_ddi::GetCaps) -> HResult<CapsData> {
        Err(HResultCode::E_FAIL)
    }
}
