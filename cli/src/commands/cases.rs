//! `taut hlk --cases`: a file of calls, and of what they must give.

use crate::args::Common;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{folded, print, print_json, table};
use taut_runtime::{CaseError, CaseFile, Difference, Profile, Settings, run_case};
use taut_schemas::counted;

/// Runs every case on a fresh runtime. Something was found if a step gives something else than is expected.
pub fn run(path: &Path, (profile, settings): (&Profile, &Settings), common: Common) -> Outcome {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(error).context(path.display().to_string()))?;
    let wrong = |error: CaseError| Failure::input(error).context(path.display().to_string());
    let file = CaseFile::parse(&text).map_err(wrong)?;
    let mut differences = Vec::new();
    for case in &file.cases {
        let driver = Arc::from(taut_runtime::driver(profile));
        let found = run_case(case, driver, settings).map_err(wrong)?;
        differences.extend(found.into_iter().map(|difference| (case.class.as_str(), difference)));
    }
    if common.json {
        print_json(&json_of(profile, &file, &differences))?;
    } else {
        print(&text_of(profile, &file, &differences))?;
    }
    Ok(if differences.is_empty() { Status::Fine } else { Status::Found })
}

fn json_of(profile: &Profile, file: &CaseFile, differences: &[(&str, Difference)]) -> Value {
    let differences = differences.iter().map(|(class, difference)| {
        json!({
            "case": difference.case,
            "class": class,
            "step": difference.step,
            "what": difference.what,
            "expected": difference.expected,
            "found": difference.found,
        })
    });
    json!({
        "driver": profile.name,
        "cases": file.cases.len(),
        "differences": differences.collect::<Vec<_>>(),
    })
}

fn text_of(profile: &Profile, file: &CaseFile, differences: &[(&str, Difference)]) -> String {
    let mut cases: Vec<&str> = differences.iter().map(|(_, difference)| &*difference.case).collect();
    cases.dedup();
    let all = counted(file.cases.len() as u64, "case");
    if cases.is_empty() {
        return folded(&format!("{}: {all}, each step as expected\n", profile.name));
    }
    let rows = differences.iter().map(|(class, of)| {
        let [expected, found] = [&of.expected, &of.found].map(Value::to_string);
        [of.case.clone(), (*class).to_owned(), of.step.to_string(), of.what.clone(), expected, found]
    });
    let head = folded(&format!("{}: {all}, of which {} differ\n\n", profile.name, cases.len()));
    head + &table(&["case", "class", "step", "what", "expected", "found"], &[2], rows)
}
