//! Budget limits on figures.

use crate::golden::trace;
use taut_analyze::budget::{Budget, LimitOutcome, junit};
use taut_analyze::{Analysis, Findings, REPORTS};

fn reports() -> serde_json::Value {
    let analysis = Analysis::new(trace()).unwrap();
    Findings::of(&analysis, REPORTS).unwrap().reports()
}

fn checked(text: &str) -> Vec<(String, LimitOutcome)> {
    let analysis = Analysis::new(trace()).unwrap();
    let checked = Budget::parse(text).unwrap().check_trace("test", &reports(), None, None, &analysis).unwrap();
    checked.into_iter().map(|one| (one.limit, one.verdict)).collect()
}

fn refused(text: &str) -> String {
    match Budget::parse(text) {
        Ok(budget) => budget.check("test", &reports()).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_limit_holds_or_fails_with_its_contributors() {
    let text = "limits = [\n  \"health.lost_events == 0\",\n  \"alignment.peak.waste_ratio <= 0.10\",\n]\n";
    let checked = checked(text);
    assert_eq!(checked[0].1, LimitOutcome::Passed);
    let LimitOutcome::Broken(broken) = &checked[1].1 else { panic!("{checked:?}") };
    assert!(broken.found_text.ends_with('%'), "{}", broken.found_text);
    assert!(broken.contributors[0].contains(" wasted: "), "{:?}", broken.contributors);
    assert!(
        broken.headline().starts_with("alignment waste at peak, without free memory in heaps, ")
            && broken.headline().contains(" wasted: "),
        "{broken:?}"
    );
}

#[test]
fn a_failed_limit_on_a_heap_type_or_cause_names_its_contributors() {
    let found = reports();
    let figure =
        format!("alignment.residency.{}.peak_bytes", found["alignment"]["residency"][0]["name"].as_str().unwrap());
    let checked = checked(&format!("limits = [\"{figure} <= 1 KiB\", \"{figure} > 1 KiB\"]"));
    let LimitOutcome::Broken(broken) = &checked[0].1 else { panic!("{checked:?}") };
    assert!(
        !broken.contributors.is_empty() && broken.contributors.iter().all(|lines| lines.contains("(×")),
        "{broken:?}"
    );
    assert_eq!(checked[1].1, LimitOutcome::Passed);
    let causes = found["alignment"]["causes"].as_array().unwrap();
    assert!(!causes.is_empty());
    for cause in causes.iter().filter(|cause| cause["waste_bytes"].as_i64().unwrap() > 0) {
        let text = format!("limits = [\"alignment.causes.{}.waste_bytes <= 0\"]", cause["name"].as_str().unwrap());
        let checked = self::checked(&text);
        let LimitOutcome::Broken(broken) = &checked[0].1 else { panic!("{checked:?}") };
        assert!(!broken.contributors.is_empty(), "{broken:?}");
    }
}

#[test]
fn a_figure_under_its_former_key_is_limited_and_named_by_the_present_one() {
    let text = "limits = [\"alignment.peak.taken_bytes <= 1 B\"]";
    let analysis = Analysis::new(trace()).unwrap();
    let checked = Budget::parse(text).unwrap().check_trace("test", &reports(), None, None, &analysis).unwrap();
    assert_eq!(
        (&*checked[0].limit, &*checked[0].figure),
        ("alignment.peak.taken_bytes <= 1 B", "alignment.peak.in_use_bytes")
    );
    let LimitOutcome::Broken(broken) = &checked[0].verdict else { panic!("{checked:?}") };
    assert!(!broken.contributors.is_empty(), "{broken:?}");
}

#[test]
fn a_broken_limit_names_another_driver_than_the_baseline_s() {
    let text = "limits = [\"alignment.peak.in_use_bytes <= 1 B\"]";
    let analysis = Analysis::new(trace()).unwrap();
    let driver = analysis.head().unwrap().driver.clone();
    let contributors = |baseline_driver: &str| {
        let budget = Budget::parse(text).unwrap();
        let checked =
            budget.check_trace("test", &reports(), Some(&reports()), Some(baseline_driver), &analysis).unwrap();
        let LimitOutcome::Broken(broken) = &checked[0].verdict else { panic!("{checked:?}") };
        broken.contributors.clone()
    };
    assert_eq!(contributors("other")[0], format!("the driver differs from the baseline's: other → {driver}"));
    assert!(contributors(&driver).iter().all(|line| !line.contains("driver differs")));
}

#[test]
fn a_workload_s_limit_replaces_the_general_one_of_its_figure() {
    let text = "limits = [\"alignment.peak.heaps <= 0\", \"alignment.end.heaps <= 9\"]\n\
                [workloads.\"te*\"]\nlimits = [\"alignment.peak.heaps <= 5\"]\n\
                [workloads.\"other\"]\nlimits = [\"alignment.peak.heaps <= 1\"]\n";
    let checked = checked(text);
    let expected =
        [("alignment.peak.heaps <= 5", LimitOutcome::Passed), ("alignment.end.heaps <= 9", LimitOutcome::Passed)];
    assert_eq!(checked, expected.map(|(limit, verdict)| (limit.to_owned(), verdict)));
}

#[test]
fn an_element_of_a_list_goes_by_its_name() {
    assert_eq!(checked("limits = [\"alignment.phases.load.resources == 3\"]")[0].1, LimitOutcome::Passed);
}

/// Outcome of a budget check if the baseline's peak is this multiple of the trace's peak.
fn against(text: &str, part: f64) -> LimitOutcome {
    let (found, mut baseline) = (reports(), reports());
    let peak = baseline.pointer_mut("/alignment/peak/allocated_bytes").unwrap();
    *peak = ((peak.as_f64().unwrap() * part) as u64).into();
    let checked = Budget::parse(text).unwrap().check_against("test", &found, Some(&baseline)).unwrap();
    checked.into_iter().next().unwrap().verdict
}

const TWO_PERCENT: &str = "[alignment]\n\"peak.allocated_bytes\" = { max_more_than_baseline = \"2%\" }\n";

#[test]
fn a_limit_relative_to_a_baseline_is_broken_by_more_than_it_allows() {
    assert_eq!(against(TWO_PERCENT, 1.0), LimitOutcome::Passed);
    assert_eq!(against(TWO_PERCENT, 0.99), LimitOutcome::Passed);
    assert_eq!(against(TWO_PERCENT, 5.0), LimitOutcome::Passed);
    let LimitOutcome::Broken(broken) = against(TWO_PERCENT, 0.97) else { panic!("not broken") };
    assert!(broken.found_text.contains(", in the baseline "), "{broken:?}");
    let nested = "[alignment.peak.allocated_bytes]\nmax_less_than_baseline = \"1 KiB\"\n";
    assert_eq!(against(nested, 1.0), LimitOutcome::Passed);
    assert!(matches!(against(nested, 1.5), LimitOutcome::Broken(_)));
}

proptest::proptest! {
    /// The outcome of a relative limit matches exact arithmetic.
    #[test]
    fn a_share_is_of_the_baseline(found in 0_u64..1_000_000, base in 0_u64..1_000_000, percent in 0_u32..200) {
        let of = |bytes: u64| serde_json::json!({"alignment": {"peak": {"allocated_bytes": bytes}}});
        let text = format!("[alignment]\n\"peak.allocated_bytes\" = {{ max_more_than_baseline = \"{percent} %\" }}");
        let checked = Budget::parse(&text).unwrap().check_against("test", &of(found), Some(&of(base))).unwrap();
        let max_allowed = base as f64 + base as f64 * (f64::from(percent) / 100.0);
        proptest::prop_assert_eq!(checked[0].verdict == LimitOutcome::Passed, found as f64 <= max_allowed);
    }
}

#[test]
fn a_relative_limit_without_a_baseline_figure_is_reported_as_skipped() {
    let found = reports();
    let of = |baseline: Option<&serde_json::Value>| {
        let budget = Budget::parse(TWO_PERCENT).unwrap();
        let checked = budget.check_against("test", &found, baseline).unwrap();
        let LimitOutcome::Skipped(why) = &checked[0].verdict else { panic!("{checked:?}") };
        why.clone()
    };
    assert!(of(None).contains("--baseline"));
    let lacking = [
        serde_json::json!({"alignment": {"not_applicable": "no heap is created"}}),
        serde_json::json!({"alignment": {"peak": {"allocated_bytes": null}}}),
        serde_json::json!({}),
    ];
    assert_eq!(
        lacking.each_ref().map(|baseline| of(Some(baseline))),
        ["of the baseline: no heap is created", "the baseline has no such figure", "the baseline has no such figure"]
    );
}

#[test]
fn a_workload_s_relative_limit_replaces_the_general_one_and_no_other() {
    let text = format!(
        "limits = [\"alignment.peak.allocated_bytes <= 1 TiB\"]\n{TWO_PERCENT}\
         [workloads.\"te*\".alignment]\n\"peak.allocated_bytes\" = {{ max_more_than_baseline = \"50 %\" }}\n"
    );
    let checked = Budget::parse(&text).unwrap().check("test", &reports()).unwrap();
    let limits: Vec<&str> = checked.iter().map(|one| one.limit.as_str()).collect();
    let relative = "alignment.peak.allocated_bytes at most 50 % more than the baseline";
    assert_eq!(limits, ["alignment.peak.allocated_bytes <= 1 TiB", relative]);
}

#[test]
fn budget_errors_name_their_position() {
    insta::assert_snapshot!(
        [
            "limit = []",
            "limits = 5",
            "limits = [\"health.lost_events == 0\",\n  7]",
            "limits = [\n",
            "workloads = 1",
            "[workloads.\"a*\"]\nlimts = []",
            "limits = [\"alignment.peak.wast_ratio <= 1\"]",
            "limits = [\"alignment.peak.of_everything <= 1\"]",
            "limits = [\"alignment.peak <= 1\"]",
            "limits = [\"health.complete <= 1\"]",
            "limits = [\"health.clock.source == 1\"]",
            "limits = [\"helth.lost_events == 0\"]",
            "limits = [\"health.lost_events == none\"]",
            "[alinment]\n",
            "[alignment]\n",
            "alignment = 5",
            "[alignment]\n\"peak.allocated_bytes\" = \"2 %\"",
            "[alignment]\n\n\"peak.allocated_bytes\" = { max_more_then_baseline = \"2 %\" }",
            "[alignment]\n\"peak.allocated_bytes\" = { max_more_than_baseline = true }",
            "[alignment]\n\"peak.allocated_bytes\" = { max_more_than_baseline = \"2 MB\" }",
            "[alignment]\n\"peak.alocated_bytes\" = { max_more_than_baseline = \"2 %\" }",
            "[health]\ncomplete = { max_more_than_baseline = \"2 %\" }",
        ]
        .map(|text| format!("{}\n  -> {}", text.replace('\n', "⏎"), refused(text)))
        .join("\n")
    );
}

#[test]
fn a_checked_limit_has_its_value_whether_it_holds_or_not() {
    let text =
        "limits = [\"health.lost_events == 0\", \"health.lost_events > 0\", \"alignment.worst.999.waste_bytes == 3\"]";
    let checked = Budget::parse(text).unwrap().check("test", &reports()).unwrap();
    let summaries: Vec<_> = checked.iter().map(|one| one.summary.as_deref()).collect();
    assert_eq!(summaries, [Some("health lost events 0"), Some("health lost events 0"), None]);
}

#[test]
fn a_share_of_waste_that_rises_without_more_waste_names_the_data() {
    let (found, mut baseline) = (reports(), reports());
    let peak = baseline.pointer_mut("/alignment/peak").unwrap();
    peak["waste_ratio"] = (peak["waste_ratio"].as_f64().unwrap() / 2.0).into();
    peak["requested_bytes"] = (peak["requested_bytes"].as_u64().unwrap() + (64 << 20)).into();
    let text = "[alignment]\n\"peak.waste_ratio\" = { max_more_than_baseline = \"0 %\" }\n";
    let checked = Budget::parse(text).unwrap().check_against("test", &found, Some(&baseline)).unwrap();
    let LimitOutcome::Broken(broken) = &checked[0].verdict else { panic!("{checked:?}") };
    assert!(broken.contributors[0].starts_with("the waste does not grow ("), "{broken:?}");
    assert!(broken.contributors[0].contains("because the data shrinks (64."), "{broken:?}");
}

#[test]
fn junit_has_a_case_for_every_limit() {
    let text = "limits = [\"health.lost_events == 0\", \"alignment.worst.0.waste_bytes < 1\"]";
    let checked = Budget::parse(text).unwrap().check("test", &reports()).unwrap();
    let text = junit(&[("a <trace>".to_owned(), checked)]);
    assert!(text.contains("<testsuites name=\"taut budget\" tests=\"2\" failures=\"1\">"), "{text}");
    assert!(text.contains("<testcase classname=\"a &lt;trace&gt;\" name=\"health.lost_events == 0\"/>"), "{text}");
    assert!(text.contains("<failure message="), "{text}");
}

#[test]
fn a_limit_on_a_phase_that_the_trace_lacks_is_not_checked() {
    let verdict = checked("limits = [\"alignment.phases.no such.resources == 3\"]").remove(0).1;
    assert_eq!(verdict, LimitOutcome::Skipped("there is no `no such` among the `phases` of this trace".to_owned()));
    assert!(matches!(checked("limits = [\"alignment.worst.999.waste_bytes == 3\"]")[0].1, LimitOutcome::Skipped(_)));
    // A figure name that exists in no phase is an error.
    assert!(refused("limits = [\"alignment.phases.load.resorces == 3\"]").contains("resorces"));
}
