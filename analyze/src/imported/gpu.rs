//! Engines of the adapters: packets, and the time in which an engine has work.

use std::collections::{BTreeMap, HashMap};
use taut_schemas::windows::{DmaPacketStart, DmaPacketStop, KernelContext, KernelDevice};

/// Packets of a process on an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GpuGroup {
    /// `None` if the trace does not have the context's process.
    pub process: Option<u32>,
    /// Number of the node. `None` if the creation of the context is not in the trace.
    pub node: Option<u64>,
    /// Packets whose end is in the trace.
    pub packets: u64,
    /// Packets that are not at an end.
    pub open: u64,
    /// Ticks in which the group has one packet or more.
    pub busy_ticks: u64,
}

type Key = (Option<u32>, Option<u64>);

/// State of the engines.
#[derive(Debug, Default)]
pub struct Engines {
    devices: HashMap<u64, u32>,
    /// Process and node of each context.
    processes: HashMap<u64, u32>,
    nodes: HashMap<u64, u64>,
    /// Group of each packet in progress, by context and submission.
    packets: HashMap<(u64, u64), Key>,
    groups: BTreeMap<Key, (GpuGroup, u64)>,
}

impl Engines {
    pub fn device(&mut self, event: &KernelDevice) {
        if let (Some(device), Some(process)) = (event.device, event.process.and_then(|id| u32::try_from(id).ok())) {
            self.devices.insert(device, process);
        }
    }

    pub fn context(&mut self, event: &KernelContext) {
        let Some(context) = event.context else { return };
        let process = event.device.and_then(|device| self.devices.get(&device).copied());
        // The handle may be that of a former context.
        match process {
            Some(process) => self.processes.insert(context, process),
            None => self.processes.remove(&context),
        };
        match event.node {
            Some(node) => self.nodes.insert(context, node),
            None => self.nodes.remove(&context),
        };
    }

    /// A thread of a process submits to a context.
    pub fn submission(&mut self, context: u64, process: u32) {
        self.processes.entry(context).or_insert(process);
    }

    /// Process and node of a context, as far as they are known.
    pub fn key(&self, context: u64) -> (Option<u32>, Option<u64>) {
        (self.processes.get(&context).copied(), self.nodes.get(&context).copied())
    }

    pub fn packet_start(&mut self, stamp: u64, event: &DmaPacketStart) {
        let (Some(context), Some(submission)) = (event.context, event.submission) else { return };
        let key = self.key(context);
        if self.packets.insert((context, submission), key).is_some() {
            return;
        }
        let (group, since) = self.groups.entry(key).or_default();
        (group.process, group.node) = key;
        if group.open == 0 {
            *since = stamp;
        }
        group.open += 1;
    }

    /// An end without a start belongs to a packet from before the trace.
    pub fn packet_stop(&mut self, stamp: u64, event: &DmaPacketStop) {
        let (Some(context), Some(submission)) = (event.context, event.submission) else { return };
        let Some(key) = self.packets.remove(&(context, submission)) else { return };
        let (group, since) = self.groups.entry(key).or_default();
        group.packets += 1;
        group.open = group.open.saturating_sub(1);
        if group.open == 0 {
            group.busy_ticks += stamp.saturating_sub(*since);
        }
    }

    /// The groups, busiest first.
    pub fn finish(self) -> Vec<GpuGroup> {
        let mut groups: Vec<GpuGroup> = self.groups.into_values().map(|(group, _)| group).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.busy_ticks));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(context: u64, submission: u64) -> DmaPacketStart {
        DmaPacketStart { context: Some(context), packet_type: Some(0), submission: Some(submission) }
    }

    fn stop(context: u64, submission: u64) -> DmaPacketStop {
        DmaPacketStop { context: Some(context), submission: Some(submission) }
    }

    #[test]
    fn the_time_of_concurrent_packets_counts_once() {
        let mut engines = Engines::default();
        engines.submission(1, 7);
        engines.packet_start(10, &start(1, 1));
        engines.packet_start(20, &start(1, 2));
        engines.packet_stop(30, &stop(1, 1));
        engines.packet_stop(40, &stop(1, 2));
        engines.packet_start(100, &start(1, 3));
        engines.packet_stop(105, &stop(1, 3));
        engines.packet_stop(106, &stop(1, 9));
        engines.packet_start(110, &start(1, 4));
        let expected = GpuGroup { process: Some(7), node: None, packets: 3, open: 1, busy_ticks: 35 };
        assert_eq!(engines.finish(), [expected]);
    }

    #[test]
    fn a_context_without_an_event_has_no_process_and_no_engine() {
        let mut engines = Engines::default();
        engines.device(&KernelDevice { process: Some(7), device: Some(2) });
        engines.context(&KernelContext { device: Some(2), node: Some(3), context: Some(4) });
        for context in [4, 5] {
            engines.packet_start(1, &start(context, 1));
            engines.packet_stop(3, &stop(context, 1));
        }
        let groups: Vec<_> = engines.finish().into_iter().map(|group| (group.process, group.node)).collect();
        assert_eq!(groups, [(None, None), (Some(7), Some(3))]);
    }
}
