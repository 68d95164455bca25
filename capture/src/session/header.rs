//! Header of a session's trace.

use super::adapters::Adapters;
use super::error::SessionError;
use serde::Serialize;
use serde_json::Value;
use taut_runtime::{Profile, Settings};
use taut_schemas::{AdapterId, SchemaTable};
use taut_traces::Clock;
use taut_traces::{AdapterWorld, Header, Identity, Workload, World};

/// Name of the recording program in the trace's identity.
const RECORDER: &str = "taut";

/// Creates the header, which determines the behaviour of a session.
///
/// # Errors
/// A value cannot be serialised, or there are too many adapters.
pub fn header(
    adapters: &Adapters,
    settings: &Settings,
    workload: Workload,
    clock: &Clock,
) -> Result<Header, SessionError> {
    let found = adapters.profiles().count();
    if found > AdapterId::MAX {
        return Err(SessionError::Adapters { found });
    }
    let adapter = |profile: &Profile| {
        Ok(AdapterWorld { driver: profile.name.clone(), profile: to_json("driver's profile", profile)? })
    };
    let world = World {
        adapters: adapters.profiles().map(adapter).collect::<Result<_, SessionError>>()?,
        machine: adapters.machine().map_or(Ok(Value::Null), |machine| to_json("machine's profile", machine))?,
        rules: settings.rules.to_string(),
        settings: to_json("settings", settings)?,
        workload,
        clock: taut_traces::Ticks { source: clock.source().to_owned(), ticks_per_second: clock.ticks_per_second() },
        providers: None,
    };
    let version = env!("CARGO_PKG_VERSION");
    // Equal runs with a logical clock must give equal files, so the identity is derived from the world.
    let identity = match clock {
        Clock::Logical => Identity::derived(RECORDER, version, &world),
        _ => Identity::random(RECORDER, version),
    };
    Ok(Header { identity, schema: SchemaTable::current(), world })
}

/// Serialises a value. A failure is an error, because a trace with null here could not be replayed.
fn to_json(what: &'static str, value: &impl Serialize) -> Result<Value, SessionError> {
    serde_json::to_value(value).map_err(|source| SessionError::World { what, source })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde::Serializer;
    use taut_runtime::MachineProfile;

    /// Value that cannot be serialised as JSON.
    struct Unserialisable;

    impl Serialize for Unserialisable {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("a map without keys"))
        }
    }

    #[test]
    fn a_value_that_cannot_be_serialised_is_an_error_and_not_null() {
        let error = to_json("driver's profile", &Unserialisable).unwrap_err();
        assert_eq!(error.to_string(), "the driver's profile cannot be written into a trace: a map without keys");
    }

    #[test]
    fn a_session_has_at_most_sixteen_adapters() {
        let profile = Profile::named("peer").unwrap();
        let of = |count: usize| (1..count).fold(Adapters::from(&profile), |adapters, _| adapters.and(&profile));
        let header = |adapters| header(&adapters, &Settings::default(), Workload::default(), &Clock::Logical);
        assert_eq!(header(of(AdapterId::MAX)).unwrap().world.adapters.len(), AdapterId::MAX);
        let refused = header(of(AdapterId::MAX + 1)).unwrap_err();
        assert_eq!(refused.to_string(), "expected at most 16 adapters, found 17");
    }

    #[test]
    fn a_header_has_a_machine_where_one_was_described() {
        let header = |adapters| {
            header(&adapters, &Settings::default(), Workload::default(), &Clock::Logical).unwrap().world.machine
        };
        let profile = Profile::named("dgpu").unwrap();
        assert_eq!(header(Adapters::from(&profile)), Value::Null);
        let machine = MachineProfile::named("desktop").unwrap();
        let to_json = header(Adapters::from(&profile).of(machine.clone()));
        assert_eq!(serde_json::from_value::<MachineProfile>(to_json).unwrap(), machine);
    }

    #[test]
    fn a_header_has_the_profile_and_the_settings() {
        let profile = Profile::named("peer").unwrap();
        let mut header =
            header(&Adapters::from(&profile), &Settings::default(), Workload::default(), &Clock::Logical).unwrap();
        assert_eq!(serde_json::from_value::<Profile>(header.world.adapters.remove(0).profile).unwrap(), profile);
        assert_eq!(serde_json::from_value::<Settings>(header.world.settings).unwrap(), Settings::default());
    }
}
