//! Reports of a recording that starts in mid-stream: preexisting objects come from its rundown.

use super::recordings::Source;
use super::{split_at, stamps};
use std::collections::BTreeMap;
use taut_analyze::Analysis;
use taut_analyze::background::{Background, Task};
use taut_analyze::memory::{HeapIndex, Layout, Live, Turn, World};
use taut_schemas::HeapId;

/// Returns the live objects after a stamp: the sums, the layouts of heaps, and names.
fn at(world: &World, stamp: u64) -> (Live, BTreeMap<HeapId, Layout>, Vec<(u64, String)>) {
    let last = world.changes.iter().rposition(|change| change.moment.stamp <= stamp);
    let turn = last.map(|at| Turn(at as u32));
    let Some(turn) = turn else { return Default::default() };
    let heaps = (0..).map(HeapIndex).zip(&world.heaps).filter(|(_, heap)| heap.lives_after(turn));
    let layouts = heaps.map(|(index, heap)| (heap.id, world.layout_after(index, turn))).collect();
    let living = world.resources.iter().filter(|resource| resource.lives_after(turn));
    let mut names: Vec<_> = living.map(|resource| (resource.id.0, world.names.get(resource.name).to_owned())).collect();
    names.sort();
    (world.live_after(Some(turn)), layouts, names)
}

#[test]
fn the_world_of_a_split_recording_is_that_of_the_whole_one_from_the_split_on() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["streaming-world", "small-level"] {
        let trace = Source::named(name).recorded(folder.path());
        let stamps = stamps(&trace);
        let (split_at, later) = split_at(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
        let (whole, rest) = (Analysis::new(trace).expect("an analysis"), Analysis::new(later).expect("an analysis"));
        let (whole, rest) = (whole.world().expect("a world"), rest.world().expect("a world"));
        let (live, ..) = at(whole, split_at.stamp);
        assert!(live.resources().allocated().count > 10, "{name}: {live:?}");
        assert!(rest.gaps.objects_of_rundown > 10, "{name}: {:?}", rest.gaps);
        assert_eq!(rest.gaps.releases_of_unknown_objects, 0, "{name}");
        for part in 0..8 {
            let after = stamps.iter().filter(|stamp| **stamp >= split_at.stamp).count();
            let stamp = stamps[stamps.len() - after + part * after / 8].max(split_at.stamp);
            assert_eq!(at(rest, stamp), at(whole, stamp), "{name} after {stamp}, cut at {}", split_at.stamp);
        }
    }
}

/// Returns the pending and running tasks after a stamp, with true for running ones.
fn in_flight(background: &Background, stamp: u64) -> BTreeMap<u64, bool> {
    let began = |task: &Task| task.queued_stamp.is_some_and(|queued| queued <= stamp) && !task.refused;
    let ended = |task: &Task| {
        let ends = task.stopped_stamp.into_iter().chain(task.cancelled.map(|cancelled| cancelled.stamp));
        ends.into_iter().any(|end| end <= stamp)
    };
    let runs = |task: &Task| task.started.is_some_and(|started| started.stamp <= stamp);
    let tasks = background.tasks.iter().filter(|task| began(task) && !ended(task));
    tasks.map(|task| (task.id.0, runs(task))).collect()
}

#[test]
fn the_tasks_and_the_mode_of_a_split_recording_are_those_of_the_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut preexisting = 0;
    for name in ["game-session", "mode-storm"] {
        let trace = Source::named(name).recorded(folder.path());
        let stamps = stamps(&trace);
        let splits: Vec<_> =
            (1..12).filter_map(|part| split_at(&trace, stamps[stamps.len() * part / 12]).expect("a cut")).collect();
        let whole = Analysis::new(trace).expect("an analysis");
        let whole = whole.background().expect("background processing");
        for (split_at, later) in splits {
            let rest = Analysis::new(later).expect("an analysis");
            let figures = taut_analyze::report("pgo").expect("a report").run(&rest).expect("figures").json;
            let rest = rest.background().expect("background processing");
            let is_preexisting = rest.tasks.iter().filter(|task| task.is_preexisting);
            let is_preexisting: BTreeMap<u64, bool> = is_preexisting
                .map(|task| (task.id.0, task.started.is_some_and(|started| started.stamp <= split_at.stamp)))
                .collect();
            assert_eq!(is_preexisting, in_flight(whole, split_at.stamp), "{name} at {}", split_at.stamp);
            preexisting += is_preexisting.len();
            let became = |task: &Task| (task.id, task.pipeline_state, task.state(), task.variant);
            for task in &rest.tasks {
                assert_eq!(Some(became(task)), whole.task(task.id).map(became), "{name} at {}", split_at.stamp);
            }
            let pass = whole.passes.iter().rfind(|pass| pass.began_stamp <= split_at.stamp).expect("a pass");
            assert_eq!(rest.passes[0].mode, pass.mode, "{name} at {}", split_at.stamp);
            let figure = |key: &str| figures[key].as_u64().expect("a count");
            assert_eq!(figure("preexisting_tasks"), is_preexisting.len() as u64);
            let ends = figure("tasks_finished") + figure("tasks_cancelled") + figure("tasks_left");
            assert_eq!(ends, figure("opportunities") + figure("preexisting_tasks"), "{name} at {}", split_at.stamp);
        }
    }
    assert!(preexisting > 10, "{preexisting} tasks were there");
}

#[test]
fn the_records_of_a_rundown_are_of_one_moment_and_break_no_order() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["game-session", "streaming-world", "deferred-contexts"] {
        let trace = Source::named(name).recorded(folder.path());
        let stamps = stamps(&trace);
        let (_, later) = split_at(&trace, stamps[stamps.len() / 2]).expect("a cut").expect("a rest");
        let rest = Analysis::new(later).expect("an analysis");
        let report = taut_analyze::report("health").expect("a report").run(&rest).expect("figures");
        let clock = &report.json["clock"];
        assert!(clock["steps"].as_u64().expect("a count") > 100, "{name}: {clock}");
        assert_eq!(clock["steps_not_forward"], 0, "{name}");
    }
}
