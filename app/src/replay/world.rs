//! World of a what-if.

use super::WhatIfOptions;
use crate::Error;
use crate::world::{adapters, change_settings, machine};
use serde_json::{Value, json};
use taut_replay::{CauseChange, Tight};
use taut_runtime::{MachineProfile, RuleSet};
use taut_schemas::counted;
use taut_traces::World;

impl WhatIfOptions {
    /// Returns the world `recorded` with the drivers, settings and rules of these options. The workload's parameters
    /// describe the changes.
    ///
    /// # Errors
    /// An option is invalid, or the number of drivers is not that of the recorded adapters.
    pub(super) fn world(&self, recorded: &World) -> Result<World, Error> {
        let mut world = World { providers: None, ..recorded.clone() };
        let machine = self.machine.as_deref().map(machine).transpose()?;
        if let Some(machine) = &machine {
            change_machine(&mut world, machine)?;
        }
        if let Some(driver) = self.driver.clone().or_else(|| Some(machine?.drivers())) {
            change_drivers(&mut world, &driver)?;
        }
        change_settings(&mut world, &self.settings)?;
        if let Some(rules) = &self.rules {
            let rules = rules.parse::<RuleSet>().map_err(Error::usage)?;
            world.rules = rules.to_string();
            if let Value::Object(settings) = &mut world.settings {
                settings.insert("rules".to_owned(), json!(rules));
            }
        }
        add_what_if_parameter(&mut world, self.tight.unwrap_or_default());
        if !self.changes.is_empty()
            && let Some(Value::Object(what_if)) = world.workload.parameters.get_mut("what_if")
        {
            let changes: Vec<String> = self.changes.iter().map(CauseChange::to_string).collect();
            what_if.insert("changes".to_owned(), changes.into());
        }
        Ok(world)
    }
}

fn change_machine(world: &mut World, machine: &MachineProfile) -> Result<(), Error> {
    let (expected, found) = (world.adapters.len(), machine.adapters.len());
    if expected != found {
        let [expected, found] = [expected, found].map(|adapters| counted(adapters as u64, "adapter"));
        return Err(Error::usage(format_args!(
            "--machine {}: expected {expected}, which the recording has, found {found}: record on that machine instead",
            machine.name
        )));
    }
    world.machine = serde_json::to_value(machine).map_err(Error::input)?;
    Ok(())
}

fn change_drivers(world: &mut World, driver: &str) -> Result<(), Error> {
    let adapters = adapters(driver)?;
    let (found, expected) = (adapters.profiles().count(), world.adapters.len());
    if found != expected {
        let joined = if expected > 1 { ", joined by `+`" } else { "" };
        let (expected, found) = (counted(expected as u64, "driver"), counted(found as u64, "driver"));
        return Err(Error::usage(format_args!("--driver {driver}: expected {expected}{joined}, found {found}")));
    }
    for (adapter, profile) in world.adapters.iter_mut().zip(adapters.profiles()) {
        adapter.driver = profile.name.clone();
        adapter.profile = serde_json::to_value(profile).map_err(Error::input)?;
    }
    Ok(())
}

/// Adds the parameter `what_if` to the workload's parameters: drivers and rules of `world`, and the change of the tight
/// flag.
pub fn add_what_if_parameter(world: &mut World, tight: Tight) {
    let what_if = json!({
        "driver": world.drivers(),
        "rules": world.rules,
        "tight": tight.name(),
        "recorded_task_starts": false,
    });
    world.workload.parameters.insert("what_if".to_owned(), what_if);
}
