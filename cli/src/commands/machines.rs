//! `taut machines`: lists or explains machines.

use crate::args::{Common, Machines};
use crate::failure::failure;
use taut_app::listing::machines::{self, Machine};
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, table};
use taut_runtime::{AdapterHardware, Display, MachineProfile, MemoryKind};

/// Lists the machines, or explains one.
pub fn run(arguments: &Machines, common: Common) -> Outcome {
    match &arguments.name {
        Some(name) => explain(name, common),
        None => list(common),
    }
}

fn list(common: Common) -> Outcome {
    if common.json {
        print_json(&machines::all_json())?;
    } else {
        let explanation: String = machines::all()
            .map(|machine| format!("{}  {}\n  {}\n", bold(&machine.name), machine.drivers(), machine.description))
            .collect();
        let end = "Drivers: the display adapter, then the rendering adapter.\nPrint a machine with its profile, to copy and edit: taut machines NAME\n";
        print(&folded(&format!("{explanation}\n{end}")))?;
    }
    Ok(Status::Fine)
}

/// Prints the profile of a machine, with a table of what its adapters share as a comment: the output can be used as a
/// profile.
fn explain(name: &str, common: Common) -> Outcome {
    let machine = machines::find(name).map_err(failure)?;
    if common.json {
        print_json(&machine.json())?;
        return Ok(Status::Fine);
    }
    let Machine { text, profile: machine } = machine;
    let mut explanation = format!("{}\n\n", machine.description);
    let adapters = machine.adapters.iter().map(|adapter| adapter_row(&machine, adapter));
    explanation += &table(&["adapter", "driver", "memory", "GB/s", "link", "GB/s"], &[3, 5], adapters);
    explanation += "\n";
    explanation +=
        &table(&["display", "adapter", "mode", "scan-out GB/s"], &[3], machine.displays.iter().map(display_row));
    let comment: String = explanation.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    print(&format!("{comment}\n{text}"))?;
    Ok(Status::Fine)
}

fn adapter_row(machine: &MachineProfile, adapter: &AdapterHardware) -> Vec<String> {
    let (memory, mb_per_second) = match adapter.memory {
        MemoryKind::System => ("the system's", machine.system_memory_mb_per_second),
        MemoryKind::Local => ("its own", adapter.memory_mb_per_second),
    };
    let (link, rate) = match machine.link_of(adapter) {
        None => ("none".to_owned(), String::new()),
        Some(link) => (
            format!("PCIe {}.0 x{}, efficiency {}", link.generation, link.lanes, link.efficiency),
            format!("{:.2}", link.bytes_per_second() as f64 / 1e9),
        ),
    };
    let gb_per_second = format!("{:.1}", mb_per_second as f64 / 1e3);
    vec![adapter.name.clone(), adapter.driver.clone(), memory.to_owned(), gb_per_second, link, rate]
}

fn display_row(display: &Display) -> Vec<String> {
    let rate = display.refresh_millihertz as f64 / 1e3;
    let mut mode = format!("{}x{} at {rate} Hz", display.width, display.height);
    if display.rotation_degrees != 0 {
        mode += &format!(", turned by {} degrees", display.rotation_degrees);
    }
    if display.variable_refresh_from_millihertz != 0 {
        mode += &format!(", from {} Hz", display.variable_refresh_from_millihertz as f64 / 1e3);
    }
    // 4 bytes per pixel, as in formats with 8 bits per channel.
    let scan_out = f64::from(display.width) * f64::from(display.height) * 4.0 * rate / 1e9;
    vec![display.name.clone(), display.adapter.clone(), mode, format!("{scan_out:.3}")]
}
