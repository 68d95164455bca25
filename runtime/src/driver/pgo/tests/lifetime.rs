//! Tests of pipeline states that are destroyed while a task for them runs.

use super::bench::{DriverBench, quick};
use std::sync::Arc;
use taut_schemas::{CallbackCall, PipelineStateId, VariantId, d3d12_ddi};

#[test]
fn b70_the_result_for_a_destroyed_pipeline_state_is_discarded() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "lighting");
    bench.repeat(8, &(1, 16, material.constants(0)));
    let pipeline = &bench.driver_state().pipelines[&PipelineStateId(1)];
    let (code, shader) = (Arc::downgrade(&pipeline.generic), Arc::downgrade(pipeline.shader()));
    bench.destroy(1);
    assert_eq!(code.strong_count(), 0, "freed at release, although a task is under way");
    assert_eq!(shader.strong_count(), 1, "the task's own");
    assert_eq!(bench.driver_state().tasks.values().next().unwrap().pipeline_state, None);
    assert_eq!(bench.run_all(), []);
    assert_eq!(shader.strong_count(), 0);
    assert!(bench.driver_state().tasks.is_empty() && bench.driver_state().pipelines.is_empty());
}

/// Rule B-71: the text of one shader, and slots and values.
#[test]
fn b71_a_task_keeps_the_text_of_one_shader_and_its_key() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "lighting");
    bench.repeat(8, &(1, 16, material.constants(0)));
    let shader = Arc::downgrade(bench.driver_state().pipelines[&PipelineStateId(1)].shader());
    bench.destroy(1);
    let driver_state = shader.upgrade().unwrap();
    let text_bytes = serde_json::to_vec(&*driver_state).unwrap().len();
    let key_bytes = 8 * bench.driver_state().tasks.values().map(|task| task.key.len()).sum::<usize>();
    assert!(key_bytes > 0 && key_bytes <= 8 * driver_state.function().constants.len());
    println!("{text_bytes} bytes of text and {key_bytes} of key");
    assert!(text_bytes + key_bytes < 32 << 10, "{text_bytes} + {key_bytes}");
}

#[test]
fn b70_measurements_of_a_destroyed_pipeline_state_are_dropped() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    let submitted = bench.submit(&vec![(1, 4, material.constants(0)); 20]);
    bench.destroy(1);
    assert_eq!(bench.complete(&submitted).len(), 20, "the work has all that it needs");
    assert_eq!(bench.fake.queued.len(), 0);
    assert!(bench.driver_state().submissions.is_empty());
}

#[test]
fn b56_a_destroyed_device_has_no_state() {
    let (mut bench, material) = DriverBench::with(quick(), Default::default(), "tone-map");
    bench.repeat(8, &(1, 4, material.constants(0)));
    assert_eq!(bench.run_all(), [VariantId(1)]);
    let code = Arc::downgrade(&bench.driver_state().pipelines[&PipelineStateId(1)].installed[0].code);
    d3d12_ddi::DestroyDevice {}.dispatch(&*bench.driver(), &mut bench.fake, ());
    assert_eq!(code.strong_count(), 0);
}
