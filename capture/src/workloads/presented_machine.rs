//! The machine under a workload that presents, told to the runtime.

use super::error::WorkloadError;
use super::refusal::required;
use crate::caller::Caller;
use taut_runtime::{AdapterHardware, Display, MachineProfile, MemoryKind};
use taut_schemas::{AdapterId, AdapterParts, DisplayMode, HResultCode, NtStatus, machine};

/// A machine's profile, its first display in the workload's mode.
pub(crate) struct PresentedMachine {
    machine: MachineProfile,
    /// The session has no description of its own: it has one adapter, and a driver that may have no part in the kernel.
    is_assumed: bool,
}

const BYTES_PER_MB: u64 = 1_000_000;

impl PresentedMachine {
    /// The session's machine; where it has none, a desktop.
    pub fn of(known: Option<MachineProfile>, (width, height): (u32, u32), refresh_millihertz: u64) -> PresentedMachine {
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
            let turned = display.rotation_degrees % 180 == 90;
            (display.width, display.height) = if turned { (height, width) } else { (width, height) };
            let slowest = display.variable_refresh_from_millihertz.min(refresh_millihertz);
            (display.refresh_millihertz, display.variable_refresh_from_millihertz) = (refresh_millihertz, slowest);
        }
        PresentedMachine { machine, is_assumed }
    }

    /// The same with as many displays as there are rates, in thousandths of a hertz, all like the first and at its adapter.
    pub fn with_displays(mut self, rates: &[u64]) -> PresentedMachine {
        if let Some(first) = self.machine.displays.first().cloned() {
            let like_first = |rate: &u64| Display { refresh_millihertz: *rate, ..first.clone() };
            self.machine.displays = rates.iter().map(like_first).collect();
        }
        self
    }

    /// The adapter that renders: the first one that the first display does not hang on, if there is one.
    pub fn renders(&self) -> AdapterId {
        let shows = self.machine.displays.first().map(|display| display.adapter.as_str());
        let other = self.machine.adapters.iter().position(|adapter| Some(adapter.name.as_str()) != shows);
        AdapterId(other.unwrap_or_default() as u64 + 1)
    }

    /// The adapter that the first display hangs on.
    pub fn shows(&self) -> AdapterId {
        self.machine.displays.first().map_or(AdapterId::FIRST, |display| self.number(&display.adapter))
    }

    /// Displays.
    pub fn displays(&self) -> &[Display] {
        &self.machine.displays
    }

    fn number(&self, name: &str) -> AdapterId {
        let place = self.machine.adapters.iter().position(|adapter| adapter.name == name);
        AdapterId(place.unwrap_or_default() as u64 + 1)
    }

    /// Tells the runtime what it is made of, and starts its adapters.
    pub fn describe<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        self.describe_before_displays(caller)?;
        self.displays().iter().try_for_each(|display| self.connect(caller, display))
    }

    /// The same but for its displays.
    pub fn describe_before_displays<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        self.describe_parts(caller)?;
        let mut names = self.machine.adapters.iter();
        names.try_for_each(|adapter| self.start(caller, self.number(&adapter.name)))
    }

    /// Tells what all adapters share and what each is made of: those that come later, too.
    pub fn describe_parts<K: Caller>(&self, caller: &mut K) -> Result<(), WorkloadError> {
        let describe = machine::DescribeMachine {
            system_memory_bytes_per_second: self.machine.system_memory_mb_per_second * BYTES_PER_MB,
            cross_adapter_fence_ns: self.machine.cross_adapter_fence_ns,
        };
        succeeded("DescribeMachine", caller.call(describe))?;
        for adapter in &self.machine.adapters {
            let (number, parts) = (self.number(&adapter.name), self.parts(adapter));
            succeeded("DescribeAdapter", caller.call(machine::DescribeAdapter { adapter: number, parts }))?;
        }
        Ok(())
    }

    /// An adapter is found.
    pub fn start<K: Caller>(&self, caller: &mut K, adapter: AdapterId) -> Result<(), WorkloadError> {
        match self.is_assumed {
            true => Ok(()),
            false => succeeded("StartAdapter", caller.call(machine::StartAdapter { adapter })),
        }
    }

    /// An adapter goes.
    pub fn stop<K: Caller>(&self, caller: &mut K, adapter: AdapterId) -> Result<(), WorkloadError> {
        match self.is_assumed {
            true => Ok(()),
            false => succeeded("StopAdapter", caller.call(machine::StopAdapter { adapter })),
        }
    }

    /// A display appears.
    pub fn connect<K: Caller>(&self, caller: &mut K, display: &Display) -> Result<(), WorkloadError> {
        let connect = machine::ConnectDisplay { adapter: self.number(&display.adapter), mode: mode(display) };
        succeeded("ConnectDisplay", caller.call(connect))
    }

    fn parts(&self, adapter: &AdapterHardware) -> AdapterParts {
        AdapterParts {
            uses_system_memory: adapter.memory == MemoryKind::System,
            memory_bytes_per_second: adapter.memory_mb_per_second * BYTES_PER_MB,
            link_bytes_per_second: self.machine.link_of(adapter).map_or(0, |link| link.bytes_per_second()),
            copy_engines: adapter.copy_engines,
            copy_bytes_per_second: adapter.copy_mb_per_second * BYTES_PER_MB,
        }
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

/// An input of the kernel's side that the workload cannot do without.
fn succeeded(call: &'static str, status: NtStatus) -> Result<(), WorkloadError> {
    required(call, if status == NtStatus::SUCCESS { Ok(()) } else { Err(HResultCode(status.0)) })
}
