//! Verdicts on cases: words that are known, in all their forms, and words that are not.

use super::{CaseError, CaseFile, CaseVerdict, run};
use serde_json::{Value, json};
use std::sync::Arc;
use taut_runtime::{Profile, Settings};

/// Judges cases with these steps; their ids are their indices.
fn judged(cases: &[Value]) -> Vec<CaseVerdict> {
    let case = |(index, steps): (usize, &Value)| json!({"id": index.to_string(), "title": "", "class": "windows", "steps": steps});
    let cases: Vec<Value> = cases.iter().enumerate().map(case).collect();
    let file = CaseFile::parse(&json!({"cases": cases}).to_string()).unwrap();
    let driver = Arc::from(taut_runtime::driver(&Profile::named("d3d11on12-like").unwrap()));
    file.cases.iter().map(|case| run(case, &driver, &Settings::default())).collect()
}

/// Returns the steps that create a device `d` and contexts `i` (immediate) and `c` (deferred), followed by these steps.
fn steps(more: Value) -> Value {
    let mut steps = vec![
        json!({"call": "CreateDevice", "as": "d"}),
        json!({"call": "GetImmediateContext", "on": "d", "as": "i"}),
        json!({"call": "CreateDeferredContext", "on": "d", "as": "c"}),
    ];
    steps.extend(more.as_array().unwrap().iter().cloned());
    Value::from(steps)
}

fn assert_passes(cases: &[Value]) {
    for (index, verdict) in judged(cases).into_iter().enumerate() {
        assert_eq!(verdict, CaseVerdict::Pass, "{}", cases[index]);
    }
}

#[test]
fn an_unknown_word_makes_its_case_unsupported_and_the_others_are_judged() {
    let flush = |word: &str, value: Value| {
        let mut step = json!({"call": "Flush", "on": "i", "expect": {"hr": "S_OK"}});
        step[word] = value;
        steps(json!([step]))
    };
    let cases = [
        flush("on", json!("i")),
        flush("call", json!("Flushh")),
        flush("args", json!({"depth": 1})),
        flush("expect", json!({"depth": 1})),
        flush("when", json!("later")),
        flush("on", json!("nobody")),
        steps(json!([{"call": "CreateQuery", "on": "d", "args": {"query": "NONESUCH"}, "as": "q"}])),
        flush("expect", json!({"hr": "E_FAIL"})),
    ];
    let verdicts = judged(&cases);
    assert_eq!(verdicts[0], CaseVerdict::Pass);
    for (verdict, word) in verdicts[1..7].iter().zip(["Flushh", "depth", "depth", "when", "nobody", "NONESUCH"]) {
        let CaseVerdict::Unsupported(unsupported) = verdict else { panic!("{word}: {verdict:?}") };
        assert!(unsupported.step == 4 && unsupported.reason.contains(word), "{word}: {unsupported:?}");
    }
    let CaseVerdict::Fail(differences) = &verdicts[7] else { panic!("{:?}", verdicts[7]) };
    assert_eq!((differences[0].step, &differences[0].expected), (4, &json!("E_FAIL")));
}

#[test]
fn two_cases_of_one_id_are_an_error() {
    let case = json!({"id": "a", "title": "", "class": "windows", "steps": []});
    let parsed = CaseFile::parse(&json!({"cases": [case, case]}).to_string());
    assert!(matches!(parsed, Err(CaseError::DuplicateId { case }) if case == "a"));
}

#[test]
fn interfaces_are_queried_by_name_and_iid() {
    let query = |object: &str, interface: &str, hr: &str| {
        steps(json!([
            {"call": "CreateQuery", "on": "d", "args": {"query": "OCCLUSION"}, "as": "q"},
            {"call": "QueryInterface", "on": object, "args": {"interface": interface}, "expect": {"hr": hr}},
        ]))
    };
    assert_passes(&[
        query("q", "IUnknown", "S_OK"),
        query("d", "{00000000-0000-0000-C000-000000000046}", "S_OK"),
        query("q", "ID3D11Query", "S_OK"),
        query("q", "IID_ID3D11Asynchronous", "S_OK"),
        query("q", "ID3D11Predicate", "E_NOINTERFACE"),
        query("q", "ID3D11Buffer", "E_NOINTERFACE"),
        query("i", "c0bfa96c-e089-44fb-8eaf-26f8796190da", "S_OK"),
        query("i", "ID3D11Multithread", "S_OK"),
        query("c", "ID3D11Multithread", "E_NOINTERFACE"),
    ]);
}

