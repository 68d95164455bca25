//! Machine profiles.

use super::link::Link;
use serde::{Deserialize, Serialize};

/// Kind of an adapter's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// System memory: the adapter's copies and scan-out share its bandwidth with all other users.
    System,
    /// Local memory of the adapter.
    Local,
}

/// An adapter of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdapterHardware {
    /// Name by which links and displays refer to the adapter.
    pub name: String,
    /// Driver model: the name of a bundled one, or a file.
    pub driver: String,
    /// Kind of the adapter's memory.
    pub memory: MemoryKind,
    /// Bandwidth of local memory, in MB/s; unused without local memory.
    #[serde(default)]
    pub memory_mb_per_second: u64,
    /// Number of copy engines in addition to the graphics engine. With 0, the graphics engine makes the copies.
    #[serde(default = "one")]
    pub copy_engines: u32,
    /// Copy rate of one engine that runs alone, in MB/s of payload.
    pub copy_mb_per_second: u64,
}

/// A display that is connected to an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Display {
    /// Name.
    pub name: String,
    /// Name of the adapter.
    pub adapter: String,
    /// Width in pixels, in the viewer's orientation.
    pub width: u32,
    /// Height in pixels, in the viewer's orientation.
    pub height: u32,
    /// Refresh rate, in thousandths of a hertz.
    pub refresh_millihertz: u64,
    /// Rotation of the panel against the adapter's scan-out: 0, 90, 180 or 270 degrees.
    #[serde(default)]
    pub rotation_degrees: u32,
    /// Min refresh rate of a display with variable refresh, in thousandths of a hertz; 0 for a fixed rate.
    #[serde(default)]
    pub variable_refresh_from_millihertz: u64,
}

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineProfile {
    /// Name.
    pub name: String,
    /// Description in one sentence.
    #[serde(default)]
    pub description: String,
    /// Bandwidth of system memory, in MB/s.
    pub system_memory_mb_per_second: u64,
    /// Time from the signal of another adapter's fence until a waiting engine continues, in nanoseconds.
    #[serde(default = "default_fence_ns")]
    pub cross_adapter_fence_ns: u64,
    /// Adapters; the first is the default adapter.
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

/// The time of a few interrupts; an estimate without a measurement.
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

    /// Names of the adapters' driver models, joined by `+`.
    pub fn drivers(&self) -> String {
        self.adapters.iter().map(|adapter| adapter.driver.as_str()).collect::<Vec<_>>().join("+")
    }

    /// The link of an adapter, if it has one.
    pub fn link_of(&self, adapter: &AdapterHardware) -> Option<&Link> {
        self.links.iter().find(|link| link.adapter == adapter.name)
    }
}
