//! Memory of handles: allocators, cache sets, command lists, and objects opened in each recording.

use super::{DEFERRED, IMMEDIATE, LIST, TEXTURE, broken, device, figures, trace_with};
use crate::trace_builder::TraceBuilder;
use serde_json::{Value, json};
use taut_analyze::handles::HandleSettings;
use taut_analyze::{Analysis, report};
use taut_schemas::{HandleAllocator, RecordedCommands, d3d11_context_ddi as ddi};

/// Runs the report with a cache.
fn with_cache(geometry: &str, write: impl FnOnce(&mut TraceBuilder)) -> Value {
    let settings: HandleSettings = geometry.parse().unwrap();
    let analysis = Analysis::new(trace_with(write)).unwrap().with_handle_settings(settings);
    report("handles").unwrap().run(&analysis).unwrap().json
}

#[test]
fn h26_the_recorded_policy_is_predicted_as_recorded() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 3);
    }));
    let policies = found["allocators"].as_array().unwrap();
    let names: Vec<&str> = policies.iter().map(|policy| policy["allocator"].as_str().unwrap()).collect();
    assert_eq!(names, HandleAllocator::ALL.map(HandleAllocator::name));
    assert_eq!(policies.iter().map(|policy| policy["is_recorded"] == true).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(policies[0]["predicted_peak_allocated_bytes"], found["peak_allocated_bytes"]);
    assert_eq!(policies[0]["predicted_line_touches"], found["line_touches"]);
    // The immediate context's handles have 3 lines each. The deferred ones of 256 and 48 bytes have 4 and 1, and packed
    // into 304 bytes 5 as well.
    let allocated = |policy: usize| policies[policy]["predicted_peak_allocated_bytes"].as_u64().unwrap();
    assert_eq!([0, 1, 2].map(allocated), [64 * (3 + 3 + 4 + 1); 3]);
}

/// Rule H-35: cache sets repeat every 4096 bytes and have 64-byte lines and eight ways. A ninth hot handle in any set
/// is a conflict; rarely read handles do not count.
#[test]
fn h35_more_than_eight_hot_handles_in_one_set_are_reported() {
    let sets = |count, apart_bytes, reads: fn(u64) -> u32| {
        let found = figures(trace_with(|w| {
            w.device_with_contexts();
            w.blends_apart(count, apart_bytes, reads);
        }));
        let sets = &found["cache_sets"];
        assert_eq!((&sets["sets"], &sets["ways"]), (&json!(64), &json!(8)));
        [&sets["max_hot_lines"], &sets["conflicting_sets"]].map(|figure| figure.as_u64().unwrap())
    };
    assert_eq!(sets(8, 4096, |_| 4), [8, 0]);
    assert_eq!(sets(9, 4096, |_| 4), [9, 1]);
    assert_eq!(sets(9, 8192, |_| 4), [9, 1], "sets repeat");
    assert_eq!(sets(18, 2048, |_| 4), [9, 2], "two sets");
    // The texture and its view share a set in the immediate context.
    assert_eq!(sets(9, 4096 + 64, |_| 4), [2, 0], "each in a set of its own");
    assert_eq!(sets(64, 64, |_| 4), [2, 0]);
    assert_eq!(sets(32, 4096, |at| if at < 8 { 64 } else { 1 }), [8, 0], "the others are cold");
}

/// Rule H-35: a handle counts on each of its lines, so few sets have conflicts at once.
#[test]
fn h35_large_handles_conflict_in_every_set_of_a_small_cache() {
    let write = |w: &mut TraceBuilder| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 4);
    };
    let small = &with_cache("128:1:64", write)["cache_sets"];
    assert_eq!((&small["cache_bytes"], &small["sets"], &small["ways"]), (&json!(128), &json!(2), &json!(1)));
    assert!(small["max_hot_lines"].as_u64() > Some(2), "{small}");
    assert_eq!(small["by_set"].as_array().unwrap().len(), 2);
    assert!(small["conflicting_sets"].as_u64() >= Some(2), "{small}");
    let large = &with_cache("1MiB:16:64", write)["cache_sets"];
    assert_eq!((&large["conflicting_sets"], &large["by_set"]), (&json!(0), &json!([])));
}

impl TraceBuilder {
    fn execute_list(&mut self) {
        let (context, device) = (IMMEDIATE, device(IMMEDIATE));
        self.ddi(ddi::CommandListExecute { context, device, command_list: LIST }, RecordedCommands::default());
    }
}

#[test]
fn a_list_pins_the_objects_of_its_recording_until_the_end() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 1);
        w.finish_list(DEFERRED[0]);
        w.execute_list();
    }));
    let lists = &found["command_lists"];
    assert_eq!((&lists["created"], &lists["executions"], &lists["executed_once"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!((&lists["peak_lists"], &lists["pinned_objects"]), (&json!(1), &json!(2)));
    assert_eq!((&lists["list_bytes"], &lists["pinned_bytes"]), (&json!(64), &json!(2 * 192)));
    assert_eq!(
        (&lists["live_at_end"], &lists["retained"]),
        (&json!(1), &json!(0)),
        "its context records no other list"
    );
    let list = &lists["oldest"][0];
    assert_eq!((&list["list"], &list["executions"]), (&json!(format!("0x{:x}", LIST.0)), &json!(1)));
    assert_eq!(broken(&found), Vec::<&str>::new());
}

#[test]
fn objects_opened_in_each_recording_are_ranked_by_their_ddi_calls() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 1);
        w.finish_list(DEFERRED[0]);
        w.open_texture(DEFERRED[0]);
        w.record_draws(DEFERRED[1], 1);
    }));
    let recreation = &found["recreation"];
    assert_eq!((&recreation["recreated"], &recreation["ddi_calls"]), (&json!(1), &json!(2)));
    assert_eq!((&recreation["bytes"], &recreation["objects"]), (&json!(256), &json!(1)));
    let object = json!({
        "object": format!("RESOURCE 0x{:x}", TEXTURE.0), "opened": 3, "recreated": 1, "ddi_calls": 2, "bytes": 256,
        "contexts": 2, "in_every_recording": true,
    });
    assert_eq!(recreation["by_object"], json!([object]));
}