#[test]
fn fences_are_refused_on_deferred_contexts_and_multithread_protection_is_off() {
    let fence = json!({"fence": null, "value": 1});
    let refused = json!({"hr": "DXGI_ERROR_INVALID_CALL"});
    assert_passes(&[
        steps(json!([{"call": "Signal", "on": "c", "args": fence, "expect": refused}])),
        steps(json!([{"call": "Wait", "on": "c", "args": fence, "expect": refused}])),
        steps(json!([
            {"call": "QueryInterface", "on": "i", "args": {"interface": "ID3D11Multithread"}, "as": "m"},
            {"call": "GetMultithreadProtected", "on": "m", "expect": {"value": false}},
        ])),
    ]);
}

#[test]
fn enumerators_may_be_numbers_and_samplers_differ_by_border_color() {
    let sampler = |filter: Value, border: Value| json!({"filter": filter, "address": ["BORDER", 4, "0x4"], "max_lod": 1, "border_color": border});
    let (black, red) = (json!([0, 0, 0, 0]), json!([1, 0, 0, 0]));
    let create = |name: &str, args: Value, expect: Value| json!({"call": "CreateSamplerState", "on": "d", "args": args, "as": name, "expect": expect});
    assert_passes(&[steps(json!([
        create("s", sampler(json!("MIN_MAG_MIP_POINT"), black.clone()), json!({"hr": "S_OK"})),
        create("t", sampler(json!(0), black), json!({"same_as": "s"})),
        create("u", sampler(json!(0), red), json!({"not_same_as": "s"})),
    ]))]);
    let verdicts = judged(&[steps(json!([create("s", sampler(json!(0), json!([1])), json!({}))]))]);
    assert!(matches!(&verdicts[0], CaseVerdict::Unsupported(step) if step.reason.contains("border_color")));
}

/// Judges a case of DXGI on a driver, under a system of this WDDM version.
fn judged_dxgi(driver: &str, os: &str, steps: Value) -> CaseVerdict {
    let case = json!({"id": "1", "title": "", "class": "windows", "api": ["d3d12"], "steps": steps});
    let file = CaseFile::parse(&json!({"cases": [case]}).to_string()).unwrap();
    let driver = Arc::from(taut_runtime::driver(&Profile::named(driver).unwrap()));
    run(&file.cases[0], &driver, &Settings::default().with("os_wddm_version", os).unwrap())
}

#[test]
fn c03_cases_query_adapters_with_types_sizes_and_older_systems() {
    let query = |args: Value, expect: Value| json!({"call": "D3DKMTQueryAdapterInfo", "args": args, "expect": expect});
    let tier = json!({"type": "CROSSADAPTERRESOURCE_SUPPORT"});
    let steps = |tier: Value, value: u32| {
        json!([
            query(tier, json!({"status": "SUCCESS", "value": value})),
            query(json!({"type": "WDDM_1_3_CAPS", "size_bytes": 8}), json!({"status": "SUCCESS", "value": 0x22})),
            query(
                json!({"type": "WDDM_1_3_CAPS", "size_bytes": 3}),
                json!({"status": "INVALID_PARAMETER", "data": "unchanged"})
            ),
            query(json!({"type": 1000}), json!({"status": "INVALID_PARAMETER"})),
            query(json!({"type": "WDDM_1_3_CAPS", "adapter": 2}), json!({"status": "INVALID_HANDLE"})),
        ])
    };
    assert_eq!(judged_dxgi("igpu-tier3", "3.2", steps(tier.clone(), 3)), CaseVerdict::Pass);
    assert_eq!(judged_dxgi("igpu-tier2", "2.9", steps(tier.clone(), 2)), CaseVerdict::Pass);
    let older = json!([query(tier.clone(), json!({"status": "INVALID_PARAMETER"}))]);
    assert_eq!(judged_dxgi("igpu-tier3", "2.8", older.clone()), CaseVerdict::Pass);
    assert!(matches!(judged_dxgi("igpu-tier3", "2.9", older), CaseVerdict::Fail(_)));
}

#[test]
fn c12_cases_query_the_list_of_applications() {
    let steps = json!([
        {"call": "QueryDListForApplication2", "args": {"application": "game.exe"},
            "expect": {"hr": "S_OK", "result": "NO_DATA", "decision_factor": "UNDEFINED", "elapsed_ns": 500_000}},
        {"call": "StartApplication", "args": {"application": "game.exe"}, "expect": {"hr": "S_OK", "adapter": 1}},
        {"call": "StartApplication", "args": {"application": ""}, "expect": {"hr": "E_INVALIDARG"}},
    ]);
    assert_eq!(judged_dxgi("dgpu", "3.2", steps), CaseVerdict::Pass);
    let slow = json!([{"call": "QueryDListForApplication2", "expect": {"elapsed_ns": 500_000}}]);
    assert!(matches!(judged_dxgi("faulty-slow-dlist", "3.2", slow), CaseVerdict::Fail(_)));
}
