//! Limits on figures.

use crate::golden::trace;
use taut_analyze::budget::{Budget, Verdict, junit};
use taut_analyze::{Analysis, Findings, REPORTS};

fn reports() -> serde_json::Value {
    let analysis = Analysis::new(trace()).unwrap();
    Findings::of(&analysis, REPORTS).unwrap().reports()
}

fn checked(text: &str) -> Vec<(String, Verdict)> {
    let checked = Budget::parse(text).unwrap().check("test", &reports()).unwrap();
    checked.into_iter().map(|one| (one.limit, one.verdict)).collect()
}

fn refused(text: &str) -> String {
    match Budget::parse(text) {
        Ok(budget) => budget.check("test", &reports()).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_limit_is_kept_or_broken_with_what_stands_behind_it() {
    let text = "limits = [\n  \"health.lost_events == 0\",\n  \"alignment.peak.waste_ratio <= 0.10\",\n]\n";
    let checked = checked(text);
    assert_eq!(checked[0].1, Verdict::Kept);
    let Verdict::Broken(broken) = &checked[1].1 else { panic!("{checked:?}") };
    assert!(broken.found_text.ends_with('%'), "{}", broken.found_text);
    assert!(broken.behind[0].contains("wastes"), "{:?}", broken.behind);
}

#[test]
fn a_workload_s_limit_replaces_the_general_one_of_its_figure() {
    let text = "limits = [\"alignment.peak.heaps <= 0\", \"alignment.end.heaps <= 9\"]\n\
                [workloads.\"te*\"]\nlimits = [\"alignment.peak.heaps <= 5\"]\n\
                [workloads.\"other\"]\nlimits = [\"alignment.peak.heaps <= 1\"]\n";
    let checked = checked(text);
    let expected = [("alignment.peak.heaps <= 5", Verdict::Kept), ("alignment.end.heaps <= 9", Verdict::Kept)];
    assert_eq!(checked, expected.map(|(limit, verdict)| (limit.to_owned(), verdict)));
}

#[test]
fn an_element_of_a_list_goes_by_its_name() {
    assert_eq!(checked("limits = [\"alignment.phases.load.resources == 3\"]")[0].1, Verdict::Kept);
}

#[test]
fn what_is_wrong_with_a_budget_is_said_with_its_place() {
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
        ]
        .map(|text| format!("{}\n  -> {}", text.replace('\n', "⏎"), refused(text)))
        .join("\n")
    );
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
    assert_eq!(verdict, Verdict::Skipped("there is no `no such` among the `phases` of this trace".to_owned()));
    assert!(matches!(checked("limits = [\"alignment.worst.999.waste_bytes == 3\"]")[0].1, Verdict::Skipped(_)));
    // A figure that no phase has is a mistake.
    assert!(refused("limits = [\"alignment.phases.load.resorces == 3\"]").contains("resorces"));
}
