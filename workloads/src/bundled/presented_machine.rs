//! Machine of a workload that presents, and the inputs that describe it to the runtime.

use super::error::WorkloadError;
use super::refusal::required;
use taut_capture::Caller;
use taut_runtime::{Display, MachineProfile};
use taut_schemas::{AdapterId, DisplayMode, HResultCode, NtStatus, machine};

/// Profile of a machine, with its first display in the workload's mode.
pub(crate) struct PresentedMachine {
    machine: MachineProfile,
    /// True if the session has no machine profile: it then has one adapter, whose driver may have no kernel part.
    is_assumed: bool,
}

/// Refresh rate of a display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DisplayRate {
    /// Rate in thousandths of a hertz; with a variable rate, the maximum.
    pub refresh_millihertz: u64,
    pub is_variable: bool,
}

/// Min rate of a variable display, which is the rate of the bundled desktop.
const VARIABLE_FROM_MILLIHERTZ: u64 = 48_000;

impl PresentedMachine {
    /// Uses the session's machine, or a desktop if the session has no machine.
    pub fn new(
        known: Option<MachineProfile>,
        (width, height): (u32, u32),
        refresh_millihertz: u64,
    ) -> PresentedMachine {
        let is_assumed = known.is_none();
        let assumed = || MachineProfile::named("desktop");
        let mut machine = known.or_else(assumed).unwrap_or_else(|| MachineProfile {
            name: String::new(),
            description: String::new(),
            system_memory_mb_per_second: 1,
            cross_adapter_fence_ns: 0,
            adapters: Vec::new(),
            links: Vec::new(),
            displays: Vec::new(),
        });
        if let Some(display) = machine.displays.first_mut() {
            // A display rotated by 90 or 270 degrees scans out with width and height exchanged.
            let turned = display.rotation_degrees % 180 == 90;
            (display.width, display.height) = if turned { (height, width) } else { (width, height) };
            // The range of variable refresh must not begin above the rate of the mode.
            let slowest = display.variable_refresh_from_millihertz.min(refresh_millihertz);
            (display.refresh_millihertz, display.variable_refresh_from_millihertz) = (refresh_millihertz, slowest);
        }
        PresentedMachine { machine, is_assumed }
    }

    /// Replaces the displays: one per rate, each a copy of the first.
    pub fn with_displays(mut self, rates: &[DisplayRate]) -> PresentedMachine {
        if let Some(first) = self.machine.displays.first().cloned() {
            let like_first = |rate: &DisplayRate| Display {
                refresh_millihertz: rate.refresh_millihertz,
                variable_refresh_from_millihertz: match rate.is_variable {
                    true => VARIABLE_FROM_MILLIHERTZ.min(rate.refresh_millihertz),
                    false => 0,
                },
                ..first.clone()
            };
            self.machine.displays = rates.iter().map(like_first).collect();
        }
        self
    }

    /// Returns the adapter that renders: the first one without the first display, if there is one.
    pub fn render_adapter(&self) -> AdapterId {
        let display_adapter = self.machine.displays.first().map(|display| display.adapter.as_str());
        let other = self.machine.adapters.iter().position(|adapter| Some(adapter.name.as_str()) != display_adapter);
        AdapterId(other.unwrap_or_default() as u64 + 1)
    }

    /// Returns the adapter of the first display.
    pub fn display_adapter(&self) -> AdapterId {
        self.machine.displays.first().map_or(AdapterId::FIRST, |display| self.machine.adapter_id(&display.adapter))
    }

    /// Number of adapters.
    pub fn adapters(&self) -> usize {
        self.machine.adapters.len()
    }

    /// Displays of the machine.
    pub fn displays(&self) -> &[Display] {
        &self.machine.displays
    }

    /// Describes the machine to the runtime and starts its adapters and displays.
    pub fn describe<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        self.describe_before_displays(caller)?;
        self.displays().iter().try_for_each(|display| self.connect(caller, display))
    }

    /// Describes the machine without its displays, and starts its adapters.
    pub fn describe_before_displays<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        self.describe_parts(caller)?;
        let mut names = self.machine.adapters.iter();
        names.try_for_each(|adapter| self.start(caller, self.machine.adapter_id(&adapter.name)))
    }

    /// Describes the system and all adapters, including adapters that are started later.
    pub fn describe_parts<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        succeeded("DescribeMachine", caller.call(self.machine.description()))?;
        for adapter in &self.machine.adapters {
            let (number, parts) = (self.machine.adapter_id(&adapter.name), self.machine.parts(adapter));
            succeeded("DescribeAdapter", caller.call(machine::DescribeAdapter { adapter: number, parts }))?;
        }
        Ok(())
    }

    /// Starts an adapter.
    pub fn start<K: Caller>(&self, caller: &mut K, adapter: AdapterId) -> Result<(), WorkloadError> {
        match self.is_assumed {
            true => Ok(()),
            false => succeeded("StartAdapter", caller.call(machine::StartAdapter { adapter })),
        }
    }

    /// Stops an adapter.
    pub fn stop<K: Caller>(&self, caller: &mut K, adapter: AdapterId) -> Result<(), WorkloadError> {
        match self.is_assumed {
            true => Ok(()),
            false => succeeded("StopAdapter", caller.call(machine::StopAdapter { adapter })),
        }
    }

    /// Connects a display.
    pub fn connect<K: Caller>(&self, caller: &mut K, display: &Display) -> Result<(), WorkloadError> {
        let connect =
            machine::ConnectDisplay { adapter: self.machine.adapter_id(&display.adapter), mode: mode(display) };
        succeeded("ConnectDisplay", caller.call(connect))
    }
}

fn mode(display: &Display) -> DisplayMode {
    DisplayMode {
        width: display.width,
        height: display.height,
        refresh_millihertz: display.refresh_millihertz,
        rotation_degrees: display.rotation_degrees,
        variable_refresh_from_millihertz: display.variable_refresh_from_millihertz,
    }
}

/// Checks the result of a required input of the kernel.
fn succeeded(call: &'static str, status: NtStatus) -> Result<(), WorkloadError> {
    required(call, if status == NtStatus::SUCCESS { Ok(()) } else { Err(HResultCode(status.0)) })
}
