//! Workloads of a recording.

use crate::Error;
use serde_json::{Value, json};
use taut_workloads::scene;
use taut_workloads::{Parameter, Range, WORKLOADS, Workload};

/// A bundled workload, or a kind of file.
#[derive(Clone, Copy)]
pub struct ListedWorkload {
    pub name: &'static str,
    pub description: &'static str,
    pub parameters: &'static [Parameter],
}

/// Workloads that are files.
const FROM_FILES: [ListedWorkload; 4] = [
    ListedWorkload {
        name: "FILE.gltf, FILE.glb",
        description: "A glTF scene: a buffer per buffer view or accessor, a constant buffer per node and material, a texture per \
         image, released when all are alive.",
        parameters: scene::PARAMETERS,
    },
    ListedWorkload {
        name: "FILE.gltf, FILE.glb, api=d3d11",
        description: "The draws of a glTF scene by Direct3D 11: in each frame every deferred context records a run of them on a thread of \
         its own, and the immediate one executes the lists in order.",
        parameters: scene::drawing::PARAMETERS,
    },
    ListedWorkload {
        name: "FILE.jsonl, FILE.jsonl.gz",
        description: "The calls of a log of Direct3D 12 calls (d3d12-calls, version 1), with its own threads, in its own order.",
        parameters: &[],
    },
    ListedWorkload {
        name: "FILE.jsonl, FILE.json of gfxrecon-convert",
        description: "The calls of a Direct3D 12 capture of GFXReconstruct: memory, views, queues, lists, fences and presents; outcomes are \
         compared with the capture's.",
        parameters: &[],
    },
];

/// Returns all workloads: bundled workloads, then kinds of files.
pub fn all() -> impl Iterator<Item = ListedWorkload> {
    let listed = |workload: &'static Workload| {
        let Workload { name, description, parameters, .. } = *workload;
        ListedWorkload { name, description, parameters }
    };
    WORKLOADS.iter().map(listed).chain(FROM_FILES)
}

/// All workloads as JSON.
pub fn all_json() -> Value {
    all()
        .map(|ListedWorkload { name, description, parameters }| {
            let parameters: Vec<Value> = parameters.iter().map(parameter_json).collect();
            json!({"name": name, "description": description, "parameters": parameters})
        })
        .collect()
}

/// Finds a bundled workload.
///
/// # Errors
/// There is none of this name.
pub fn find(name: &str) -> Result<&'static Workload, Error> {
    let found = WORKLOADS.iter().find(|workload| workload.name == name);
    found.ok_or_else(|| Error::unknown("workload", name, WORKLOADS.iter().map(|workload| workload.name)))
}

/// A bundled workload as JSON.
pub fn json(workload: &Workload) -> Value {
    let parameters: Vec<Value> = workload.parameters.iter().map(parameter_json).collect();
    let Workload { name, description, driver, .. } = workload;
    json!({"name": name, "description": description, "driver": driver, "parameters": parameters})
}

fn parameter_json(parameter: &Parameter) -> Value {
    let default = Value::from(parameter.default());
    let mut json = json!({"name": parameter.name, "default": default, "description": parameter.description});
    match parameter.range {
        Range::Word(words) => json["values"] = json!(words),
        Range::Shader => json["values"] = Range::shaders().map(|(name, _)| Value::from(name)).collect(),
        Range::Number { min, max, .. } => {
            json["min"] = json!(min);
            json["max"] = json!(max);
        }
    }
    json
}
