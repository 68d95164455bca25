//! Output for a recording of the workload `pix-single-frame`, as text and as JSON.

use crate::plain_text::draw_report;
use std::path::Path;
use taut_analyze::page::{PageContext, page};
use taut_analyze::{Analysis, Findings, report};
use taut_tables::sql::{NamedTrace, Query};
use taut_traces::Trace;

fn analysis() -> Analysis {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/pix-single-frame.taut");
    Analysis::new(Trace::open(file).unwrap()).unwrap()
}

#[test]
fn s3_one_frame_played_until_the_driver_has_learned_enough() {
    let result = report("pgo").unwrap().run(&analysis()).unwrap();
    insta::assert_snapshot!("pix_in_words", draw_report(&result));
    insta::assert_snapshot!("pix_in_json", serde_json::to_string_pretty(&result.json).unwrap());
}

#[test]
fn its_tasks_passes_and_draws_can_be_queried() {
    let trace = || vec![NamedTrace::new("pix", analysis())];
    let run_sql = |sql: &str| {
        let mut text = Vec::new();
        Query::new(trace()).run(sql).unwrap().write_json(&mut text).unwrap();
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()
    };
    let found = report("pgo").unwrap().run(&analysis()).unwrap().json;
    let counted = run_sql("SELECT count(*) AS n, count(variant) AS variants FROM tasks WHERE state = 'finished'");
    assert_eq!((&counted[0]["n"], &counted[0]["variants"]), (&found["tasks_finished"], &found["variants"]));
    let sums = run_sql("SELECT sum(executed) AS executed, sum(generic_executed) AS generic FROM draws");
    assert_eq!((&sums[0]["executed"], &sums[0]["generic"]), (&found["executed"], &found["generic_executed"]));
    let passes = run_sql("SELECT sum(draws) AS draws, max(pass) AS last FROM passes");
    assert_eq!((&passes[0]["draws"], &passes[0]["last"]), (&found["draws"], &found["mode_calls"]));
    let served = run_sql("SELECT count(*) AS found, sum(variant_draws) AS served FROM variants");
    assert_eq!((&served[0]["found"], &served[0]["served"]), (&found["opportunities"], &found["variant_draws"]));
    let wrong = run_sql("SELECT count(*) AS n FROM draws WHERE output_hash <> generic_output_hash");
    assert_eq!(wrong[0]["n"], 0);
}

#[test]
fn its_page_has_a_curve_and_a_timeline() {
    let analysis = analysis();
    let findings = Findings::of(&analysis, &[report("pgo").unwrap()]).unwrap();
    let page = page(&[("pix".to_owned(), &analysis, &findings)], &PageContext::default()).unwrap();
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let (page_data, found) = (&data["traces"][0]["reports"][0]["page_data"], &findings.reports()["pgo"]);
    assert_eq!(page_data["tasks"].as_array().unwrap().len() as u64, found["tasks_started"].as_u64().unwrap());
    assert_eq!(page_data["passes"].as_array().unwrap().len() as u64, found["mode_calls"].as_u64().unwrap() + 1);
    let executed: u64 = page_data["curve"]["executed"].as_array().unwrap().iter().filter_map(|one| one.as_u64()).sum();
    assert_eq!(executed, found["executed"].as_u64().unwrap());
    assert!(page.contains("taskTimeline"));
}
