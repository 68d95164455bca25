//! Table of the bundled workloads.

use super::benchmark_priming::BenchmarkPriming;
use super::contexts::{ContextChurn, ContextOom, ContextUpdates, DeferredContexts};
use super::error::{WorkloadError, caught};
use super::external_gpu::ExternalGpu;
use super::game_session::GameSession;
use super::hybrid_laptop::HybridLaptop;
use super::legacy_d3d9::LegacyD3d9;
use super::mode_storm::ModeStorm;
use super::multiple_displays::MultipleDisplays;
use super::never_converges::NeverConverges;
use super::parameters::Parameters;
use super::pix_single_frame::PixSingleFrame;
use super::resize_storm::ResizeStorm;
use super::rotated_display::RotatedDisplay;
use super::skip_training::SkipTraining;
use super::small_level::SmallLevel;
use super::steps::Steps;
use super::streaming_world::StreamingWorld;
use super::texture_upload::TextureUpload;
use super::turn_off::TurnOff;
use super::workload::{Scenario, Workload};
use taut_capture::Callers;
use taut_schemas::nearest;

/// Generates the table and its dispatch from the list of scenarios.
macro_rules! workloads {
    ($($Scenario:ident),*) => {
        /// Bundled workloads.
        pub const WORKLOADS: &[Workload] = &[ $( $Scenario::WORKLOAD ),* ];

        /// Runs the bundled workload of this name. `parameters` must be created from its own list.
        ///
        /// # Errors
        /// The workload does not exist, a call panicked, a required call failed, or the system cannot create a thread.
        pub fn run<C: Callers>(name: &str, callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
            $( if name == $Scenario::WORKLOAD.name {
                return caught(|| $Scenario::run(callers, parameters));
            } )*
            let suggestion = nearest(name, WORKLOADS.iter().map(|workload| workload.name));
            Err(WorkloadError::UnknownWorkload { name: name.to_owned(), suggestion })
        }

        /// Returns the default machine of the bundled workload of this name, if it needs one.
        pub fn machine(name: &str) -> Option<&'static str> {
            $( if name == $Scenario::WORKLOAD.name {
                return $Scenario::MACHINE;
            } )*
            None
        }

        /// Returns the number of steps of the bundled workload of this name, if it exists.
        pub fn steps(name: &str, parameters: &Parameters) -> Option<Steps> {
            $( if name == $Scenario::WORKLOAD.name {
                return Some($Scenario::steps(parameters));
            } )*
            None
        }
    };
}

workloads!(
    SmallLevel,
    StreamingWorld,
    TextureUpload,
    PixSingleFrame,
    BenchmarkPriming,
    TurnOff,
    SkipTraining,
    GameSession,
    ModeStorm,
    NeverConverges,
    HybridLaptop,
    RotatedDisplay,
    ExternalGpu,
    ResizeStorm,
    MultipleDisplays,
    LegacyD3d9,
    DeferredContexts,
    ContextOom,
    ContextChurn,
    ContextUpdates
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::Range;
    use crate::bundled::memory_session::{Event, MemorySession};
    use std::collections::{BTreeMap, BTreeSet};
    use taut_runtime::Profile;

    #[test]
    fn every_workload_is_described_and_has_seed_and_threads() {
        let names: BTreeSet<_> = WORKLOADS.iter().map(|workload| workload.name).collect();
        assert_eq!(names.len(), WORKLOADS.len());
        for workload in WORKLOADS {
            assert!(!workload.description.is_empty());
            let parameters: Vec<_> = workload.parameters.iter().map(|parameter| parameter.name).collect();
            assert!(parameters.contains(&"seed") && parameters.contains(&"threads"), "{parameters:?}");
            for parameter in workload.parameters {
                if let Range::Number { default, min, max } = parameter.range {
                    assert!((min..=max).contains(&default), "{parameter:?}");
                }
                assert!(!parameter.description.is_empty());
            }
        }
    }

    #[test]
    fn every_workload_runs_under_every_bundled_driver_without_a_failed_call() {
        for workload in WORKLOADS {
            for (driver, _) in Profile::bundled() {
                if !workload.suits(&Profile::named(driver).unwrap()) {
                    continue;
                }
                let session = MemorySession::with_driver(driver);
                // Only an application's own race may make a call fail.
                let races = workload.parameters.iter().find(|parameter| parameter.name == "races");
                let overrides = races.map(|races| (races.name, "0")).into_iter().chain(workload.short.iter().copied());
                let overrides = overrides.map(|(key, value)| (key.to_owned(), value.to_owned()));
                let parameters = Parameters::new(workload.parameters, overrides.collect()).unwrap();
                run(workload.name, &session, &parameters).unwrap();
                let unexpected = |event: &Event| event.failed() && !workload.refused.contains(&event.name);
                let failed: Vec<_> = session.events().into_iter().filter(unexpected).take(3).collect();
                assert!(failed.is_empty(), "{}, {driver}: {failed:?}", workload.name);
                assert_eq!(session.live_objects(), 0, "{}, {driver}", workload.name);
            }
        }
    }

    #[test]
    fn an_unknown_name_is_reported() {
        let session = MemorySession::with_driver("reference");
        let parameters = Parameters::new(&[], BTreeMap::new()).unwrap();
        let error = run("small-levle", &session, &parameters).unwrap_err();
        let message = "expected the name of a workload (did you mean \"small-level\"?), found \"small-levle\"";
        assert_eq!(error.to_string(), message);
    }
}
