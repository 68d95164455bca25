//! Queues of contexts: packets that wait for an engine, or for a fence.

use super::gpu::Engines;
use std::collections::{BTreeMap, HashMap};
use taut_schemas::windows::{QueuePacketStart, QueuePacketStop, QueueWaitStart};

/// Queues of a process for an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueGroup {
    /// `None` if the trace does not have the context's process.
    pub process: Option<u32>,
    /// Number of the node. `None` if the creation of the context is not in the trace.
    pub node: Option<u64>,
    /// Packets that enter a queue: work, and waits and signals.
    pub packets: u64,
    /// Waits and signals of fences.
    pub waits: u64,
    /// Ticks from entering to leaving, of the packets that leave.
    pub queued_ticks: u64,
    /// Packets that leave.
    pub left: u64,
    /// Maximum of the packets in the queues at a time.
    pub max_depth: u64,
}

type Key = (Option<u32>, Option<u64>);

/// State of the queues.
#[derive(Debug, Default)]
pub struct Queues {
    /// Group and begin of each packet in a queue, by context and sequence.
    packets: HashMap<(u64, u64), (Key, u64)>,
    /// Groups with the number of packets in their queues.
    groups: BTreeMap<Key, (QueueGroup, u64)>,
}

impl Queues {
    pub fn packet(&mut self, stamp: u64, event: &QueuePacketStart, engines: &Engines) {
        self.enter(stamp, event.context, event.submit_sequence, false, engines);
    }

    pub fn wait(&mut self, stamp: u64, event: &QueueWaitStart, engines: &Engines) {
        self.enter(stamp, event.context, event.submit_sequence, true, engines);
    }

    fn enter(&mut self, stamp: u64, context: Option<u64>, sequence: Option<u64>, is_wait: bool, engines: &Engines) {
        let (Some(context), Some(sequence)) = (context, sequence) else { return };
        let key = engines.key(context);
        if self.packets.insert((context, sequence), (key, stamp)).is_some() {
            return;
        }
        let (group, depth) = self.groups.entry(key).or_default();
        (group.process, group.node) = key;
        group.packets += 1;
        group.waits += u64::from(is_wait);
        *depth += 1;
        group.max_depth = group.max_depth.max(*depth);
    }

    /// A packet that leaves without having entered is from before the trace.
    pub fn leave(&mut self, stamp: u64, event: &QueuePacketStop) {
        let (Some(context), Some(sequence)) = (event.context, event.submit_sequence) else { return };
        let Some((key, since)) = self.packets.remove(&(context, sequence)) else { return };
        let (group, depth) = self.groups.entry(key).or_default();
        group.left += 1;
        group.queued_ticks = group.queued_ticks.saturating_add(stamp.saturating_sub(since));
        *depth = depth.saturating_sub(1);
    }

    /// The groups, those with the most packets first.
    pub fn finish(self) -> Vec<QueueGroup> {
        let mut groups: Vec<QueueGroup> = self.groups.into_values().map(|(group, _)| group).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.packets));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(sequence: u64) -> QueuePacketStart {
        QueuePacketStart { context: Some(1), submit_sequence: Some(sequence), ..QueuePacketStart::default() }
    }

    fn stop(sequence: u64) -> QueuePacketStop {
        QueuePacketStop { context: Some(1), submit_sequence: Some(sequence), ..QueuePacketStop::default() }
    }

    #[test]
    fn the_depth_is_the_number_of_packets_that_have_entered_and_not_left() {
        let (mut queues, mut engines) = (Queues::default(), Engines::default());
        engines.submission(1, 7);
        queues.packet(10, &start(1), &engines);
        queues.wait(12, &QueueWaitStart { context: Some(1), submit_sequence: Some(2) }, &engines);
        queues.leave(15, &stop(1));
        queues.leave(16, &stop(9));
        queues.packet(20, &start(3), &engines);
        queues.packet(21, &start(4), &engines);
        queues.leave(30, &stop(2));
        let expected = QueueGroup {
            process: Some(7),
            node: None,
            packets: 4,
            waits: 1,
            queued_ticks: 5 + 18,
            left: 2,
            max_depth: 3,
        };
        assert_eq!(queues.finish(), [expected]);
    }
}
