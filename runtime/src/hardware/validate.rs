//! Validation of machine profiles.

use super::machine_profile::{Display, MachineProfile, MemoryKind};
use taut_schemas::{AdapterId, nearest};

/// An error in a profile, and its position: in a table of a list, or at the top level.
pub(super) struct ProfileFault {
    pub list: &'static str,
    pub place: Option<usize>,
    pub key: &'static str,
    pub expected: String,
    pub found: String,
}

/// Max width and height of a display, in pixels.
const MAX_SIDE: u32 = 16384;
/// Max refresh rate, in thousandths of a hertz.
const MAX_REFRESH_MILLIHERTZ: u64 = 1_000_000;
/// Max bandwidth, in MB/s.
const MAX_BANDWIDTH_MB_PER_SECOND: u64 = 100_000_000;

/// The first error in a profile.
pub(super) fn validate(machine: &MachineProfile) -> Option<ProfileFault> {
    top(machine).or_else(|| links(machine)).or_else(|| adapters(machine)).or_else(|| displays(machine))
}

/// Entry of a profile that a requirement applies to.
#[derive(Clone, Copy)]
struct ProfileEntry {
    /// Name of the list; empty for the profile itself.
    list: &'static str,
    place: Option<usize>,
}

fn require(
    holds: bool,
    at: ProfileEntry,
    key: &'static str,
    expected: impl ToString,
    found: impl ToString,
) -> Option<ProfileFault> {
    (!holds).then(|| ProfileFault {
        list: at.list,
        place: at.place,
        key,
        expected: expected.to_string(),
        found: found.to_string(),
    })
}

fn top(machine: &MachineProfile) -> Option<ProfileFault> {
    let at = ProfileEntry { list: "", place: None };
    let bandwidth = machine.system_memory_mb_per_second;
    let max = AdapterId::MAX;
    require(bandwidth_is_possible(bandwidth), at, "system_memory_mb_per_second", BANDWIDTH, bandwidth)
        .or_else(|| require(!machine.adapters.is_empty(), at, "adapters", "at least one adapter", "none"))
        .or_else(|| {
            let found = machine.adapters.len();
            require(found <= max, at, "adapters", format_args!("at most {max} adapters"), found)
        })
        .or_else(|| require(!machine.displays.is_empty(), at, "displays", "at least one display", "none"))
        .or_else(|| {
            let fence = machine.cross_adapter_fence_ns;
            require(fence <= 1_000_000_000, at, "cross_adapter_fence_ns", "at most 1000000000", fence)
        })
}

const BANDWIDTH: &str = "1 to 100000000";

fn bandwidth_is_possible(mb_per_second: u64) -> bool {
    (1..=MAX_BANDWIDTH_MB_PER_SECOND).contains(&mb_per_second)
}

fn adapters(machine: &MachineProfile) -> Option<ProfileFault> {
    machine.adapters.iter().enumerate().find_map(|(place, adapter)| {
        let at = ProfileEntry { list: "adapters", place: Some(place) };
        let is_first = machine.adapters[..place].iter().all(|other| other.name != adapter.name);
        let (memory, local) = (adapter.memory_mb_per_second, adapter.memory == MemoryKind::Local);
        // A copy reads the adapter's memory, and scan-out reads it, too.
        let memory_rate = if local { memory } else { machine.system_memory_mb_per_second };
        let displays = machine.displays.iter().filter(|display| display.adapter == adapter.name);
        let scan_out = displays.map(scan_out_mb_per_second).fold(0_u64, u64::saturating_add);
        let linked = machine.links.iter().any(|link| link.adapter == adapter.name);
        require(is_first, at, "name", "a name that no other adapter has", &adapter.name)
            .or_else(|| require(!local || bandwidth_is_possible(memory), at, "memory_mb_per_second", BANDWIDTH, memory))
            .or_else(|| {
                let rate = adapter.copy_mb_per_second;
                require(bandwidth_is_possible(rate), at, "copy_mb_per_second", BANDWIDTH, rate)
            })
            .or_else(|| {
                let rate = adapter.copy_mb_per_second;
                let expected = format_args!("at most the rate of the adapter's memory, {memory_rate}");
                require(rate <= memory_rate, at, "copy_mb_per_second", expected, rate)
            })
            .or_else(|| {
                let expected = format_args!("displays that its memory supplies, with {memory_rate} MB/s");
                require(scan_out <= memory_rate, at, "name", expected, format_args!("{scan_out} MB/s of scan-out"))
            })
            .or_else(|| {
                let expected = "an adapter without a link, whose memory is the system's";
                require(local || !linked, at, "memory", expected, format_args!("{} with one", adapter.name))
            })
            .or_else(|| require(adapter.copy_engines <= 16, at, "copy_engines", "at most 16", adapter.copy_engines))
            .or_else(|| {
                let expected = "a link of the adapter, whose memory is its own";
                // Copies to and from local memory use the adapter's link.
                require(!local || linked, at, "name", expected, format_args!("{} without one", adapter.name))
            })
    })
}

