//! The public cases of contexts and of swap chains under sound drivers that have them, and what is said of a file that is none.

use std::sync::Arc;
use taut_runtime::{CaseFile, Profile, Settings, driver, run_case};

const CASES: &str = include_str!("../../../testdata/d3d11-contexts-cases.json");
const DXGI_CASES: &str = include_str!("../../../testdata/dxgi-cases.json");

/// Every step of a file that gives something else than is expected.
fn differences(name: &str, (text, cases): (&str, usize)) -> Vec<String> {
    let file = CaseFile::parse(text).unwrap();
    assert_eq!(file.cases.len(), cases);
    let mut told = Vec::new();
    for case in &file.cases {
        let driver = Arc::from(driver(&Profile::named(name).unwrap()));
        for found in run_case(case, driver, &Settings::default()).unwrap() {
            let (what, step, expected) = (found.what, found.step, found.expected);
            told.push(format!(
                "{}, {}, step {step}: {what}: expected {expected}, found {}",
                found.case, case.class, found.found
            ));
        }
    }
    told
}

#[test]
fn h12_h13_h41_h57_h58_h61_h62_h63_h64_h65_h66_h67_every_public_case_gives_what_it_must() {
    for name in ["d3d11on12-like", "multi-size", "d3d10umd-like"] {
        let found = differences(name, (CASES, 111));
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn d01_d02_d04_d05_d06_d07_d08_d09_every_public_case_of_dxgi_gives_what_it_must() {
    for name in ["reference", "d3d11on12-like", "igpu-tier3", "dgpu"] {
        let found = differences(name, (DXGI_CASES, 104));
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

/// What is said of a file with one case of these steps, run on Direct3D 12.
fn told_of_dxgi(steps: &str) -> String {
    let text = format!(
        r#"{{"cases": [{{"id": "one", "title": "t", "class": "windows", "api": ["d3d12"], "steps": [{steps}]}}]}}"#
    );
    match CaseFile::parse(&text) {
        Err(error) => error.to_string(),
        Ok(file) => {
            let driver = Arc::from(driver(&Profile::named("reference").unwrap()));
            match run_case(&file.cases[0], driver, &Settings::default()) {
                Err(error) => error.to_string(),
                Ok(found) => format!("{found:?}"),
            }
        }
    }
}

#[test]
fn a_case_of_dxgi_that_expects_something_else_is_told_and_a_wrong_one_refused() {
    let window = r#"{"call": "CreateWindow", "as": "window"}"#;
    let steps = [
        format!(r#"{window}, {{"call": "SetWindow", "on": "windo"}}"#),
        format!(r#"{window}, {{"call": "SetWindow", "on": "window", "args": {{"cover": true}}}}"#),
        r#"{"call": "CreateBuffer", "on": "factory"}"#.to_owned(),
        r#"{"call": "EnumAdapters", "on": "factory", "args": {"index": 7}, "expect": {"hr": "S_OK"}}"#.to_owned(),
        r#"{"call": "CreateDevice", "as": "device", "expect": {"same_as": "factory"}}"#.to_owned(),
    ];
    insta::assert_snapshot!(steps.map(|steps| told_of_dxgi(&steps)).join("\n"));
}

/// What is said of a file with one case of these steps.
fn told(steps: &str) -> String {
    let text = format!(r#"{{"cases": [{{"id": "one", "title": "t", "class": "windows", "steps": [{steps}]}}]}}"#);
    match CaseFile::parse(&text) {
        Err(error) => error.to_string(),
        Ok(file) => {
            let driver = Arc::from(driver(&Profile::named("d3d11on12-like").unwrap()));
            run_case(&file.cases[0], driver, &Settings::default()).unwrap_err().to_string()
        }
    }
}

#[test]
fn a_wrong_step_is_told_with_its_case() {
    let device = r#"{"call": "CreateDevice", "as": "device"}"#;
    let steps = [
        r#"{"call": "CreateDevise"}"#.to_owned(),
        r#"{"call": "Flush", "on": "context"}"#.to_owned(),
        format!("{device}, {device}"),
        format!(r#"{device}, {{"call": "CreateBuffer", "on": "device", "args": {{"size": 1}}}}"#),
        format!(r#"{device}, {{"call": "Release", "on": "device", "expect": {{"counts": 1}}}}"#),
        format!(r#"{device}, {{"call": "CreateQuery", "on": "device", "args": {{"query": "NONE"}}}}"#),
    ];
    insta::assert_snapshot!(steps.map(|steps| told(&steps)).join("\n"));
}
