//! `taut drivers`: the driver models.

use crate::args::{Common, Drivers};
use crate::outcome::{Failure, Outcome, Status};
use crate::printing::{bold, print, print_json, unknown};
use serde_json::{Value, json};
use taut_runtime::Profile;

/// Prints the models, or one's profile.
pub fn run(drivers: &Drivers, common: Common) -> Outcome {
    if let Some(name) = &drivers.name {
        let Some((_, profile)) = Profile::bundled().iter().find(|(known, _)| known == name) else {
            let names: Vec<&str> = Profile::bundled().iter().map(|(name, _)| *name).collect();
            return Err(Failure::usage(unknown("driver", name, &names)));
        };
        print(profile)?;
        return Ok(Status::Fine);
    }
    let profiles = Profile::bundled().iter().filter_map(|(name, _)| Profile::named(name));
    if common.json {
        let all: Vec<Value> = profiles.map(|p| json!({"name": p.name, "description": p.description})).collect();
        print_json(&all)?;
    } else {
        let text: String = profiles.map(|p| format!("{}\n  {}\n", bold(&p.name), p.description.trim())).collect();
        print(&(text + "\nPrint one's profile, to start your own from: taut drivers NAME\n"))?;
    }
    Ok(Status::Fine)
}
