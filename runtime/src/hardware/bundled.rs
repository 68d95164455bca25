//! Bundled machine profiles.

use super::machine_profile::MachineProfile;

macro_rules! machines {
    ($( $name:literal ),* $(,)?) => { &[ $( ($name, include_str!(concat!("machines/", $name, ".toml"))) ),* ] };
}

const BUNDLED: &[(&str, &str)] = machines![
    "hybrid-laptop",
    "narrow-laptop",
    "external-gpu",
    "desktop",
    "two-cards",
    "rotated-laptop",
    "docked-laptop",
];

impl MachineProfile {
    /// Name and TOML text of every bundled machine.
    pub const fn bundled() -> &'static [(&'static str, &'static str)] {
        BUNDLED
    }

    /// The bundled machine of this name.
    pub fn named(name: &str) -> Option<MachineProfile> {
        let (name, text) = BUNDLED.iter().find(|(known, _)| *known == name)?;
        MachineProfile::parse(text, name).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Profile;

    #[test]
    fn bundled_machines_are_read_and_survive_json_and_toml() {
        for (name, text) in MachineProfile::bundled() {
            let machine = MachineProfile::parse(text, name).unwrap();
            assert_eq!(machine.name, *name);
            assert!(!machine.description.is_empty(), "{name}");
            let json = serde_json::to_value(&machine).unwrap();
            assert_eq!(serde_json::from_value::<MachineProfile>(json).unwrap(), machine);
            let toml = toml::to_string(&machine).unwrap();
            assert_eq!(MachineProfile::parse(&toml, name).unwrap(), machine, "{toml}");
        }
        assert_eq!(MachineProfile::named("no such"), None);
    }

    #[test]
    fn adapters_of_bundled_machines_have_bundled_drivers_with_a_kernel_mode_part() {
        for (name, _) in MachineProfile::bundled() {
            for adapter in MachineProfile::named(name).unwrap().adapters {
                let driver = Profile::named(&adapter.driver).unwrap_or_else(|| panic!("{name}: {}", adapter.driver));
                assert!(driver.kernel.is_some(), "{name}: {}", adapter.driver);
            }
        }
    }
}
