//! Predictions of the table of allocators, against replays with the predicted policy; and of the projection to the
//! recorded number of contexts, against the recording.

use crate::combinations::Combination;
use crate::layouts::{handles, replay};
use crate::run::record;

/// Drivers with handles of several sizes and places.
const DRIVERS: [&str; 4] = ["d3d11on12-like", "dxvk-like", "replicated-fields", "small-contexts"];

/// The runtime places the handles of each policy by the same calls, so every figure is equal.
#[test]
fn h26_each_predicted_figure_of_an_allocator_is_that_of_its_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, new) = (folder.path().join("run.taut"), folder.path().join("new.taut"));
    let (mut compared, mut saved) = (0, 0);
    for combination in Combination::of_contexts(&DRIVERS) {
        record(&combination, &file).expect("a recording");
        let before = handles(&file);
        let policies = before["allocators"].as_array().expect("policies");
        assert_eq!(policies.len(), 3, "{combination}");
        for policy in policies {
            let setting = policy["setting"].as_str().expect("a setting");
            replay(&file, &new, setting);
            let after = handles(&new);
            let recorded =
                after["allocators"].as_array().expect("policies").iter().find(|one| one["is_recorded"] == true);
            assert_eq!(recorded.map(|one| &one["allocator"]), Some(&policy["allocator"]), "{combination} {setting}");
            for (predicted, figure) in
                [("predicted_peak_allocated_bytes", "peak_allocated_bytes"), ("predicted_line_touches", "line_touches")]
            {
                assert_eq!(policy[predicted], after[figure], "{combination} {setting}: {figure}");
                compared += 1;
                saved += u64::from(after[figure].as_u64() < before[figure].as_u64());
            }
        }
    }
    println!("{compared} figures compared");
    assert!(compared > 40 && saved > 0, "{compared} {saved}");
}

#[test]
fn the_projection_to_the_recorded_number_of_contexts_is_the_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.taut");
    let mut compared = 0;
    for combination in Combination::of_contexts(&DRIVERS) {
        record(&combination, &file).expect("a recording");
        let cost = &handles(&file)["cost"];
        let estimates = cost["estimate"].as_array().expect("estimates");
        for estimate in estimates {
            assert!(estimate["handles"].as_u64() <= estimate["max_handles"].as_u64(), "{combination}: {estimate}");
            assert!(estimate["bytes"].as_u64() <= estimate["max_bytes"].as_u64(), "{combination}: {estimate}");
        }
        if let Some(recorded) = estimates.iter().find(|estimate| estimate["contexts"] == cost["contexts"]) {
            let figures = (&recorded["handles"], &recorded["bytes"]);
            assert_eq!(figures, (&cost["handles"], &cost["bytes"]), "{combination}");
            compared += 1;
        }
    }
    assert!(compared > 4, "{compared}");
}
