//! Contributors of broken limits on handles.

use crate::trace_builder::TraceBuilder;
use taut_analyze::budget::{Budget, LimitOutcome};
use taut_analyze::{Analysis, Findings, report};

#[test]
fn a_failed_limit_on_handles_names_its_contributors() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.handles();
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let reports = Findings::of(&analysis, &[report("handles").unwrap()]).unwrap().reports();
    let limits =
        ["handles.violations == 0", "handles.shared_lines == 0", "handles.leaks == 0", "handles.peak_bytes <= 1"];
    let budget = Budget::parse(&format!("limits = {limits:?}")).unwrap();
    let checked = budget.check_trace("test", &reports, None, None, &analysis).unwrap();
    let contributors = checked.iter().map(|one| match &one.verdict {
        LimitOutcome::Broken(broken) => broken.contributors[0].clone(),
        other => panic!("{}: {other:?}", one.limit),
    });
    let expected =
        ["H-38 1 time: ", "line 0x20001000 moved 1 time: RESOURCE 0x10001000 in Draw", "3 of RESOURCE: 704 B"];
    let contributors: Vec<String> = contributors.collect();
    assert!(
        contributors.iter().zip(expected).all(|(contributors, expected)| contributors.starts_with(expected)),
        "{contributors:?}"
    );
    assert_eq!(contributors[3], "RESOURCE: 192 B in immediate contexts, 512 B in deferred ones");
}
