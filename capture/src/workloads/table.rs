//! The bundled workloads.

use super::benchmark_priming::BenchmarkPriming;
use super::contexts::{ContextChurn, ContextOom, DeferredContexts};
use super::error::{WorkloadError, caught};
use super::external_gpu::ExternalGpu;
use super::game_session::GameSession;
use super::hybrid_laptop::HybridLaptop;
use super::legacy_d3d9::LegacyD3d9;
use super::mode_storm::ModeStorm;
use super::multiple_displays::MultipleDisplays;
use super::never_converges::NeverConverges;
use super::parameter::Parameter;
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
use crate::caller::Callers;
use taut_runtime::Profile;
use taut_schemas::nearest;

/// What is known of a workload without running it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub description: &'static str,
    /// The bundled driver it is recorded under unless another is named.
    pub driver: &'static str,
    /// What it can be told. Every workload has `seed` and `threads`.
    pub parameters: &'static [Parameter],
    /// Calls whose refusal is part of what it shows. Whatever else is refused, but for what it races for, ends it.
    pub refused: &'static [&'static str],
    /// Values with which it is soon over, for tests and demonstrations, where by default it is not: it draws, so shaders are
    /// compiled.
    pub short: &'static [(&'static str, &'static str)],
}

impl Workload {
    /// Whether a driver has what the workload needs: handles per context, and no fault with them, if its own driver has them.
    pub fn suits(&self, profile: &Profile) -> bool {
        let own = Profile::named(self.driver).is_some_and(|own| own.contexts.is_some());
        !own || profile.contexts.is_some() && profile.fails.is_empty()
    }
}

/// A workload that makes up its calls.
pub trait Scenario {
    /// What is known of it.
    const WORKLOAD: Workload;

    /// The bundled machine that it is recorded on unless another is named; none where a driver is all it needs.
    const MACHINE: Option<&'static str> = None;

    /// Makes the calls.
    ///
    /// # Errors
    /// A call failed that it cannot do without, or the system gives no thread.
    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError>;

    /// How many steps that takes.
    fn steps(parameters: &Parameters) -> Steps;
}

/// Makes the table and its dispatch from the list of scenarios.
macro_rules! workloads {
    ($($Scenario:ident),*) => {
        /// The bundled workloads, by name.
        pub const WORKLOADS: &[Workload] = &[ $( $Scenario::WORKLOAD ),* ];

        /// Runs the bundled workload of this name. `parameters` were made from its own list.
        ///
        /// # Errors
        /// There is no such workload, a call panicked or one failed that it cannot do without, or the system gives no thread.
        pub fn run<C: Callers>(name: &str, callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
            $( if name == $Scenario::WORKLOAD.name {
                return caught(|| $Scenario::run(callers, parameters));
            } )*
            let suggestion = nearest(name, WORKLOADS.iter().map(|workload| workload.name));
            Err(WorkloadError::UnknownWorkload { name: name.to_owned(), suggestion })
        }

        /// The bundled machine that the bundled workload of this name is recorded on, if it needs one.
        pub fn machine(name: &str) -> Option<&'static str> {
            $( if name == $Scenario::WORKLOAD.name {
                return $Scenario::MACHINE;
            } )*
            None
        }

        /// How many steps the bundled workload of this name takes, if there is one.
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
    ContextChurn
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workloads::Range;
    use crate::workloads::memory_session::{Event, MemorySession};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_workload_is_described_and_has_seed_and_threads() {
        let names: BTreeSet<_> = WORKLOADS.iter().map(|workload| workload.name).collect();
        assert_eq!(names.len(), WORKLOADS.len());
        for workload in WORKLOADS {
            assert!(!workload.description.is_empty());
            let parameters: Vec<_> = workload.parameters.iter().map(|parameter| parameter.name).collect();
            assert!(parameters.contains(&"seed") && parameters.contains(&"threads"), "{parameters:?}");
            for parameter in workload.parameters {
                if let Range::Number { default, least, greatest } = parameter.range {
                    assert!((least..=greatest).contains(&default), "{parameter:?}");
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
                let session = MemorySession::of(driver);
                // Only an application's own race may make a call fail.
                let races = workload.parameters.iter().find(|parameter| parameter.name == "races");
                let given = races.map(|races| (races.name, "0")).into_iter().chain(workload.short.iter().copied());
                let given = given.map(|(key, value)| (key.to_owned(), value.to_owned()));
                let parameters = Parameters::new(workload.parameters, given.collect()).unwrap();
                run(workload.name, &session, &parameters).unwrap();
                let unexpected = |event: &Event| event.failed() && !workload.refused.contains(&event.name);
                let failed: Vec<_> = session.events().into_iter().filter(unexpected).take(3).collect();
                assert!(failed.is_empty(), "{}, {driver}: {failed:?}", workload.name);
                assert_eq!(session.live_objects(), 0, "{}, {driver}", workload.name);
            }
        }
    }

    #[test]
    fn a_wrong_name_is_told() {
        let session = MemorySession::of("reference");
        let parameters = Parameters::new(&[], BTreeMap::new()).unwrap();
        let error = run("small-levle", &session, &parameters).unwrap_err();
        let told = "expected the name of a workload (did you mean \"small-level\"?), found \"small-levle\"";
        assert_eq!(error.to_string(), told);
    }
}