/// Scan-out of a display at 4 bytes a pixel, in MB/s.
fn scan_out_mb_per_second(display: &Display) -> u64 {
    let pixels = u128::from(display.width) * u128::from(display.height) * u128::from(display.refresh_millihertz);
    u64::try_from(pixels * 4 / 1_000_000_000).unwrap_or(u64::MAX)
}

/// The name with a suggestion, if it is no adapter's name; `None` if it is one.
fn known(machine: &MachineProfile, name: &str) -> Option<String> {
    let names = || machine.adapters.iter().map(|adapter| adapter.name.as_str());
    if names().any(|known| known == name) {
        return None;
    }
    Some(match nearest(name, names()) {
        Some(nearest) => format!("{name}; did you mean {nearest}?"),
        None => name.to_owned(),
    })
}

fn links(machine: &MachineProfile) -> Option<ProfileFault> {
    machine.links.iter().enumerate().find_map(|(place, link)| {
        let at = ProfileEntry { list: "links", place: Some(place) };
        let is_first = machine.links[..place].iter().all(|other| other.adapter != link.adapter);
        let lanes = [1, 2, 4, 8, 16].contains(&link.lanes);
        known(machine, &link.adapter)
            .and_then(|found| require(false, at, "adapter", "the name of an adapter", found))
            .or_else(|| require(is_first, at, "adapter", "an adapter without another link", &link.adapter))
            .or_else(|| require((1..=5).contains(&link.generation), at, "generation", "1 to 5", link.generation))
            .or_else(|| require(lanes, at, "lanes", "1, 2, 4, 8 or 16", link.lanes))
    })
}

fn displays(machine: &MachineProfile) -> Option<ProfileFault> {
    machine.displays.iter().enumerate().find_map(|(place, display)| {
        let at = ProfileEntry { list: "displays", place: Some(place) };
        let is_first = machine.displays[..place].iter().all(|other| other.name != display.name);
        let side = |side: u32| (1..=MAX_SIDE).contains(&side);
        let (rate, slowest) = (display.refresh_millihertz, display.variable_refresh_from_millihertz);
        let turned = [0, 90, 180, 270].contains(&display.rotation_degrees);
        known(machine, &display.adapter)
            .and_then(|found| require(false, at, "adapter", "the name of an adapter", found))
            .or_else(|| require(is_first, at, "name", "a name that no other display has", &display.name))
            .or_else(|| require(side(display.width), at, "width", "1 to 16384", display.width))
            .or_else(|| require(side(display.height), at, "height", "1 to 16384", display.height))
            .or_else(|| {
                require(
                    (1000..=MAX_REFRESH_MILLIHERTZ).contains(&rate),
                    at,
                    "refresh_millihertz",
                    "1000 to 1000000",
                    rate,
                )
            })
            .or_else(|| require(turned, at, "rotation_degrees", "0, 90, 180 or 270", display.rotation_degrees))
            .or_else(|| {
                let key = "variable_refresh_from_millihertz";
                require(slowest <= rate, at, key, format_args!("at most refresh_millihertz, {rate}"), slowest)
            })
            .or_else(|| {
                let key = "variable_refresh_from_millihertz";
                require(slowest == 0 || slowest >= 1000, at, key, "0, or at least 1000", slowest)
            })
    })
}
