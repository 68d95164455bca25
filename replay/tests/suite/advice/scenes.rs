//! Published scenes, if they exist next to the checkout: causes add up to the waste, and each change saves what it
//! claims, both when the scene is replayed and when it is recorded again with that change.

use crate::advice::heaps;
use crate::advice::reported::{ReportedTrace, is_of_descriptions};
use std::path::{Path, PathBuf};
use taut_capture::Clock;
use taut_runtime::Profile;
use taut_workloads::Parameters;
use taut_workloads::scene::{PARAMETERS, Scene, read, run};

/// Published scenes.
const SCENES: [&str; 6] =
    ["ABeautifulGame", "AbandonedWarehouse", "Bonza4X", "FlightHelmet", "SpaceModule", "Sponza01"];

fn published() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/scenes");
    if !folder.is_dir() {
        eprintln!("skipped: the published scenes do not stand beside the checkout");
        return None;
    }
    Some(folder)
}

/// Recording of a scene: its driver and its parameters.
struct Recording<'a> {
    scene: &'a Scene,
    driver: &'a str,
    overrides: Vec<(&'a str, &'a str)>,
}

impl Recording<'_> {
    /// Records the scene with additional parameters.
    fn reported(&self, more: &[(&str, &str)], file: &Path) -> ReportedTrace {
        let overrides =
            self.overrides.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let parameters = Parameters::new(PARAMETERS, overrides.collect()).expect("parameters of scenes");
        taut_testkit::Recording::under(self.driver).with_clock(Clock::Logical).record(file, |session| {
            run(self.scene, session, &parameters).expect("a recording");
        });
        let name = format!("{} on {}, {:?}, {more:?}", self.scene.name, self.driver, self.overrides);
        ReportedTrace::of(name, file)
    }

    /// Checks the causes, and that every change saves what it claims: replayed, recorded again, and all first changes
    /// together. Returns the number of changes.
    fn assert_causes(&self, folder: &Path) -> usize {
        let reported = self.reported(&[], &folder.join("scene.taut"));
        reported.assert_causes_are_the_waste();
        let before = reported.memory();
        let (mut checked, mut together, mut claimed) = (0, Vec::new(), 0);
        for cause in &reported.figures.causes {
            for (place, change) in cause.changes.iter().enumerate() {
                let is_of_heaps = heaps::assert_saves(&reported.name, &before.free, cause, change);
                if is_of_descriptions(change) {
                    reported.assert_saves_replayed(cause, change);
                }
                let anew = self.reported(&[(cause.name, change.change)], &folder.join("anew.taut"));
                let after = anew.memory();
                let saved = match change.change {
                    "falling_alignment" => before.free.padding_bytes - after.free.padding_bytes,
                    "fitted_heaps" => before.real_bytes() - after.real_bytes(),
                    _ => before.in_use_bytes - after.in_use_bytes,
                };
                assert_eq!(saved, change.saving_bytes, "{}: {}", anew.name, cause.name);
                if place == 0 && !is_of_heaps {
                    together.push((cause.name, change.change));
                    claimed += cause.cumulative_saving_bytes;
                }
                checked += 1;
            }
        }
        let all = self.reported(&together, &folder.join("anew.taut"));
        assert_eq!(before.in_use_bytes - all.memory().in_use_bytes, claimed, "{}", all.name);
        checked
    }
}

/// Checks all scenes with placed or committed resources, under each driver, tight and classic.
fn assert_scenes(memory: &str, drivers: &[&str]) {
    let Some(scenes) = published() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut checked = 0;
    for name in SCENES {
        let scene = read(&scenes.join(name).join(format!("{name}.gltf"))).expect("a scene");
        for driver in drivers {
            for tight in ["off", "on"] {
                let overrides = vec![("memory", memory), ("tight", tight)];
                checked += Recording { scene: &scene, driver, overrides }.assert_causes(folder.path());
            }
        }
    }
    assert!(checked > SCENES.len(), "{checked} changes");
}

#[test]
fn causes_of_placed_scenes_are_the_waste_and_each_change_saves_what_a_replay_of_it_does() {
    assert_scenes("placed", &["reference"]);
}

#[test]
fn causes_of_committed_scenes_are_the_waste_and_each_change_saves_what_a_replay_of_it_does() {
    assert_scenes("committed", &["reference"]);
}

#[test]
#[ignore = "every driver model: minutes"]
fn causes_of_scenes_on_every_driver_are_the_waste_and_each_change_saves_what_a_replay_of_it_does() {
    let drivers: Vec<&str> = Profile::bundled().iter().map(|(name, _)| *name).collect();
    ["placed", "committed"].into_iter().for_each(|memory| assert_scenes(memory, &drivers));
}
