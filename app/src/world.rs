//! Drivers, machine and rules of an operation.

use crate::Error;
use std::path::Path;
use taut_capture::Adapters;
use taut_runtime::{MachineProfile, Profile, RuleSet, Settings};
use taut_schemas::{AdapterId, counted};
use taut_traces::{World, read_text};

/// Default driver model.
pub const DEFAULT_DRIVER: &str = "reference";

/// Rules and settings of the runtime.
#[derive(Debug, Clone)]
pub struct RulesOptions {
    /// Name of the rule set.
    pub rules: String,
    /// Settings as `KEY=VALUE`; those of layouts, `layout.TYPE.FIELD=placement`, change the drivers' profiles.
    pub settings: Vec<String>,
}

/// Drivers, and rules of the runtime.
#[derive(Debug, Clone)]
pub struct WorldOptions {
    /// Name of a driver model or path of a profile; `A+B` for several adapters; `None` for the default.
    pub driver: Option<String>,
    pub rules: RulesOptions,
}

impl RulesOptions {
    /// Settings of the runtime.
    ///
    /// # Errors
    /// There is no such rule set or setting.
    pub fn settings(&self) -> Result<Settings, Error> {
        let rules = self.rules.parse::<RuleSet>().map_err(Error::usage)?;
        with_settings(Settings { rules, ..Settings::default() }, &self.settings)
    }
}

impl WorldOptions {
    /// Profile and settings, for an operation on a single driver.
    ///
    /// # Errors
    /// An option is wrong, several drivers are named, or a profile cannot be read.
    pub fn single(&self) -> Result<(Profile, Settings), Error> {
        let settings = self.rules.settings()?;
        let adapters = adapters(self.driver.as_deref().unwrap_or(DEFAULT_DRIVER))?;
        let adapters = with_placements(adapters, &self.rules.settings)?;
        match adapters.profiles().count() {
            1 => Ok((adapters.first().clone(), settings)),
            found => Err(Error::usage(format_args!("--driver {}: expected 1 driver, found {found}", adapters.names()))),
        }
    }

    /// Adapters and settings, on `machine` if one is named. Without a driver in the options they are the machine's
    /// drivers, or `default_driver`.
    ///
    /// # Errors
    /// An option is wrong, a profile cannot be read, or the machine has another number of adapters.
    pub fn adapters(&self, machine: Option<&str>, default_driver: &str) -> Result<(Adapters, Settings), Error> {
        let settings = self.rules.settings()?;
        let Some(name) = machine else {
            let adapters = adapters(self.driver.as_deref().unwrap_or(default_driver))?;
            return Ok((with_placements(adapters, &self.rules.settings)?, settings));
        };
        let machine = self::machine(name)?;
        let drivers = self.driver.clone().unwrap_or_else(|| machine.drivers());
        let adapters = with_placements(adapters(&drivers)?, &self.rules.settings)?;
        let (found, expected) = (adapters.profiles().count(), machine.adapters.len());
        if found != expected {
            return Err(Error::usage(format_args!(
                "--driver {drivers}: the machine {} has {}, found {}",
                machine.name,
                counted(expected as u64, "adapter"),
                counted(found as u64, "driver")
            )));
        }
        Ok((adapters.of(machine), settings))
    }
}

/// Applies `KEY=VALUE` changes to the settings of a recorded world.
///
/// # Errors
/// A setting or value does not exist, or this build cannot parse the recorded settings.
pub fn change_settings(world: &mut World, changes: &[String]) -> Result<(), Error> {
    if placements(changes).next().is_some() {
        let parsed = world.adapters.iter().map(|adapter| serde_json::from_value(adapter.profile.clone()));
        let mut profiles: Vec<Profile> = parsed.collect::<Result<_, _>>().map_err(Error::input)?;
        place_fields(&mut profiles, changes)?;
        for (adapter, profile) in world.adapters.iter_mut().zip(&profiles) {
            adapter.profile = serde_json::to_value(profile).map_err(Error::input)?;
        }
    }
    if !changes.is_empty() {
        let settings: Settings = serde_json::from_value(world.settings.take()).map_err(Error::input)?;
        let settings = with_settings(settings, changes)?;
        world.settings = serde_json::to_value(settings).map_err(Error::input)?;
    }
    Ok(())
}

/// Prefix of settings that place fields of the driver's data: `layout.TYPE.FIELD=placement`.
const LAYOUT: &str = "layout.";

