//! Check that the drivers of a what-if implement the API of the recorded calls.

use crate::Error;
use serde_json::Value;
use taut_runtime::Profile;
use taut_schemas::FAMILIES;
use taut_traces::{Trace, World};

/// Table of a profile that describes Direct3D 11 handles per context. Without it, the runtime refuses views, states,
/// shaders and deferred contexts of Direct3D 11.
const CONTEXTS: &str = "contexts";
/// Provider of the calls of Direct3D 11.
const D3D11: &str = "d3d11";

/// Refuses drivers without handles per context for a recording of Direct3D 11 calls whose driver has them: nearly each
/// creation would fail, and the calls on the objects would be skipped.
///
/// # Errors
/// A driver of `world` lacks the API of the recorded calls.
pub(super) fn check(trace: &Trace, recorded: &World, world: &World) -> Result<(), Error> {
    let adapters = recorded.adapters.iter().zip(&world.adapters);
    let mut lacking = adapters.filter(|(before, after)| has_contexts(&before.profile) && !has_contexts(&after.profile));
    match lacking.next() {
        Some((_, after)) if calls_d3d11(trace) => Err(Error::usage(format_args!(
            "--driver {}: expected a driver of Direct3D 11, the API of the recorded calls; found a driver of Direct3D 12 \
             without handles per Direct3D 11 context (its profile has no table [{CONTEXTS}]): try one of {}",
            after.driver,
            fitting()
        ))),
        _ => Ok(()),
    }
}

fn has_contexts(profile: &Value) -> bool {
    profile.get(CONTEXTS).is_some_and(|contexts| !contexts.is_null())
}

fn calls_d3d11(trace: &Trace) -> bool {
    let families = || FAMILIES.iter().filter(|family| family.provider == D3D11);
    trace
        .summary()
        .codes
        .iter()
        .any(|(code, count)| *count > 0 && families().any(|family| (family.first..=family.last).contains(&code.id())))
}

/// Names of the bundled drivers that have handles per context.
pub(crate) fn fitting() -> String {
    let bundled = Profile::bundled().iter().filter_map(|(name, _)| Profile::named(name));
    let names: Vec<String> = bundled.filter(|profile| profile.contexts.is_some()).map(|profile| profile.name).collect();
    names.join(", ")
}
