//! The conformance kit: sound drivers keep every rule, faulty ones break the rules they name (rules ).

use super::bent::Bent;
use std::collections::BTreeSet;
use taut_runtime::conformance::{self, CHECKS, Outcome, Status};
use taut_runtime::{Profile, RuleSet, Settings, alloc_info, driver};
use taut_schemas::{DdiAllocationInfo, HResultCode};

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
fn a50_to_a56_every_bundled_driver_fails_exactly_the_checks_it_names() {
    for (name, _) in Profile::all() {
        let profile = Profile::named(name).unwrap();
        let outcomes = outcomes(&profile);
        assert_eq!(outcomes.len(), CHECKS.len());
        assert_eq!(ids(&outcomes, Status::Fail), profile.fails, "{name}: {:#?}", details(&outcomes));
        let not_applicable: &[&str] = if *name == "legacy" { &["A-50", "A-51", "A-52", "A-55"] } else { &[] };
        assert_eq!(ids(&outcomes, Status::NotApplicable), not_applicable, "{name}");
        for outcome in outcomes {
            assert_eq!(outcome.status == Status::NotApplicable, outcome.cases == 0, "{name}: {outcome:?}");
            assert_eq!(outcome.status == Status::Fail, outcome.first_failure.is_some());
            let least = if outcome.check.id == "A-52" { 300 } else { 5000 };
            assert!(outcome.cases == 0 || outcome.cases > least, "{name}: {outcome:?}");
        }
    }
}

#[test]
fn every_check_has_its_source_and_a_driver_that_fails_it() {
    let failed: BTreeSet<String> =
        Profile::faulty().iter().flat_map(|(name, _)| Profile::named(name).unwrap().fails).collect();
    for check in CHECKS {
        assert!(failed.contains(check.id), "{}", check.id);
        assert!(check.source.contains("Tight Placed Resource Alignment") && !check.title.is_empty());
        assert_eq!(conformance::check(check.id).map(|found| found.id), Some(check.id));
    }
    let ids: Vec<&str> = CHECKS.iter().map(|check| check.id).collect();
    assert_eq!(ids, ["A-50", "A-51", "A-52", "A-53", "A-54", "A-55", "A-56"]);
}

#[test]
fn what_the_kit_finds_in_one_answer_the_runtime_shows_again() {
    // The checks of one answer; the others are of two answers, or of creating.
    for (name, id) in
        [("faulty-buffer-size", "A-52"), ("faulty-buffer-alignment", "A-55"), ("faulty-committed", "A-55")]
    {
        let driver = driver(&Profile::named(name).unwrap());
        let settings = Settings::default();
        let outcome = conformance::check(id).unwrap().run(&*driver, &settings);
        let case = outcome.first_failure.unwrap();
        let said = alloc_info(&settings, &*driver, &[case.desc], case.kind);
        assert_eq!(said.hr, HResultCode::S_OK);
        assert_eq!(said.violations.len(), 1, "{name}: {said:?}");
    }
}

#[test]
fn the_kit_judges_drivers_that_no_profile_describes() {
    let bent = Bent::answering("reference", |desc, _, info| match desc.format.info() {
        Some(_) => DdiAllocationInfo { alignment_bytes: 128 << 10, ..info },
        None => info,
    });
    let outcomes = conformance::run(&*bent, &Settings { strict: true, ..Settings::default() });
    assert_eq!(ids(&outcomes, Status::Fail), ["A-50", "A-55"], "{:#?}", details(&outcomes));
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
