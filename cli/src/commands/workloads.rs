//! `taut workloads`: what `record` can run.

use crate::args::Common;
use crate::outcome::{Outcome, Status};
use crate::printing::{bold, print, print_json};
use serde_json::{Value, json};
use taut_capture::workloads::WORKLOADS;

/// Prints the workloads with their parameters.
pub fn run(common: Common) -> Outcome {
    if common.json {
        let workloads: Vec<Value> = WORKLOADS
            .iter()
            .map(|workload| {
                let parameters = workload.parameters.iter().map(|parameter| {
                    json!({"name": parameter.name, "default": parameter.default, "description": parameter.description})
                });
                json!({
                    "name": workload.name,
                    "description": workload.description,
                    "parameters": parameters.collect::<Vec<_>>(),
                })
            })
            .collect();
        print_json(&workloads)?;
        return Ok(Status::Fine);
    }
    let mut text = String::new();
    for workload in WORKLOADS {
        text += &format!("{}\n  {}\n", bold(workload.name), workload.description);
        for parameter in workload.parameters {
            let setting = format!("{}={}", parameter.name, parameter.default);
            text += &format!("  --set {setting:<14} {}\n", parameter.description);
        }
    }
    text += &format!(
        "{}\n  The calls of a log of Direct3D 12 calls (d3d12-calls, version 1), with its own threads, in its own order.\n",
        bold("FILE.jsonl, FILE.jsonl.gz")
    );
    print(&text)?;
    Ok(Status::Fine)
}
