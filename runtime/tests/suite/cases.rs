//! Public test cases of contexts and swap chains on conforming drivers, and errors of invalid files.

use std::sync::Arc;
use taut_conformance::{CaseFile, CaseVerdict, run_case};
use taut_runtime::{Profile, Settings, driver};

const CASES: &str = include_str!("../../../testdata/d3d11-contexts-cases.json");
const DXGI_CASES: &str = include_str!("../../../testdata/dxgi-cases.json");

/// Returns the differences of all steps of a file.
fn differences(name: &str, (text, cases): (&str, usize)) -> Vec<String> {
    let file = CaseFile::parse(text).unwrap();
    assert_eq!(file.cases.len(), cases);
    let mut case_report = Vec::new();
    for case in &file.cases {
        let driver = Arc::from(driver(&Profile::named(name).unwrap()));
        let found = match run_case(case, &driver, &Settings::default()) {
            CaseVerdict::Pass => Vec::new(),
            CaseVerdict::Fail(found) => found,
            CaseVerdict::Unsupported(unsupported) => panic!("{}, {unsupported}", case.id),
        };
        for found in found {
            let (what, step, expected) = (found.what, found.step, found.expected);
            case_report.push(format!(
                "{}, {}, step {step}: {what}: expected {expected}, found {}",
                found.case, case.class, found.found
            ));
        }
    }
    case_report
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

/// Returns the verdict on a file with one case of these steps.
fn report(name: &str, text: &str) -> String {
    let file = CaseFile::parse(text).unwrap();
    let driver = Arc::from(driver(&Profile::named(name).unwrap()));
    match run_case(&file.cases[0], &driver, &Settings::default()) {
        CaseVerdict::Pass => "[]".to_owned(),
        CaseVerdict::Fail(found) => format!("{found:?}"),
        CaseVerdict::Unsupported(unsupported) => format!("case {}, {unsupported}", file.cases[0].id),
    }
}

/// Returns the verdict on one case of these steps on Direct3D 12.
fn dxgi_report(steps: &str) -> String {
    let text = format!(
        r#"{{"cases": [{{"id": "one", "title": "t", "class": "windows", "api": ["d3d12"], "steps": [{steps}]}}]}}"#
    );
    report("reference", &text)
}

#[test]
fn a_dxgi_case_reports_differences_and_an_invalid_one_is_rejected() {
    let window = r#"{"call": "CreateWindow", "as": "window"}"#;
    let steps = [
        format!(r#"{window}, {{"call": "SetWindow", "on": "windo"}}"#),
        format!(r#"{window}, {{"call": "SetWindow", "on": "window", "args": {{"cover": true}}}}"#),
        r#"{"call": "CreateBuffer", "on": "factory"}"#.to_owned(),
        r#"{"call": "EnumAdapters", "on": "factory", "args": {"index": 7}, "expect": {"hr": "S_OK"}}"#.to_owned(),
        r#"{"call": "CreateDevice", "as": "device", "expect": {"same_as": "factory"}}"#.to_owned(),
    ];
    insta::assert_snapshot!(steps.map(|steps| dxgi_report(&steps)).join("\n"));
}

/// Returns the verdict on one case of these steps on Direct3D 11.
fn case_report(steps: &str) -> String {
    let text = format!(r#"{{"cases": [{{"id": "one", "title": "t", "class": "windows", "steps": [{steps}]}}]}}"#);
    report("d3d11on12-like", &text)
}

#[test]
fn an_invalid_step_is_reported_with_its_case() {
    let device = r#"{"call": "CreateDevice", "as": "device"}"#;
    let steps = [
        r#"{"call": "CreateDevise"}"#.to_owned(),
        r#"{"call": "Flush", "on": "context"}"#.to_owned(),
        format!("{device}, {device}"),
        format!(r#"{device}, {{"call": "CreateBuffer", "on": "device", "args": {{"size": 1}}}}"#),
        format!(r#"{device}, {{"call": "Release", "on": "device", "expect": {{"counts": 1}}}}"#),
        format!(r#"{device}, {{"call": "CreateQuery", "on": "device", "args": {{"query": "NONE"}}}}"#),
    ];
    insta::assert_snapshot!(steps.map(|steps| case_report(&steps)).join("\n"));
}
