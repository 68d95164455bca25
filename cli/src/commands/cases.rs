//! `taut hlk --cases`: runs a file of calls with their expected results.

use crate::args::{Common, Hlk};
use crate::failure::failure;
use serde_json::Value;
use std::path::Path;
use taut_app::cases::{self, CaseResults};
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{folded, print, print_json, ranked_table, table};
use taut_schemas::counted;

/// Runs every case on a fresh runtime. The status is [`Status::Found`] if a result differs from the expected one, and
/// [`Status::Incomplete`] if a case is not supported.
pub fn run(path: &Path, hlk: &Hlk, common: Common) -> Outcome {
    let results = cases::run(path, &hlk.world.options()).map_err(failure)?;
    if common.json {
        print_json(&results.json())?;
    } else {
        print(&to_text(&results))?;
    }
    Ok(match (results.differing(), results.unsupported()) {
        (0, 0) => Status::Fine,
        (_, 0) => Status::Found,
        _ => Status::Incomplete,
    })
}

fn to_text(results: &CaseResults) -> String {
    let (differ, unsupported) = (results.differing(), results.unsupported());
    let all = counted(results.cases.len() as u64, "case");
    let verdict = match (differ, unsupported) {
        (0, 0) => "each step as expected".to_owned(),
        (differ, 0) => format!("of which {differ} differ"),
        (differ, unsupported) => format!("of which {differ} differ and {unsupported} are not supported"),
    };
    let mut text = folded(&format!("{}: {all}, {verdict}\n", results.profile.name));
    let rows = results.cases.iter().flat_map(|result| {
        result.differences().iter().map(|of| {
            let [expected, found] = [&of.expected, &of.found].map(Value::to_string);
            [of.case.clone(), result.case.class.clone(), of.step.to_string(), of.what.clone(), expected, found]
        })
    });
    if differ > 0 {
        text += &format!(
            "\n{}",
            ranked_table(&["case", "class", "step", "what", "expected", "found"], &[2], &[3, 4, 5], rows)
        );
    }
    let rows = results.cases.iter().filter_map(|result| {
        let step = result.unsupported()?;
        Some([result.case.id.clone(), step.step.to_string(), step.reason.clone()])
    });
    if unsupported > 0 {
        text += &format!("\n{}", table(&["case", "step", "not supported"], &[1], rows));
    }
    text
}
