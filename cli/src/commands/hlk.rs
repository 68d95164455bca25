//! `taut hlk`: the conformance kit.

use super::{alloc_info, cases};
use crate::args::{Common, Hlk};
use crate::world::{DEFAULT_DRIVER, chosen};
use serde_json::{Value, json};
use std::time::Instant;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, table, tell, unknown};
use taut_console::progress;
use taut_runtime::conformance::{self, CHECKS, FailingCase};
use taut_runtime::{Profile, Settings};
use taut_schemas::counted;

/// Puts a driver to the checks. Something was found if it fails one.
pub fn run(hlk: &Hlk, common: Common) -> Outcome {
    let (profile, settings) = chosen(&hlk.world)?;
    if let Some(path) = &hlk.cases {
        return cases::run(path, (&profile, &settings), common);
    }
    let driver = taut_runtime::driver(&profile);
    let started = Instant::now();
    let outcomes = match &hlk.check {
        None => {
            let bar = progress::bar(CHECKS.len() as u64, "checking", common.quiet);
            let outcomes = conformance::run_telling(&*driver, &settings, &mut |_| bar.inc(1));
            bar.finish_and_clear();
            outcomes
        }
        Some(id) => {
            let ids: Vec<&str> = CHECKS.iter().map(|check| check.id).collect();
            let check = conformance::check(id).ok_or_else(|| Failure::usage(unknown("check", id, &ids)))?;
            vec![check.run(&*driver, &settings)]
        }
    };
    if !common.quiet {
        let cases: u64 = outcomes.iter().map(|outcome| outcome.cases).sum();
        tell(format_args!("{} in {:.2} s", counted(cases, "case"), started.elapsed().as_secs_f64()));
    }
    tell_undeclared(&profile, &outcomes);
    if common.json {
        print_json(&json_of(&profile, &settings, &outcomes))?;
    } else {
        print(&text_of(&profile, hlk.world.driver.as_deref().unwrap_or(DEFAULT_DRIVER), &settings, &outcomes))?;
    }
    let failed = outcomes.iter().any(|outcome| outcome.status == conformance::Status::Fail);
    Ok(if failed { Status::Found } else { Status::Fine })
}

/// A profile that names a check which its driver does not fail is out of date.
fn tell_undeclared(profile: &Profile, outcomes: &[conformance::Outcome]) {
    for outcome in outcomes {
        let id = outcome.check.id;
        if outcome.status != conformance::Status::Fail && profile.fails.iter().any(|named| named == id) {
            tell(format_args!("the profile of {} says that it fails {id}, and it does not", profile.name));
        }
    }
}

fn json_of(profile: &Profile, settings: &Settings, outcomes: &[conformance::Outcome]) -> Value {
    let checks = outcomes.iter().map(|outcome| {
        let check = outcome.check;
        let line = outcome.first_failure.as_ref().and_then(|case| line(check.id, case));
        json!({
            "id": check.id,
            "title": check.title,
            "source": check.source,
            "status": outcome.status.name(),
            "detail": outcome.detail,
            "cases": outcome.cases,
            "failures": outcome.failures,
            "declared": profile.fails.iter().any(|named| named == check.id),
            "alloc_info": line,
        })
    });
    json!({
        "driver": profile.name,
        "description": profile.description,
        "rules": settings.rules.name(),
        "checks": checks.collect::<Vec<_>>(),
    })
}

/// The failing case as an input line of `taut alloc-info`, if it is of an allocation of Direct3D 12.
fn line(id: &str, case: &FailingCase) -> Option<Value> {
    let (desc, kind) = case.allocation?;
    Some(alloc_info::line(id, &[desc], kind))
}

fn text_of(profile: &Profile, driver: &str, settings: &Settings, outcomes: &[conformance::Outcome]) -> String {
    // What does not apply is told below, by its reason; who asks for one check gets its line.
    let is_shown =
        |outcome: &&conformance::Outcome| outcomes.len() == 1 || outcome.status != conformance::Status::NotApplicable;
    let rows = outcomes.iter().filter(is_shown).map(|outcome| {
        let cases = if outcome.cases == 0 { String::new() } else { outcome.cases.to_string() };
        let status = outcome.status.name().replace('_', " ");
        [outcome.check.id.to_owned(), status, cases, outcome.check.title.to_owned()]
    });
    let head = format!("{}: {}\n{}\n\n", bold(&profile.name), profile.description.trim(), verdict(outcomes));
    let mut text = folded(&head);
    text += &table(&["check", "status", "cases", "rule"], &[2], rows);
    text += &folded(&inapplicable(outcomes));
    for outcome in outcomes {
        text += &match (outcome.status, &outcome.first_failure) {
            (conformance::Status::Pass | conformance::Status::NotApplicable, _) => continue,
            (conformance::Status::Fail, case) => {
                let head = format!("\n{} fails: {}\n", bold(outcome.check.id), outcome.detail);
                let source = format!("  source  {}\n", outcome.check.source);
                let again = case.as_ref().and_then(|case| line(outcome.check.id, case)).map(|line| {
                    let rules = settings.rules;
                    format!("  see     echo '{line}' | taut alloc-info --driver {driver} --rules {rules}\n")
                });
                // The last line is to be copied, so it stays one.
                folded(&(head + &source)) + &again.unwrap_or_default()
            }
        };
    }
    text
}

/// What it comes to, in a sentence.
fn verdict(outcomes: &[conformance::Outcome]) -> String {
    let ids = |status| -> Vec<&str> {
        outcomes.iter().filter(|outcome| outcome.status == status).map(|outcome| outcome.check.id).collect()
    };
    let failed = ids(conformance::Status::Fail);
    let passes = ids(conformance::Status::Pass).len();
    let passed = counted(passes as u64, "check");
    let inapplicable = ids(conformance::Status::NotApplicable).len();
    let verdict = match (failed.is_empty(), inapplicable == outcomes.len()) {
        (_, true) => "No check applies".to_owned(),
        (true, _) => format!("Passes the {passed} that {}", if passes == 1 { "applies" } else { "apply" }),
        (false, _) => format!("Fails {}; passes {passed}", failed.join(", ")),
    };
    if inapplicable == 0 || inapplicable == outcomes.len() {
        return verdict + ".";
    }
    format!("{verdict}; {inapplicable} {} not apply.", if inapplicable == 1 { "does" } else { "do" })
}

/// Which checks do not apply, those of one reason together.
fn inapplicable(outcomes: &[conformance::Outcome]) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.status == conformance::Status::NotApplicable) {
        match reasons.iter_mut().find(|(reason, _)| *reason == outcome.detail) {
            Some((_, ids)) => ids.push(outcome.check.id),
            None => reasons.push((&outcome.detail, vec![outcome.check.id])),
        }
    }
    let told = reasons.iter().map(|(reason, ids)| {
        let verb = if ids.len() == 1 { "does" } else { "do" };
        format!("\n{} {verb} not apply: {reason}\n", ids.join(", "))
    });
    told.collect()
}
