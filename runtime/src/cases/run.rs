//! Runs cases, and tells what is not as expected.

use super::arguments::Arguments;
use super::case::Case;
use super::d3d11::Direct3d11;
use super::dxgi::Dxgi;
use super::error::CaseError;
use super::family::CallFamily;
use super::found::{Answer, Found, Names};
use super::vocabulary::DIRECT3D_12;
use crate::settings::Settings;
use serde_json::{Value, json};
use std::sync::Arc;
use taut_schemas::Driver;

/// A step that gave something else than is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The case.
    pub case: String,
    /// The step, from 1.
    pub step: usize,
    /// Its call, and which of its fields.
    pub what: String,
    /// What is expected.
    pub expected: Value,
    /// What was found.
    pub found: Value,
}

/// Runs a case on a fresh runtime with this driver. What differs is told; after the first step that does, the rest may follow from
/// it.
///
/// # Errors
/// A step is wrong.
pub fn run(case: &Case, driver: Arc<dyn Driver>, settings: &Settings) -> Result<Vec<Difference>, CaseError> {
    if case.api.is_empty() {
        let mut family = Direct3d11::new(driver, settings.clone());
        return run_on(case, &mut family, Names::new());
    }
    let mut differences = Vec::new();
    for api in &case.api {
        let mut family = Dxgi::new(Arc::clone(&driver), settings.clone(), api == DIRECT3D_12);
        let names = family.predefined().into_iter().collect();
        let found = run_on(case, &mut family, names)?;
        differences
            .extend(found.into_iter().map(|found| Difference { what: format!("{} ({api})", found.what), ..found }));
    }
    Ok(differences)
}

/// Runs a case on a family's runtime.
fn run_on(case: &Case, family: &mut dyn CallFamily, mut names: Names) -> Result<Vec<Difference>, CaseError> {
    let mut differences = Vec::new();
    for (place, step) in case.steps.iter().enumerate() {
        let on = match step.on.as_ref().and_then(|on| names.get(on)) {
            Some(Found::Object(object)) => *object,
            _ => 0,
        };
        let arguments = Arguments { given: &step.args, names: &names, is_named: step.gives.is_some() };
        let answer = family.call(&step.call, on, &arguments);
        let answer = answer.map_err(|what| CaseError::at(case, place, what))?;
        for (key, expected) in &step.expect {
            if let Some(found) = differs(&answer, (key, expected), &names) {
                let (case, what) = (case.id.clone(), format!("{}: {key}", step.call));
                differences.push(Difference { case, step: place + 1, what, expected: expected.clone(), found });
            }
        }
        if let Some(name) = &step.gives {
            names.insert(name.clone(), answer.gives.unwrap_or(Found::Object(0)));
        }
    }
    Ok(differences)
}

/// What was found instead of what is expected of a field.
fn differs(answer: &Answer, (key, expected): (&String, &Value), names: &Names) -> Option<Value> {
    let is_any = |name: &str| answer.fields.get(name);
    let (found, holds) = match key.as_str() {
        "same_as" | "not_same_as" => {
            let found = answer.gives.as_ref()?;
            (Some(found), found.is(expected, names) == (key == "same_as"))
        }
        "hr_any" => {
            let found = is_any("hr");
            let among =
                |found: &Found| expected.as_array().is_some_and(|all| all.iter().any(|one| found.is(one, names)));
            (found, found.is_some_and(among))
        }
        key => {
            let found = is_any(key);
            (found, found.is_some_and(|found| found.is(expected, names)))
        }
    };
    (!holds).then(|| found.map_or(json!("nothing"), |found| found.told(names)))
}
