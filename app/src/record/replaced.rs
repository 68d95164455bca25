//! Check that a recording may replace the trace at its path: only an ended one of the same workload, driver and
//! settings.

use std::path::Path;
use taut_traces::{Header, PathInUse, Trace, World, WriteError};

/// Parameter that may differ between a recording and the recording that it replaces.
const SEED: &str = "seed";

/// Checks that the recording with this header may replace the trace at `path`, which errors call `name`. A file that is
/// not a trace passes.
///
/// # Errors
/// The trace was not ended, or has another workload, driver or setting.
pub fn check_replaced(path: &Path, name: &Path, header: &Header) -> Result<(), WriteError> {
    let Ok(trace) = Trace::open(path) else { return Ok(()) };
    if !trace.summary().complete {
        return Err(WriteError::PathInUse { path: name.to_owned(), by: PathInUse::Unfinished });
    }
    match difference(trace.header(), header) {
        None => Ok(()),
        Some(difference) => Err(WriteError::Replaces { path: name.to_owned(), difference }),
    }
}

/// First difference between the worlds of two recordings, in words.
fn difference(old: &Header, new: &Header) -> Option<String> {
    let (old, new) = (&old.world, &new.world);
    let (was, is) = (&old.workload, &new.workload);
    if was.name != is.name {
        return Some(format!("workload {}, not {}", was.name, is.name));
    }
    let mut names: Vec<&String> = was.parameters.keys().chain(is.parameters.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let text = |value: Option<&serde_json::Value>| value.map_or("none".to_owned(), ToString::to_string);
    for name in names.into_iter().filter(|name| *name != SEED) {
        let (was, is) = (was.parameters.get(name), is.parameters.get(name));
        if was != is {
            return Some(format!("{name}={}, not {}", text(was), text(is)));
        }
    }
    if old.drivers() != new.drivers() {
        return Some(format!("driver {}, not {}", old.drivers(), new.drivers()));
    }
    if profiles(old) != profiles(new) {
        return Some(format!("another profile of driver {}", old.drivers()));
    }
    if old.rules != new.rules {
        return Some(format!("rules {}, not {}", old.rules, new.rules));
    }
    if old.machine != new.machine {
        return Some("another machine".to_owned());
    }
    (old.settings != new.settings).then(|| "other settings".to_owned())
}

/// Profiles of the adapters, without descriptions: these change between versions and have no effect.
fn profiles(world: &World) -> Vec<serde_json::Value> {
    let mut profiles: Vec<_> = world.adapters.iter().map(|adapter| adapter.profile.clone()).collect();
    profiles.iter_mut().filter_map(serde_json::Value::as_object_mut).for_each(|keys| drop(keys.remove("description")));
    profiles
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn header(change: impl FnOnce(&mut Header)) -> Header {
        let mut header = Header::default();
        header.world.workload.name = "game".to_owned();
        header.world.workload.parameters.extend([("seed".to_owned(), json!(1)), ("frames".to_owned(), json!(3))]);
        change(&mut header);
        header
    }

    #[test]
    fn the_first_difference_but_the_seed_is_named() {
        let old = header(|_| ());
        let difference = |change: fn(&mut Header)| difference(&old, &header(change));
        assert_eq!(difference(|_| ()), None);
        assert_eq!(
            difference(|new| {
                new.world.workload.parameters.insert("seed".to_owned(), json!(2));
            }),
            None
        );
        let frames = difference(|new| {
            new.world.workload.parameters.insert("frames".to_owned(), json!(4));
        });
        assert_eq!(frames.as_deref(), Some("frames=3, not 4"));
        let name = difference(|new| new.world.workload.name = "storm".to_owned());
        assert_eq!(name.as_deref(), Some("workload game, not storm"));
        assert_eq!(difference(|new| new.world.rules = "1.618".to_owned()).as_deref(), Some("rules , not 1.618"));
        assert_eq!(difference(|new| new.world.settings = json!({"a": 1})).as_deref(), Some("other settings"));
        assert_eq!(difference(|new| new.world.machine = json!(1)).as_deref(), Some("another machine"));
    }
}
