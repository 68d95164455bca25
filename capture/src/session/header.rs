//! What a trace of a session begins with.

use super::adapters::Adapters;
use super::error::SessionError;
use serde::Serialize;
use serde_json::Value;
use taut_runtime::{Profile, Settings};
use taut_schemas::{AdapterId, SchemaTable};
use taut_traces::Clock;
use taut_traces::{AdapterWorld, Header, Identity, Workload, World};

/// Who records, to readers of traces.
const RECORDER: &str = "taut";

/// Everything that decides how a session behaves.
///
/// # Errors
/// A trace could not say it.
pub fn header(
    adapters: &Adapters,
    settings: &Settings,
    workload: Workload,
    clock: &Clock,
) -> Result<Header, SessionError> {
    let found = adapters.profiles().count();
    if found > AdapterId::MOST {
        return Err(SessionError::Adapters { found });
    }
    let adapter = |profile: &Profile| {
        Ok(AdapterWorld { driver: profile.name.clone(), profile: said("driver's profile", profile)? })
    };
    let world = World {
        adapters: adapters.profiles().map(adapter).collect::<Result<_, SessionError>>()?,
        machine: adapters.machine().map_or(Ok(Value::Null), |machine| said("machine's profile", machine))?,
        rules: settings.rules.to_string(),
        settings: said("settings", settings)?,
        workload,
        clock: taut_traces::Ticks { source: clock.source().to_owned(), ticks_per_second: clock.ticks_per_second() },
        providers: None,
    };
    let version = env!("CARGO_PKG_VERSION");
    // Equal runs by the logical clock are to be equal files.
    let identity = match clock {
        Clock::Logical => Identity::derived(RECORDER, version, &world),
        _ => Identity::random(RECORDER, version),
    };
    Ok(Header { identity, schema: SchemaTable::current(), world })
}

/// No replay can open a trace that says nothing here.
fn said(what: &'static str, value: &impl Serialize) -> Result<Value, SessionError> {
    serde_json::to_value(value).map_err(|source| SessionError::World { what, source })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde::Serializer;
    use taut_runtime::MachineProfile;

    /// What JSON cannot say.
    struct Unsayable;

    impl Serialize for Unsayable {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("a map without keys"))
        }
    }

    #[test]
    fn what_a_trace_cannot_say_is_an_error_and_not_null() {
        let error = said("driver's profile", &Unsayable).unwrap_err();
        assert_eq!(error.to_string(), "the driver's profile cannot be written into a trace: a map without keys");
    }

    #[test]
    fn there_are_at_most_so_many_adapters() {
        let profile = Profile::named("peer").unwrap();
        let of = |count: usize| (1..count).fold(Adapters::from(&profile), |adapters, _| adapters.and(&profile));
        let header = |adapters| header(&adapters, &Settings::default(), Workload::default(), &Clock::Logical);
        assert_eq!(header(of(AdapterId::MOST)).unwrap().world.adapters.len(), AdapterId::MOST);
        let refused = header(of(AdapterId::MOST + 1)).unwrap_err();
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
        let said = header(Adapters::from(&profile).of(machine.clone()));
        assert_eq!(serde_json::from_value::<MachineProfile>(said).unwrap(), machine);
    }

    #[test]
    fn a_header_says_the_profile_and_the_settings() {
        let profile = Profile::named("peer").unwrap();
        let mut header =
            header(&Adapters::from(&profile), &Settings::default(), Workload::default(), &Clock::Logical).unwrap();
        assert_eq!(serde_json::from_value::<Profile>(header.world.adapters.remove(0).profile).unwrap(), profile);
        assert_eq!(serde_json::from_value::<Settings>(header.world.settings).unwrap(), Settings::default());
    }
}
