//! `taut hlk`: runs the conformance kit on a driver model.

use super::{cases, hlk_grid};
use crate::args::{Common, Hlk};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use std::time::Instant;
use taut_app::hlk::{self, HlkOptions, HlkResults, alloc_info_line};
use taut_app::world::DEFAULT_DRIVER;
use taut_conformance as conformance;
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, print_message, ranked_table};
use taut_schemas::counted;

/// Runs the checks on a driver. The status is [`Status::Found`] if it fails one.
pub fn run(hlk: &Hlk, common: Common) -> Outcome {
    if let Some(path) = &hlk.cases {
        return cases::run(path, hlk, common);
    }
    if let Some(machine) = &hlk.machine {
        return hlk_grid::run(machine, hlk, common);
    }
    let options = HlkOptions { world: hlk.world.options(), check: hlk.check.clone() };
    let started = Instant::now();
    let results = hlk::run(&options, &ProgressBar { quiet: common.quiet }).map_err(failure)?;
    if !common.quiet {
        let seconds = started.elapsed().as_secs_f64();
        print_message(format_args!("{} in {seconds:.2} s", counted(results.cases(), "case")));
    }
    for id in results.wrongly_declared() {
        let driver = &results.profile.name;
        print_message(format_args!("the profile of {driver} says that it fails {id}, and it does not"));
    }
    if common.json {
        print_json(&results.json())?;
    } else {
        print(&to_text(&results, hlk.world.driver.as_deref().unwrap_or(DEFAULT_DRIVER)))?;
    }
    Ok(if results.has_failure() { Status::Found } else { Status::Fine })
}

fn to_text(results: &HlkResults, driver: &str) -> String {
    let HlkResults { profile, settings, outcomes } = results;
    // Checks that do not apply are listed below, by reason; a single requested check has its row in any case.
    let is_shown =
        |outcome: &&conformance::Outcome| outcomes.len() == 1 || outcome.status != conformance::Status::NotApplicable;
    let rows = outcomes.iter().filter(is_shown).map(|outcome| {
        let cases = if outcome.cases == 0 { String::new() } else { outcome.cases.to_string() };
        let status = outcome.status.name().replace('_', " ");
        [outcome.check.id.to_owned(), status, cases, outcome.check.title.to_owned()]
    });
    let description = match profile.description.trim() {
        "" => String::new(),
        description => format!(": {description}"),
    };
    let head = format!("{}{description}\n{}\n\n", bold(&profile.name), verdict(outcomes));
    let mut text = folded(&head);
    text += &ranked_table(&["check", "status", "cases", "rule"], &[2], &[1, 3], rows);
    text += &folded(&inapplicable(outcomes));
    for outcome in outcomes {
        text += &match (outcome.status, &outcome.first_failure) {
            (conformance::Status::Pass | conformance::Status::NotApplicable, _) => continue,
            (conformance::Status::Fail, case) => {
                let head = format!("\n{} fails: {}\n", bold(outcome.check.id), outcome.detail);
                let source = format!("  source  {}\n", outcome.check.source);
                let command = case.as_ref().and_then(|case| alloc_info_line(outcome.check.id, case)).map(|line| {
                    let rules = settings.rules;
                    format!("  see     echo '{line}' | taut alloc-info --driver {driver} --rules {rules}\n")
                });
                // The last line is a command to copy, so it is not folded.
                folded(&(head + &source)) + &command.unwrap_or_default()
            }
        };
    }
    text
}

/// Verdict in one sentence.
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

/// Checks that do not apply, grouped by reason.
fn inapplicable(outcomes: &[conformance::Outcome]) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.status == conformance::Status::NotApplicable) {
        match reasons.iter_mut().find(|(reason, _)| *reason == outcome.detail) {
            Some((_, ids)) => ids.push(outcome.check.id),
            None => reasons.push((&outcome.detail, vec![outcome.check.id])),
        }
    }
    let lines = reasons.iter().map(|(reason, ids)| {
        let verb = if ids.len() == 1 { "does" } else { "do" };
        format!("\n{} {verb} not apply: {reason}\n", ids.join(", "))
    });
    lines.collect()
}
