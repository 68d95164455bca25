//! Driver and rules, as the command line names them.

use crate::args::{AdaptersChoice, RulesChoice, WorldChoice};
use std::path::Path;
use taut_capture::Adapters;
use taut_console::outcome::Failure;
use taut_runtime::{MachineProfile, Profile, RuleSet, Settings};
use taut_schemas::{AdapterId, counted};
use taut_traces::World;

/// The driver where none is named.
pub const DEFAULT_DRIVER: &str = "reference";

/// The profile and settings that `choice` names, of a command that asks one driver.
pub fn chosen(choice: &WorldChoice) -> Result<(Profile, Settings), Failure> {
    let settings = settings(&choice.rules)?;
    let adapters = adapters(choice.driver.as_deref().unwrap_or(DEFAULT_DRIVER))?;
    match adapters.profiles().count() {
        1 => Ok((adapters.first().clone(), settings)),
        found => Err(Failure::usage(format_args!("--driver {}: expected 1 driver, found {found}", adapters.names()))),
    }
}

/// The adapters and the settings that `choice` names, on a machine if one is named; where it names no driver, the machine's
/// or this one.
pub fn chosen_or(
    choice: &AdaptersChoice,
    machine: Option<&str>,
    default_driver: &str,
) -> Result<(Adapters, Settings), Failure> {
    let settings = settings(&choice.rules)?;
    if let Some(name) = machine {
        let machine = self::machine(name)?;
        let drivers = choice.driver.clone().unwrap_or_else(|| machine.drivers());
        let adapters = adapters(&drivers)?;
        let (found, expected) = (adapters.profiles().count(), machine.adapters.len());
        if found != expected {
            return Err(Failure::usage(format_args!(
                "--driver {drivers}: the machine {} has {}, found {}",
                machine.name,
                counted(expected as u64, "adapter"),
                counted(found as u64, "driver")
            )));
        }
        return Ok((adapters.of(machine), settings));
    }
    Ok((adapters(choice.driver.as_deref().unwrap_or(default_driver))?, settings))
}

fn settings(choice: &RulesChoice) -> Result<Settings, Failure> {
    let rules = choice.rules.parse::<RuleSet>().map_err(Failure::usage)?;
    with_settings(Settings { rules, ..Settings::default() }, &choice.setting)
}

/// Changes settings of a recorded world, as the command line names them.
pub fn change_settings(world: &mut World, changes: &[String]) -> Result<(), Failure> {
    if !changes.is_empty() {
        let settings: Settings = serde_json::from_value(world.settings.take()).map_err(Failure::input)?;
        let settings = with_settings(settings, changes)?;
        world.settings = serde_json::to_value(settings).map_err(Failure::input)?;
    }
    Ok(())
}

/// The same with settings as the command line names them.
fn with_settings(mut settings: Settings, changes: &[String]) -> Result<Settings, Failure> {
    for setting in changes {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(Failure::usage(format_args!("--setting {setting}: expected KEY=VALUE")));
        };
        settings = settings.with(key, value).map_err(Failure::usage)?;
    }
    Ok(settings)
}

/// An adapter for each driver of `first+second`.
pub fn adapters(drivers: &str) -> Result<Adapters, Failure> {
    let (first, others) = parts(drivers);
    let found = others.len() + 1;
    if found > AdapterId::MOST {
        return Err(Failure::usage(format_args!(
            "--driver: expected at most {} drivers, found {found}",
            AdapterId::MOST
        )));
    }
    let first = Adapters::from(&profile(first)?);
    others.into_iter().try_fold(first, |adapters, other| Ok(adapters.and(&profile(other)?)))
}

/// What `first+second` names; a file may have a `+` in its name.
pub fn parts(drivers: &str) -> (&str, Vec<&str>) {
    let mut parts = if Path::new(drivers).is_file() { None } else { Some(drivers.split('+')) };
    let first = parts.as_mut().and_then(Iterator::next).unwrap_or(drivers);
    (first, parts.into_iter().flatten().collect())
}

/// A bundled profile by name, or one of the user's own by path.
fn profile(driver: &str) -> Result<Profile, Failure> {
    if let Some(profile) = Profile::named(driver) {
        return Ok(profile);
    }
    let text = own("driver", driver, || Profile::all().map(|(name, _)| *name).collect())?;
    Profile::parse(&text, driver).map_err(Failure::input)
}

/// A bundled machine by name, or one of the user's own by path.
fn machine(name: &str) -> Result<MachineProfile, Failure> {
    if let Some(machine) = MachineProfile::named(name) {
        return Ok(machine);
    }
    let text = own("machine", name, || MachineProfile::bundled().iter().map(|(name, _)| *name).collect())?;
    MachineProfile::parse(&text, name).map_err(Failure::input)
}

/// The text of a file; what is no name of one is a bundled thing's name, and wrong.
fn own(kind: &str, name: &str, known: impl Fn() -> Vec<&'static str>) -> Result<String, Failure> {
    let path = Path::new(name);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Err(Failure::usage(taut_console::printing::unknown(kind, name, &known())));
    }
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => Failure::input(error).context(format!("{name}: expected UTF-8 text")),
        _ => Failure::io(error).context(name.to_owned()),
    })
}
