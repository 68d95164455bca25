//! Machines that cannot be.

use super::machine_profile::{MachineProfile, MemoryKind};
use taut_schemas::{AdapterId, nearest};

/// What is wrong, and where: in a table of a list, or at the top.
pub(super) struct Impossible {
    pub list: &'static str,
    pub place: Option<usize>,
    pub key: &'static str,
    pub expected: String,
    pub found: String,
}

/// The greatest side of a display, in pixels.
const GREATEST_SIDE: u32 = 16384;
/// The greatest refresh rate, in thousandths of a hertz.
const GREATEST_REFRESH: u64 = 1_000_000;
/// The greatest bandwidth, in MB/s.
const GREATEST_BANDWIDTH: u64 = 100_000_000;

/// The first thing that is wrong with a machine.
pub(super) fn impossible(machine: &MachineProfile) -> Option<Impossible> {
    top(machine).or_else(|| links(machine)).or_else(|| adapters(machine)).or_else(|| displays(machine))
}

fn unless(
    holds: bool,
    (list, place): (&'static str, Option<usize>),
    key: &'static str,
    expected: impl ToString,
    found: impl ToString,
) -> Option<Impossible> {
    (!holds).then(|| Impossible { list, place, key, expected: expected.to_string(), found: found.to_string() })
}

fn top(machine: &MachineProfile) -> Option<Impossible> {
    let at = ("", None);
    let bandwidth = machine.system_memory_mb_per_second;
    let most = AdapterId::MOST;
    unless(bandwidth_is_possible(bandwidth), at, "system_memory_mb_per_second", BANDWIDTH, bandwidth)
        .or_else(|| unless(!machine.adapters.is_empty(), at, "adapters", "at least one adapter", "none"))
        .or_else(|| {
            let found = machine.adapters.len();
            unless(found <= most, at, "adapters", format_args!("at most {most} adapters"), found)
        })
        .or_else(|| unless(!machine.displays.is_empty(), at, "displays", "at least one display", "none"))
        .or_else(|| {
            let fence = machine.cross_adapter_fence_ns;
            unless(fence <= 1_000_000_000, at, "cross_adapter_fence_ns", "at most 1000000000", fence)
        })
}

const BANDWIDTH: &str = "1 to 100000000";

fn bandwidth_is_possible(mb_per_second: u64) -> bool {
    (1..=GREATEST_BANDWIDTH).contains(&mb_per_second)
}

fn adapters(machine: &MachineProfile) -> Option<Impossible> {
    machine.adapters.iter().enumerate().find_map(|(place, adapter)| {
        let at = ("adapters", Some(place));
        let is_first = machine.adapters[..place].iter().all(|other| other.name != adapter.name);
        let (memory, local) = (adapter.memory_mb_per_second, adapter.memory == MemoryKind::Local);
        let linked = machine.links.iter().any(|link| link.adapter == adapter.name);
        unless(is_first, at, "name", "a name that no other adapter has", &adapter.name)
            .or_else(|| unless(!local || bandwidth_is_possible(memory), at, "memory_mb_per_second", BANDWIDTH, memory))
            .or_else(|| {
                let rate = adapter.copy_mb_per_second;
                unless(bandwidth_is_possible(rate), at, "copy_mb_per_second", BANDWIDTH, rate)
            })
            .or_else(|| unless(adapter.copy_engines <= 16, at, "copy_engines", "at most 16", adapter.copy_engines))
            .or_else(|| {
                let expected = "a link of the adapter, whose memory is its own";
                unless(!local || linked, at, "name", expected, format_args!("{} without one", adapter.name))
            })
    })
}

/// The names of a machine's adapters, and the nearest one.
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

fn links(machine: &MachineProfile) -> Option<Impossible> {
    machine.links.iter().enumerate().find_map(|(place, link)| {
        let at = ("links", Some(place));
        let is_first = machine.links[..place].iter().all(|other| other.adapter != link.adapter);
        let lanes = [1, 2, 4, 8, 16].contains(&link.lanes);
        known(machine, &link.adapter)
            .and_then(|found| unless(false, at, "adapter", "the name of an adapter", found))
            .or_else(|| unless(is_first, at, "adapter", "an adapter without another link", &link.adapter))
            .or_else(|| unless((1..=5).contains(&link.generation), at, "generation", "1 to 5", link.generation))
            .or_else(|| unless(lanes, at, "lanes", "1, 2, 4, 8 or 16", link.lanes))
    })
}

fn displays(machine: &MachineProfile) -> Option<Impossible> {
    machine.displays.iter().enumerate().find_map(|(place, display)| {
        let at = ("displays", Some(place));
        let is_first = machine.displays[..place].iter().all(|other| other.name != display.name);
        let side = |side: u32| (1..=GREATEST_SIDE).contains(&side);
        let (rate, slowest) = (display.refresh_millihertz, display.variable_refresh_from_millihertz);
        let turned = [0, 90, 180, 270].contains(&display.rotation_degrees);
        known(machine, &display.adapter)
            .and_then(|found| unless(false, at, "adapter", "the name of an adapter", found))
            .or_else(|| unless(is_first, at, "name", "a name that no other display has", &display.name))
            .or_else(|| unless(side(display.width), at, "width", "1 to 16384", display.width))
            .or_else(|| unless(side(display.height), at, "height", "1 to 16384", display.height))
            .or_else(|| {
                unless((1000..=GREATEST_REFRESH).contains(&rate), at, "refresh_millihertz", "1000 to 1000000", rate)
            })
            .or_else(|| unless(turned, at, "rotation_degrees", "0, 90, 180 or 270", display.rotation_degrees))
            .or_else(|| {
                let key = "variable_refresh_from_millihertz";
                unless(slowest <= rate, at, key, format_args!("at most refresh_millihertz, {rate}"), slowest)
            })
    })
}
