//! Machines.

use crate::Error;
use serde_json::{Value, json};
use taut_runtime::MachineProfile;

/// All bundled machines.
pub fn all() -> impl Iterator<Item = MachineProfile> {
    MachineProfile::bundled().iter().filter_map(|(name, _)| MachineProfile::named(name))
}

/// All bundled machines as JSON.
pub fn all_json() -> Value {
    all().map(|machine| json!({"name": machine.name, "description": machine.description})).collect()
}

/// A machine, with the text of its profile.
pub struct Machine {
    pub text: &'static str,
    pub profile: MachineProfile,
}

/// Finds a bundled machine.
///
/// # Errors
/// There is none of this name.
pub fn find(name: &str) -> Result<Machine, Error> {
    let found = MachineProfile::bundled().iter().find(|(known, _)| *known == name);
    let found = found.and_then(|(name, text)| Some(Machine { text, profile: MachineProfile::named(name)? }));
    found.ok_or_else(|| Error::unknown("machine", name, MachineProfile::bundled().iter().map(|(name, _)| *name)))
}

impl Machine {
    /// The machine as JSON.
    pub fn json(&self) -> Value {
        let links: Vec<f64> = self.profile.links.iter().map(|link| link.bytes_per_second() as f64 / 1e9).collect();
        json!({"machine": self.profile, "links_gb_per_second": links})
    }
}
