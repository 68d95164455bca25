//! Contents of the build: driver models, machines, workloads, schema, query cache; answers to descriptions.

use crate::failure::Failure;
use crate::work::run;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;
use taut_app::alloc_info::AllocInfo;
use taut_app::listing::{drivers, machines, workloads};
use taut_app::tile_info;
use taut_app::world::{RulesOptions, WorldOptions};
use taut_console::cache::{Cache, no_cache_json};
use taut_schemas::{Provider, SchemaTable};
use taut_traces::Command;

/// JSON text of the driver models, machines or workloads, or of the one with this name.
#[pyfunction]
pub fn listed(py: Python<'_>, kind: String, name: Option<String>) -> PyResult<String> {
    run(py, move || {
        let listed = match (kind.as_str(), name) {
            ("drivers", None) => drivers::all_json(),
            ("drivers", Some(name)) => drivers::find(&name)?.json(),
            ("machines", None) => machines::all_json(),
            ("machines", Some(name)) => machines::find(&name)?.json(),
            ("workloads", None) => workloads::all_json(),
            (_, None) => return Err(Failure::option(format!("kind={kind}: expected drivers, machines or workloads"))),
            (_, Some(name)) => workloads::json(workloads::find(&name)?),
        };
        Ok(listed.to_string())
    })
}

/// JSON text of the calls, DDI calls and marks of this build.
#[pyfunction]
pub fn schema(py: Python<'_>) -> PyResult<String> {
    run(py, || serde_json::to_string(&SchemaTable::current()).map_err(Failure::other))
}

/// JSON text of the cached tables of `taut query`, which are removed if `clear` is true.
#[pyfunction]
pub fn cache(py: Python<'_>, clear: bool) -> PyResult<String> {
    run(py, move || {
        let Some(cache) = Cache::for_user() else { return Ok(no_cache_json().to_string()) };
        let contents = if clear { cache.clear() } else { cache.contents() };
        let contents = contents
            .map_err(|error| Failure::from(taut_app::Error::io(error).context(cache.folder().display().to_string())))?;
        Ok(contents.json(&cache, clear).to_string())
    })
}

/// JSON text of the answers to descriptions of resources, or to positions in tiled surfaces: JSON texts.
#[pyfunction]
pub fn answers(
    py: Python<'_>,
    kind: String,
    lines: Vec<String>,
    driver: Option<String>,
    rules: String,
    setting: Vec<String>,
) -> PyResult<String> {
    let world = WorldOptions { driver, rules: RulesOptions { rules, settings: setting } };
    run(py, move || {
        let answers: Vec<Value> = if kind == "alloc-info" {
            let info = AllocInfo::new(&world)?;
            lines.iter().map(|line| answer(info.answer(line.as_bytes()))).collect()
        } else {
            lines.iter().map(|line| answer(tile_info::answer(line.as_bytes()))).collect()
        };
        Ok(Value::from(answers).to_string())
    })
}

/// Answer to a line; of a wrong line, its id and the error.
fn answer(result: Result<Value, (Value, String)>) -> Value {
    result.unwrap_or_else(|(id, error)| json!({"id": id, "error": error}))
}

/// Sends a request to a recording in progress. Returns JSON text of the answer.
#[pyfunction]
pub fn control(
    py: Python<'_>,
    file: std::path::PathBuf,
    request: String,
    provider: Option<String>,
    timeout: f64,
) -> PyResult<String> {
    run(py, move || {
        let named = || {
            let name = provider.as_deref().unwrap_or_default();
            let known = Provider::ALL.map(Provider::name);
            Provider::named(name).ok_or_else(|| Failure::from(taut_app::Error::unknown("provider", name, known)))
        };
        let command = match request.as_str() {
            "status" => Command::Status,
            "snapshot" => Command::Snapshot,
            "enable" => Command::Enable(named()?),
            "disable" => Command::Disable(named()?),
            "stop" => Command::Stop,
            other => {
                let known = ["status", "snapshot", "enable", "disable", "stop"];
                return Err(taut_app::Error::unknown("request", other, known).into());
            }
        };
        let timeout = Duration::try_from_secs_f64(timeout)
            .map_err(|error| Failure::option(format!("timeout={timeout}: {error}")))?;
        Ok(taut_app::control::request(&file, command, timeout)?.json().to_string())
    })
}
