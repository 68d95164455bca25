//! Runner of test cases.

use super::arguments::Arguments;
use super::case::{Case, UnsupportedStep};
use super::d3d11::Direct3d11;
use super::dxgi::Dxgi;
use super::family::CallFamily;
use super::found::{Answer, Found, Names};
use super::vocabulary::DIRECT3D_12;
use serde_json::{Value, json};
use std::sync::Arc;
use taut_runtime::Settings;
use taut_schemas::Driver;

/// A step with an unexpected result.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Id of the case.
    pub case: String,
    /// Number of the step, from 1.
    pub step: usize,
    /// Name of the call and of the field.
    pub what: String,
    pub expected: Value,
    pub found: Value,
}

/// Verdict on a case.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseVerdict {
    /// Every step gave the expected results.
    Pass,
    /// Steps with unexpected results. Steps after the first one may be consequences of it.
    Fail(Vec<Difference>),
    /// The case has a word that the vocabulary does not have. Nothing is judged then.
    Unsupported(UnsupportedStep),
}

/// Runs a case on a fresh runtime with this driver, and judges it.
pub fn run(case: &Case, driver: &Arc<dyn Driver>, settings: &Settings) -> CaseVerdict {
    if let Some(unsupported) = &case.unsupported {
        return CaseVerdict::Unsupported(unsupported.clone());
    }
    match differences(case, driver, settings) {
        Ok(found) if found.is_empty() => CaseVerdict::Pass,
        Ok(found) => CaseVerdict::Fail(found),
        Err(unsupported) => CaseVerdict::Unsupported(unsupported),
    }
}

/// Runs a case on each of its interfaces, and returns the differences.
fn differences(case: &Case, driver: &Arc<dyn Driver>, settings: &Settings) -> Result<Vec<Difference>, UnsupportedStep> {
    if case.api.is_empty() {
        let mut family = Direct3d11::new(Arc::clone(driver), settings.clone());
        return run_on(case, &mut family, Names::new());
    }
    let mut differences = Vec::new();
    for api in &case.api {
        let mut family = Dxgi::new(Arc::clone(driver), settings.clone(), api == DIRECT3D_12);
        let names = family.predefined().into_iter().collect();
        let found = run_on(case, &mut family, names)?;
        differences
            .extend(found.into_iter().map(|found| Difference { what: format!("{} ({api})", found.what), ..found }));
    }
    Ok(differences)
}

/// Runs a case on a family's runtime.
fn run_on(case: &Case, family: &mut dyn CallFamily, mut names: Names) -> Result<Vec<Difference>, UnsupportedStep> {
    let mut differences = Vec::new();
    for (place, step) in case.steps.iter().enumerate() {
        let on = match step.on.as_ref().and_then(|on| names.get(on)) {
            Some(Found::Object(object)) => *object,
            _ => 0,
        };
        let arguments = Arguments { values: &step.args, names: &names, is_named: step.gives.is_some() };
        let answer = family.call(&step.call, on, &arguments);
        let answer = answer.map_err(|reason| UnsupportedStep { step: place + 1, reason })?;
        for (key, expected) in &step.expect {
            if let Some(found) = differs(&answer, key, expected, &names) {
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

/// Returns the found value of a field if it differs from the expected one.
fn differs(answer: &Answer, key: &String, expected: &Value, names: &Names) -> Option<Value> {
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
    (!holds).then(|| found.map_or(json!("nothing"), |found| found.to_json(names)))
}
