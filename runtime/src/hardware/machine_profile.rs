//! A machine as a profile describes it.

use super::link::Link;
use crate::toml_source::ProfileError;
use serde::{Deserialize, Serialize};

/// Which memory an adapter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// The system's: its copies and its scan-out use the same bandwidth as everybody else's.
    System,
    /// Its own.
    Local,
}

/// An adapter of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdapterHardware {
    /// What links and displays call it.
    pub name: String,
    /// Its driver model: a bundled one's name, or a file.
    pub driver: String,
    /// Which memory it has.
    pub memory: MemoryKind,
    /// Bandwidth of its own memory, in MB/s; of an adapter without any, nothing.
    #[serde(default)]
    pub memory_mb_per_second: u64,
    /// Engines that copy beside its graphics engine. An adapter without one copies on its graphics engine.
    #[serde(default = "one")]
    pub copy_engines: u32,
    /// What one of them copies alone, in MB/s of payload.
    pub copy_mb_per_second: u64,
}

/// A display that hangs on an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Display {
    /// Name.
    pub name: String,
    /// The adapter's name.
    pub adapter: String,
    /// Pixels across, as it stands on the desk.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Refreshes, in thousandths of a hertz.
    pub refresh_millihertz: u64,
    /// How far the panel is turned against its adapter's scan-out: 0, 90, 180 or 270 degrees.
    #[serde(default)]
    pub rotation_degrees: u32,
    /// The slowest that it refreshes where it waits for frames, in thousandths of a hertz; 0 where its rate is fixed.
    #[serde(default)]
    pub variable_refresh_from_millihertz: u64,
}

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineProfile {
    /// Name.
    pub name: String,
    /// What it is, in a sentence.
    #[serde(default)]
    pub description: String,
    /// Bandwidth of the system's memory, in MB/s.
    pub system_memory_mb_per_second: u64,
    /// What it takes until an engine goes on that waits for another adapter's fence, in nanoseconds.
    #[serde(default = "default_fence_ns")]
    pub cross_adapter_fence_ns: u64,
    /// Adapters, the first one the default.
    pub adapters: Vec<AdapterHardware>,
    /// Links.
    #[serde(default)]
    pub links: Vec<Link>,
    /// Displays.
    pub displays: Vec<Display>,
}

fn one() -> u32 {
    1
}

/// A few interrupts' time; nothing was measured.
fn default_fence_ns() -> u64 {
    20_000
}

impl AdapterHardware {
    pub(crate) const KEYS: &'static [&'static str] =
        &["name", "driver", "memory", "memory_mb_per_second", "copy_engines", "copy_mb_per_second"];
}

impl Display {
    pub(crate) const KEYS: &'static [&'static str] = &[
        "name",
        "adapter",
        "width",
        "height",
        "refresh_millihertz",
        "rotation_degrees",
        "variable_refresh_from_millihertz",
    ];
}

impl MachineProfile {
    pub(crate) const KEYS: &'static [&'static str] = &[
        "name",
        "description",
        "system_memory_mb_per_second",
        "cross_adapter_fence_ns",
        "adapters",
        "links",
        "displays",
    ];

    /// Reads a profile. `origin` is what errors call the text.
    ///
    /// # Errors
    /// The text is no TOML, has a key that profiles do not have, or describes a machine that cannot be.
    pub fn parse(text: &str, origin: &str) -> Result<MachineProfile, ProfileError> {
        super::machine_text::parse(text, origin)
    }

    /// The names of its adapters' driver models, joined by `+`.
    pub fn drivers(&self) -> String {
        self.adapters.iter().map(|adapter| adapter.driver.as_str()).collect::<Vec<_>>().join("+")
    }

    /// The link that an adapter hangs on, if it hangs on one.
    pub fn link_of(&self, adapter: &AdapterHardware) -> Option<&Link> {
        self.links.iter().find(|link| link.adapter == adapter.name)
    }
}
