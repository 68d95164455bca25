//! Predictions of the table "copy or share", against replays with the field at the predicted place.

use crate::combinations::Combination;
use crate::run::record;
use serde_json::Value;
use std::path::Path;
use taut_analyze::{Analysis, Findings, report};
use taut_app::NoProgress;
use taut_app::replay::{Replay, ReplayLimits, WhatIfOptions};
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

/// Drivers with fields.
const DRIVERS: [&str; 3] = ["d3d11on12-like", "dxvk-like", "replicated-fields"];
/// Max relative difference between a predicted figure and that of the replay.
const TOLERANCE: f64 = 0.05;

/// Figures of the report on handles.
pub fn handles(file: &Path) -> Value {
    let analysis = Analysis::new(Trace::open(file).expect("a trace")).expect("a readable trace");
    let findings = Findings::of(&analysis, &[report("handles").expect("a report")]).expect("figures");
    findings.reports()["handles"].take()
}

/// Replays a recording with a setting.
pub fn replay(file: &Path, new: &Path, setting: &str) {
    let trace = Trace::open(file).expect("a trace");
    let replay = Replay::new("run.taut".to_owned(), &trace, ReplayLimits { until: None, max_divergences: 8 })
        .expect("a replayable trace");
    let options = WhatIfOptions { settings: vec![setting.to_owned()], ..WhatIfOptions::default() };
    let start = |header: Header| TraceWriter::create(new, header, WriteOptions::default());
    replay.what_if(&options, Some(&start), &NoProgress).expect("a replay");
}

/// Predicted and replayed figures, by name.
fn replayed(file: &Path, new: &Path, alternative: &Value) -> Vec<(&'static str, u64, u64)> {
    replay(file, new, alternative["setting"].as_str().expect("a setting"));
    let after = handles(new);
    let predicted = |key: &str| alternative[key].as_u64().expect("a prediction");
    let found = |value: &Value| value.as_u64().expect("a figure");
    vec![
        ("line_touches", predicted("predicted_line_touches"), found(&after["line_touches"])),
        ("opened_bytes", predicted("predicted_opened_bytes"), found(&after["copies"]["opened_bytes"])),
        ("peak_bytes", predicted("predicted_peak_bytes"), found(&after["peak_bytes"])),
    ]
}

/// Every alternative, not only the recommended ones: a wrong prediction of another place would be a wrong advice.
#[test]
fn each_predicted_figure_of_a_placement_agrees_with_its_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, new) = (folder.path().join("run.taut"), folder.path().join("new.taut"));
    let (mut wrong, mut compared, mut recommended, mut exact) = (Vec::new(), 0, 0, 0);
    for combination in Combination::of_contexts(&DRIVERS) {
        record(&combination, &file).expect("a recording");
        let before = handles(&file);
        let fields = before["fields"].as_array().expect("fields");
        assert!(fields.len() > 4, "{combination}");
        recommended += fields.iter().filter(|field| field["recommended_placement"].is_string()).count();
        for field in fields.iter().filter(|field| field["opened"].as_u64() > Some(0)) {
            for alternative in field["alternatives"].as_array().expect("alternatives") {
                for (figure, predicted, found) in replayed(&file, &new, alternative) {
                    let difference = predicted.abs_diff(found) as f64 / found.max(1) as f64;
                    compared += 1;
                    exact += usize::from(predicted == found);
                    if difference > TOLERANCE {
                        let setting = &alternative["setting"];
                        wrong.push(format!(
                            "{combination} {setting}: {figure}: predicted {predicted}, replayed {found}"
                        ));
                    }
                }
            }
        }
    }
    println!("{compared} figures compared, {exact} equal, {recommended} recommended placements");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(recommended > 0 && compared > 50);
}
