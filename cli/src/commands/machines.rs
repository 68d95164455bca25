//! `taut machines`: the machines that sessions run on.

use crate::args::{Common, Machines};
use serde_json::{Value, json};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, table, unknown};
use taut_runtime::{AdapterHardware, Display, MachineProfile, MemoryKind};

/// Lists the machines, or explains one.
pub fn run(machines: &Machines, common: Common) -> Outcome {
    match &machines.name {
        Some(name) => explain(name, common),
        None => list(common),
    }
}

fn list(common: Common) -> Outcome {
    let machines = || MachineProfile::bundled().iter().filter_map(|(name, _)| MachineProfile::named(name));
    if common.json {
        let all: Vec<Value> =
            machines().map(|machine| json!({"name": machine.name, "description": machine.description})).collect();
        print_json(&all)?;
    } else {
        let told: String = machines()
            .map(|machine| format!("{}  {}\n  {}\n", bold(&machine.name), machine.drivers(), machine.description))
            .collect();
        let end = "Explain one, and print its profile to start your own from: taut machines NAME\n";
        print(&folded(&format!("{told}\n{end}")))?;
    }
    Ok(Status::Fine)
}

/// Explains a machine by what its adapters share. The text is its profile, the explanation its comment.
fn explain(name: &str, common: Common) -> Outcome {
    let found = MachineProfile::bundled().iter().find(|(known, _)| *known == name);
    let Some((text, machine)) = found.and_then(|(name, text)| Some((text, MachineProfile::named(name)?))) else {
        let names: Vec<&str> = MachineProfile::bundled().iter().map(|(name, _)| *name).collect();
        return Err(Failure::usage(unknown("machine", name, &names)));
    };
    if common.json {
        print_json(&json!({"machine": machine, "links_gb_per_second": links(&machine)}))?;
        return Ok(Status::Fine);
    }
    let mut told = format!("{}\n\n", machine.description);
    let adapters = machine.adapters.iter().map(|adapter| adapter_row(&machine, adapter));
    told += &table(&["adapter", "driver", "memory", "GB/s", "link", "GB/s"], &[3, 5], adapters);
    told += "\n";
    told += &table(&["display", "adapter", "mode", "scan-out GB/s"], &[3], machine.displays.iter().map(display_row));
    let comment: String = told.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    print(&format!("{comment}\n{text}"))?;
    Ok(Status::Fine)
}

fn links(machine: &MachineProfile) -> Vec<f64> {
    machine.links.iter().map(|link| link.bytes_per_second() as f64 / 1e9).collect()
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
    // Four bytes a pixel, as the formats of 8 bits a channel have.
    let scan_out = f64::from(display.width) * f64::from(display.height) * 4.0 * rate / 1e9;
    vec![display.name.clone(), display.adapter.clone(), mode, format!("{scan_out:.3}")]
}
