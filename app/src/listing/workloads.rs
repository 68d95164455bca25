//! Workloads of a recording.

use crate::Error;
use serde_json::{Value, json};
use taut_workloads::inputs::{INPUTS, InputFormat, InputKind};
use taut_workloads::scene;
use taut_workloads::{Parameter, Range, WORKLOADS, Workload};

/// A bundled workload, or a kind of file.
pub struct ListedWorkload {
    pub name: String,
    pub description: &'static str,
    pub parameters: &'static [Parameter],
}

/// Draws of a scene: the same files as scenes, with a parameter that selects them.
const DRAWING: &str = "The draws of a glTF scene by Direct3D 11: in each frame every deferred context records a run of them on a thread of \
                       its own, and the immediate one executes the lists in order.";

/// Uploads of a scene: the same files, with a parameter that selects them.
const UPLOAD: &str = "The uploads of a glTF scene's textures by the processor through the instant-access extension, every store recorded.";

/// Returns all workloads: bundled workloads, then the formats of files.
pub fn all() -> impl Iterator<Item = ListedWorkload> {
    let listed = |workload: &'static Workload| {
        let Workload { name, description, parameters, .. } = *workload;
        ListedWorkload { name: name.to_owned(), description, parameters }
    };
    WORKLOADS.iter().map(listed).chain(INPUTS.iter().flat_map(of_format))
}

fn of_format(format: &'static InputFormat) -> Vec<ListedWorkload> {
    let InputFormat { suffixes, description, parameters, .. } = format;
    let name = suffixes.iter().map(|suffix| format!("FILE{suffix}")).collect::<Vec<_>>().join(", ");
    let variants =
        [("api=d3d11", DRAWING, scene::drawing::PARAMETERS), ("mode=linear-rows", UPLOAD, scene::upload::PARAMETERS)];
    let variants = variants.into_iter().filter(|_| format.kind == InputKind::Scene);
    let variants: Vec<ListedWorkload> = variants
        .map(|(set, description, parameters)| ListedWorkload {
            name: format!("{name}, {set}"),
            description,
            parameters,
        })
        .collect();
    let listed = ListedWorkload { name, description, parameters };
    std::iter::once(listed).chain(variants).collect()
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
