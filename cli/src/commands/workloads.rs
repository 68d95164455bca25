//! `taut workloads`: what `record` can run.

use crate::args::{Common, Workloads};
use serde_json::{Value, json};
use taut_capture::scene;
use taut_capture::workloads::{Parameter, Range, WORKLOADS};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{bold, folded, paragraph, print, print_json, report_table, unknown};
use taut_schemas::grouped;

/// What can be recorded from a file.
const FROM_FILES: [(&str, &str, &[Parameter]); 3] = [
    (
        "FILE.gltf, FILE.glb",
        "A glTF scene: a buffer per buffer view or accessor, a constant buffer per node and material, a texture per \
         image, released when all are alive.",
        scene::PARAMETERS,
    ),
    (
        "FILE.gltf, FILE.glb, api=d3d11",
        "The draws of a glTF scene by Direct3D 11: in each frame every deferred context records a run of them on a thread of \
         its own, and the immediate one executes the lists in order.",
        scene::drawing::PARAMETERS,
    ),
    (
        "FILE.jsonl, FILE.jsonl.gz",
        "The calls of a log of Direct3D 12 calls (d3d12-calls, version 1), with its own threads, in its own order.",
        &[],
    ),
];

/// Lists the workloads with their parameters, or explains one.
pub fn run(workloads: &Workloads, common: Common) -> Outcome {
    match &workloads.name {
        Some(name) => explain(name, common),
        None => list(common),
    }
}

/// A workload, its parameters, what each can be, and an example.
fn explain(name: &str, common: Common) -> Outcome {
    let Some(workload) = WORKLOADS.iter().find(|workload| workload.name == name) else {
        let names: Vec<&str> = WORKLOADS.iter().map(|workload| workload.name).collect();
        return Err(Failure::usage(unknown("workload", name, &names)));
    };
    if common.json {
        let parameters: Vec<Value> = workload.parameters.iter().map(as_json).collect();
        let (name, description, driver) = (workload.name, workload.description, workload.driver);
        print_json(&json!({"name": name, "description": description, "driver": driver, "parameters": parameters}))?;
        return Ok(Status::Fine);
    }
    let rows = workload.parameters.iter().map(|parameter| {
        let values = match parameter.range {
            Range::Number { least, greatest: u64::MAX, .. } => format!("{} or more", grouped(least)),
            Range::Number { least, greatest, .. } => format!("{} to {}", grouped(least), grouped(greatest)),
            other => other.to_string(),
        };
        let what = parameter.description.to_owned();
        [parameter.name.to_owned(), parameter.default().to_string(), values, what]
    });
    let rows: Vec<Vec<String>> = rows.map(Vec::from).collect();
    let mut text = format!("{}\n{}\n", bold(workload.name), paragraph(workload.description));
    text += &report_table(&["parameter", "default", "values", "what it is"], &[1], rows);
    let told = |parameter: &&Parameter| !["seed", "threads"].contains(&parameter.name);
    let set = workload.parameters.iter().find(told).or(workload.parameters.first());
    let set = set.map_or_else(String::new, |parameter| format!(" --set {}={}", parameter.name, parameter.default()));
    text += &format!(
        "\nRecorded under the driver model {} unless another is named:\n\n  taut record {name}{set} -o {name}.taut\n",
        workload.driver
    );
    print(&text)?;
    Ok(Status::Fine)
}

fn list(common: Common) -> Outcome {
    let generated = WORKLOADS.iter().map(|workload| (workload.name, workload.description, workload.parameters));
    let all = generated.chain(FROM_FILES);
    if common.json {
        let workloads: Vec<Value> = all
            .map(|(name, description, parameters)| {
                let parameters: Vec<Value> = parameters.iter().map(as_json).collect();
                json!({"name": name, "description": description, "parameters": parameters})
            })
            .collect();
        print_json(&workloads)?;
        return Ok(Status::Fine);
    }
    let mut text = String::new();
    for (name, description, parameters) in all {
        text += &format!("{}\n  {description}\n", bold(name));
        for parameter in parameters {
            let setting = format!("{}={}", parameter.name, parameter.default());
            text += &format!("  --set {setting:<14} {}", parameter.description);
            text += &match parameter.range {
                Range::Word(words) => format!(" ({})\n", words.join(" or ")),
                Range::Number { least, greatest, .. } if greatest < u64::MAX => format!(" ({least} to {greatest})\n"),
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

fn as_json(parameter: &Parameter) -> Value {
    let default = Value::from(parameter.default());
    let mut json = json!({"name": parameter.name, "default": default, "description": parameter.description});
    match parameter.range {
        Range::Word(words) => json["values"] = json!(words),
        Range::Shader => json["values"] = Range::shaders().map(|(name, _)| Value::from(name)).collect(),
        Range::Number { least, greatest, .. } => {
            json["least"] = json!(least);
            json["greatest"] = json!(greatest);
        }
    }
    json
}