/// Applies `KEY=VALUE` changes to settings, without those of drivers' layouts.
fn with_settings(mut settings: Settings, changes: &[String]) -> Result<Settings, Error> {
    for setting in changes {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(Error::usage(format_args!("--setting {setting}: expected KEY=VALUE")));
        };
        if !key.starts_with(LAYOUT) {
            settings = settings.with(key, value).map_err(Error::usage)?;
        }
    }
    Ok(settings)
}

/// Places and values of settings `layout.TYPE.FIELD=placement`.
fn placements(settings: &[String]) -> impl Iterator<Item = (&str, &str)> {
    settings.iter().filter_map(|setting| setting.strip_prefix(LAYOUT)?.split_once('='))
}

/// Places fields in every profile that has them.
///
/// # Errors
/// No profile has a field, or the placement does not exist.
fn place_fields(profiles: &mut [Profile], settings: &[String]) -> Result<(), Error> {
    for (path, placement) in placements(settings) {
        let results: Vec<_> = profiles.iter().map(|profile| profile.with_field_placement(path, placement)).collect();
        if let (false, Some(Err(error))) = (results.iter().any(Result::is_ok), results.first()) {
            return Err(Error::usage(format_args!("setting {error}")));
        }
        for (profile, placed) in profiles.iter_mut().zip(results) {
            if let Ok(placed) = placed {
                *profile = placed;
            }
        }
    }
    Ok(())
}

/// Places fields of the drivers.
fn with_placements(adapters: Adapters, settings: &[String]) -> Result<Adapters, Error> {
    if placements(settings).next().is_none() {
        return Ok(adapters);
    }
    let mut profiles: Vec<Profile> = adapters.profiles().cloned().collect();
    place_fields(&mut profiles, settings)?;
    let (first, others) = match profiles.split_first() {
        Some((first, others)) => (Adapters::from(first), others),
        None => return Ok(adapters),
    };
    Ok(others.iter().fold(first, |adapters, other| adapters.and(other)))
}

/// Creates an adapter for each driver of `first+second`.
///
/// # Errors
/// There are too many drivers, or one is unknown or cannot be read.
pub fn adapters(drivers: &str) -> Result<Adapters, Error> {
    let (first, others) = parts(drivers);
    let found = others.len() + 1;
    if found > AdapterId::MAX {
        return Err(Error::usage(format_args!("--driver: expected at most {} drivers, found {found}", AdapterId::MAX)));
    }
    let first = Adapters::from(&profile(first)?);
    others.into_iter().try_fold(first, |adapters, other| Ok(adapters.and(&profile(other)?)))
}

/// Splits `first+second`. The path of an existing file is not split, because it may contain a `+`.
pub fn parts(drivers: &str) -> (&str, Vec<&str>) {
    let mut parts = if Path::new(drivers).is_file() { None } else { Some(drivers.split('+')) };
    let first = parts.as_mut().and_then(Iterator::next).unwrap_or(drivers);
    (first, parts.into_iter().flatten().collect())
}

/// Finds a bundled profile by name, or reads a user's own by path.
fn profile(driver: &str) -> Result<Profile, Error> {
    if let Some(profile) = Profile::named(driver) {
        return Ok(profile);
    }
    let text = read_own_profile("driver", driver, || Profile::all().map(|(name, _)| *name).collect())?;
    Profile::parse(&text, driver).map_err(Error::input)
}

/// Finds a bundled machine by name, or reads a user's own by path.
pub(crate) fn machine(name: &str) -> Result<MachineProfile, Error> {
    if let Some(machine) = MachineProfile::named(name) {
        return Ok(machine);
    }
    let text = read_own_profile("machine", name, || MachineProfile::bundled().iter().map(|(name, _)| *name).collect())?;
    MachineProfile::parse(&text, name).map_err(Error::input)
}

/// Reads the text of a user's own profile. A name that does not end in `.toml` can only be a bundled one, and is
/// unknown.
fn read_own_profile(kind: &'static str, name: &str, known: impl Fn() -> Vec<&'static str>) -> Result<String, Error> {
    let path = Path::new(name);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Err(Error::unknown(kind, name, known()));
    }
    read_text(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => Error::input(error).context(format!("{name}: expected UTF-8 text")),
        kind => Error::reading(kind, error).context(name),
    })
}
