//! `taut workloads`: lists or explains the workloads of `record`.

use crate::args::{Common, Workloads};
use crate::failure::failure;
use taut_app::listing::workloads::{self, ListedWorkload};
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{bold, folded, paragraph, print, print_json, report_table};
use taut_schemas::grouped;
use taut_workloads::{Parameter, Range};

/// Lists the workloads with their parameters, or explains one.
pub fn run(arguments: &Workloads, common: Common) -> Outcome {
    match &arguments.name {
        Some(name) => explain(name, common),
        None => list(common),
    }
}

/// Prints a workload: its parameters with defaults and ranges, and an example.
fn explain(name: &str, common: Common) -> Outcome {
    let workload = workloads::find(name).map_err(failure)?;
    if common.json {
        print_json(&workloads::json(workload))?;
        return Ok(Status::Fine);
    }
    let rows = workload.parameters.iter().map(|parameter| {
        let values = match parameter.range {
            Range::Number { min, max: u64::MAX, .. } => format!("{} or more", grouped(min)),
            Range::Number { min, max, .. } => format!("{} to {}", grouped(min), grouped(max)),
            other => other.to_string(),
        };
        let what = parameter.description.to_owned();
        [parameter.name.to_owned(), parameter.default().to_string(), values, what]
    });
    let rows: Vec<Vec<String>> = rows.map(Vec::from).collect();
    let mut text = format!("{}\n{}\n", bold(workload.name), paragraph(workload.description));
    text += &report_table(&["parameter", "default", "values", "meaning"], &[1], &[3, 1], rows);
    let is_specific = |parameter: &&Parameter| !["seed", "threads"].contains(&parameter.name);
    let set = workload.parameters.iter().find(is_specific).or(workload.parameters.first());
    let set = set.map_or_else(String::new, |parameter| format!(" --set {}={}", parameter.name, parameter.default()));
    text += &format!(
        "\nRecorded under the driver model {} unless another is named:\n\n  taut record {name}{set} -o {name}.taut\n",
        workload.driver
    );
    print(&text)?;
    Ok(Status::Fine)
}

fn list(common: Common) -> Outcome {
    if common.json {
        print_json(&workloads::all_json())?;
        return Ok(Status::Fine);
    }
    let mut text = String::new();
    for ListedWorkload { name, description, parameters } in workloads::all() {
        text += &format!("{}\n  {description}\n", bold(&name));
        for parameter in parameters {
            let setting = format!("{}={}", parameter.name, parameter.default());
            text += &format!("  --set {setting:<14} {}", parameter.description);
            text += &match parameter.range {
                Range::Word(words) => format!(" ({})\n", words.join(" or ")),
                Range::Number { min, max, .. } if max < u64::MAX => format!(" ({min} to {max})\n"),
                Range::Number { .. } => "\n".to_owned(),
                Range::Shader => " (one of those below, or a .toml file)\n".to_owned(),
            };
        }
    }
    text += &format!("{}\n", bold("Shaders"));
    for (name, purpose) in Range::shaders() {
        text += &format!("  {name:<20} {purpose}\n");
    }
    print(&folded(&text))?;
    Ok(Status::Fine)
}
