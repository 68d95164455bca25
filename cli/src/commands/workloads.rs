//! `taut workloads`: what `record` can run.

use crate::args::Common;
use serde_json::{Value, json};
use taut_capture::scene;
use taut_capture::workloads::{Parameter, Range, WORKLOADS};
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{bold, print, print_json};

/// What can be recorded from a file.
const FROM_FILES: [(&str, &str, &[Parameter]); 2] = [
    (
        "FILE.gltf, FILE.glb",
        "A glTF scene: a buffer per buffer view or accessor, a constant buffer per node and material, a texture per \
         image, released when all are alive.",
        scene::PARAMETERS,
    ),
    (
        "FILE.jsonl, FILE.jsonl.gz",
        "The calls of a log of Direct3D 12 calls (d3d12-calls, version 1), with its own threads, in its own order.",
        &[],
    ),
];

/// Prints the workloads with their parameters.
pub fn run(common: Common) -> Outcome {
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
    print(&text)?;
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
