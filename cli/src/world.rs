//! Driver and rules, as the command line names them.

use crate::args::WorldChoice;
use std::path::Path;
use taut_console::outcome::Failure;
use taut_runtime::{Profile, RuleSet, Settings};

/// The driver where none is named.
pub const DEFAULT_DRIVER: &str = "reference";

/// The profile and settings that `choice` names.
pub fn chosen(choice: &WorldChoice) -> Result<(Profile, Settings), Failure> {
    chosen_or(choice, DEFAULT_DRIVER)
}

/// The same with another driver where none is named.
pub fn chosen_or(choice: &WorldChoice, default_driver: &str) -> Result<(Profile, Settings), Failure> {
    let rules = choice.rules.parse::<RuleSet>().map_err(Failure::usage)?;
    let mut settings = Settings { rules, ..Settings::default() };
    for setting in &choice.setting {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(Failure::usage(format_args!("--setting {setting}: expected KEY=VALUE")));
        };
        settings = settings.with(key, value).map_err(Failure::usage)?;
    }
    Ok((profile(choice.driver.as_deref().unwrap_or(default_driver))?, settings))
}

/// A bundled profile by name, or one of the user's own by path.
pub fn profile(driver: &str) -> Result<Profile, Failure> {
    if let Some(profile) = Profile::named(driver) {
        return Ok(profile);
    }
    let path = Path::new(driver);
    if path.extension().is_none_or(|extension| extension != "toml") {
        let names: Vec<&str> = Profile::all().map(|(name, _)| *name).collect();
        return Err(Failure::usage(taut_console::printing::unknown("driver", driver, &names)));
    }
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => Failure::input(error).context(format!("{driver}: expected UTF-8 text")),
        _ => Failure::io(error).context(driver.to_owned()),
    })?;
    Profile::parse(&text, driver).map_err(Failure::input)
}
