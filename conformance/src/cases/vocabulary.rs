//! Validation of test cases against the vocabulary: calls, arguments, expectations and names.

use super::case::{Case, Step, UnsupportedStep};
use super::d3d11;
use super::dxgi;
use super::family::CallWord;
use std::collections::BTreeSet;
use taut_schemas::nearest;

/// Expectations that are valid for any call.
const ANY: [&str; 4] = ["hr", "hr_any", "same_as", "not_same_as"];

/// Interface names in cases.
pub(super) const DIRECT3D_12: &str = "d3d12";
const APIS: [&str; 2] = ["d3d11", DIRECT3D_12];

/// Calls without an object.
const WITHOUT_OBJECT: [&str; 6] = [
    "CreateDevice",
    "CreateWindow",
    "UntilShown",
    "D3DKMTQueryAdapterInfo",
    "StartApplication",
    "QueryDListForApplication2",
];

/// Validates a case. Returns its first step that cannot be run.
pub(super) fn check(case: &Case) -> Result<(), UnsupportedStep> {
    let at = |place: usize, reason: String| UnsupportedStep { step: place + 1, reason };
    if let Some(api) = case.api.iter().find(|api| !APIS.contains(&api.as_str())) {
        return Err(at(0, format!("there is no interface {api}: there are {}", APIS.join(", "))));
    }
    let (calls, predefined): (_, &[&str]) =
        if case.api.is_empty() { (d3d11::CALLS, &[]) } else { (dxgi::CALLS, &["factory", "queue"]) };
    let mut names: BTreeSet<&str> = predefined.iter().copied().collect();
    for (place, step) in case.steps.iter().enumerate() {
        check_step(step, calls, &names).map_err(|reason| at(place, reason))?;
        if let Some(name) = &step.gives
            && !names.insert(name.as_str())
        {
            return Err(at(place, format!("the name {name} is given twice")));
        }
    }
    Ok(())
}

fn check_step(step: &Step, calls: &[CallWord], names: &BTreeSet<&str>) -> Result<(), String> {
    let Some(word) = calls.iter().find(|word| word.name == step.call) else {
        let near = nearest(&step.call, calls.iter().map(|word| word.name));
        let near = near.map_or(String::new(), |near| format!(" (did you mean {near}?)"));
        return Err(format!("there is no call {}{near}", step.call));
    };
    if let Some(key) = step.other_keys.keys().next() {
        return Err(format!("a step has no key {key}: there are call, on, args, as, expect"));
    }
    match &step.on {
        Some(on) if !names.contains(on.as_str()) => return Err(format!("no earlier step gives {on}")),
        None if !WITHOUT_OBJECT.contains(&word.name) => return Err(format!("{} is called on nothing", word.name)),
        _ => {}
    }
    known(word, "argument", step.args.keys(), word.arguments)?;
    let any = ANY.iter().chain(word.expects).copied().collect::<Vec<_>>();
    known(word, "expectation", step.expect.keys(), &any)
}

fn known<'k>(word: &CallWord, what: &str, keys: impl Iterator<Item = &'k String>, all: &[&str]) -> Result<(), String> {
    for key in keys {
        if !all.contains(&key.as_str()) {
            return Err(format!("{} has no {what} {key}: there are {}", word.name, all.join(", ")));
        }
    }
    Ok(())
}
