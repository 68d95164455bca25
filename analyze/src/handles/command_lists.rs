//! Command lists: their lifetimes, executions, and the memory that they pin.

use super::FastMap;
use std::cmp::Reverse;

/// Max lists that are reported.
const LISTED: usize = 10;

/// A command list that the application has.
#[derive(Debug)]
struct LiveList {
    /// Index of the context that recorded it.
    context: u32,
    created: u64,
    list_bytes: u64,
    /// Objects that it recorded, as handles of the immediate context with their sizes.
    objects: Vec<(u64, u64)>,
    executions: u64,
    /// Number of lists of its context at its last execution.
    lists_at_execution: u64,
}

/// A command list after its release, or at the end of the trace.
#[derive(Debug, Clone)]
pub(crate) struct EndedList {
    /// Handle of the immediate context.
    pub handle: u64,
    /// Index of the context that recorded it.
    pub context: u32,
    /// Stamps of the creation and of the release, or the trace's end.
    pub created: u64,
    pub ended: u64,
    pub is_released: bool,
    pub executions: u64,
    pub objects: u64,
    /// Memory of the list's handle, and of the recorded objects' handles.
    pub list_bytes: u64,
    pub pinned_bytes: u64,
    /// The list was executed once, and its context finished another one before the release.
    pub is_retained: bool,
}

/// Sums of the live lists at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LiveLists {
    pub lists: u64,
    /// Distinct objects.
    pub objects: u64,
    pub list_bytes: u64,
    pub pinned_bytes: u64,
}

impl LiveLists {
    fn bytes(&self) -> u64 {
        self.list_bytes.saturating_add(self.pinned_bytes)
    }
}

/// Command lists of a trace.
#[derive(Debug, Default)]
pub(crate) struct CommandLists {
    live: FastMap<u64, LiveList>,
    /// Number of live lists by pinned object.
    pins: FastMap<u64, u64>,
    /// Lists created by context.
    by_context: FastMap<u32, u64>,
    now: LiveLists,
    /// The moment of the max bytes.
    pub peak: LiveLists,
    pub peak_stamp: u64,
    pub created: u64,
    pub executions: u64,
    pub never_executed: u64,
    pub executed_once: u64,
    /// Lists retained after their only execution, and their bytes.
    pub retained: (u64, u64),
    pub live_at_end: u64,
    /// Sum and max of the ages, in ticks of the trace's clock.
    pub ages: (u128, u64),
    /// Lists that lived longest.
    pub oldest: Vec<EndedList>,
}

impl CommandLists {
    /// Adds a list, with the objects of its recording and the sizes of their handles of the immediate context.
    pub fn create(&mut self, stamp: u64, handle: u64, context: u32, list_bytes: u64, mut objects: Vec<(u64, u64)>) {
        self.end(stamp, handle, true);
        objects.sort_unstable();
        objects.dedup_by_key(|object| object.0);
        *self.by_context.entry(context).or_default() += 1;
        self.created += 1;
        for (object, size_bytes) in &objects {
            let lists = self.pins.entry(*object).or_default();
            *lists += 1;
            if *lists == 1 {
                self.now.objects += 1;
                self.now.pinned_bytes = self.now.pinned_bytes.saturating_add(*size_bytes);
            }
        }
        self.now.lists += 1;
        self.now.list_bytes = self.now.list_bytes.saturating_add(list_bytes);
        if self.now.bytes() > self.peak.bytes() {
            (self.peak, self.peak_stamp) = (self.now, stamp);
        }
        let list = LiveList { context, created: stamp, list_bytes, objects, executions: 0, lists_at_execution: 0 };
        self.live.insert(handle, list);
    }

    /// Counts an execution of a list.
    pub fn execute(&mut self, handle: u64) {
        let Some(list) = self.live.get_mut(&handle) else { return };
        self.executions += 1;
        list.executions += 1;
        list.lists_at_execution = self.by_context.get(&list.context).copied().unwrap_or_default();
    }

    /// Ends a list, which the application releases, or with the trace.
    pub fn end(&mut self, stamp: u64, handle: u64, is_released: bool) {
        let Some(list) = self.live.remove(&handle) else { return };
        for (object, size_bytes) in &list.objects {
            let Some(lists) = self.pins.get_mut(object) else { continue };
            *lists -= 1;
            if *lists == 0 {
                self.pins.remove(object);
                self.now.objects -= 1;
                self.now.pinned_bytes = self.now.pinned_bytes.saturating_sub(*size_bytes);
            }
        }
        self.now.lists -= 1;
        self.now.list_bytes = self.now.list_bytes.saturating_sub(list.list_bytes);
        let pinned_bytes = list.objects.iter().fold(0_u64, |sum, object| sum.saturating_add(object.1));
        let lists_now = self.by_context.get(&list.context).copied().unwrap_or_default();
        let is_retained = list.executions == 1 && lists_now > list.lists_at_execution;
        let age = stamp.saturating_sub(list.created);
        self.ages = (self.ages.0 + u128::from(age), self.ages.1.max(age));
        self.never_executed += u64::from(list.executions == 0);
        self.executed_once += u64::from(list.executions == 1);
        self.live_at_end += u64::from(!is_released);
        if is_retained {
            let bytes = list.list_bytes.saturating_add(pinned_bytes);
            self.retained = (self.retained.0 + 1, self.retained.1.saturating_add(bytes));
        }
        self.oldest.push(EndedList {
            handle,
            context: list.context,
            created: list.created,
            ended: stamp,
            is_released,
            executions: list.executions,
            objects: list.objects.len() as u64,
            list_bytes: list.list_bytes,
            pinned_bytes,
            is_retained,
        });
        if self.oldest.len() > 4 * LISTED {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.oldest.sort_by_key(|list| (Reverse(list.ended - list.created), list.created, list.handle));
        self.oldest.truncate(LISTED);
    }

    /// Ends all lists at the end of the trace.
    pub fn finish(&mut self, stamp: u64) {
        let mut handles: Vec<u64> = self.live.keys().copied().collect();
        handles.sort_unstable();
        handles.into_iter().for_each(|handle| self.end(stamp, handle, false));
        self.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_list_is_retained_if_its_context_finishes_another_one_after_its_only_execution() {
        let mut lists = CommandLists::default();
        lists.create(10, 1, 0, 24, vec![(100, 8), (200, 16)]);
        lists.execute(1);
        lists.create(20, 2, 0, 24, vec![(200, 16)]);
        lists.execute(2);
        lists.end(30, 2, true);
        lists.end(40, 1, true);
        // The second one is released before the next one; a third one is executed twice.
        lists.create(50, 3, 0, 24, Vec::new());
        lists.execute(3);
        lists.execute(3);
        lists.create(60, 4, 1, 24, Vec::new());
        lists.finish(70);
        assert_eq!((lists.retained, lists.executed_once, lists.never_executed), ((1, 48), 2, 1));
        assert_eq!((lists.live_at_end, lists.created, lists.executions), (2, 4, 4));
        assert_eq!((lists.ages.0, lists.ages.1), (30 + 10 + 20 + 10, 30));
        assert_eq!((lists.peak.lists, lists.peak.objects), (2, 2));
        assert_eq!((lists.peak.list_bytes, lists.peak.pinned_bytes, lists.peak_stamp), (48, 24, 20));
        let oldest: Vec<u64> = lists.oldest.iter().map(|list| list.handle).collect();
        assert_eq!(oldest, [1, 3, 2, 4]);
    }

    proptest! {
        #[test]
        fn pinned_objects_are_the_distinct_objects_of_live_lists(
            steps in prop::collection::vec((0_u64..6, prop::collection::vec(0_u64..8, 0..5), any::<bool>()), 1..60),
        ) {
            let (mut lists, mut live) = (CommandLists::default(), BTreeMap::new());
            for (handle, objects, ends) in steps {
                if ends {
                    lists.end(0, handle, true);
                    live.remove(&handle);
                } else {
                    lists.create(0, handle, 0, 1, objects.iter().map(|object| (*object, 10 + object)).collect());
                    live.insert(handle, objects);
                }
                let pinned: std::collections::BTreeSet<u64> = live.values().flatten().copied().collect();
                prop_assert_eq!(lists.now.lists, live.len() as u64);
                prop_assert_eq!(lists.now.objects, pinned.len() as u64);
                prop_assert_eq!(lists.now.pinned_bytes, pinned.iter().map(|object| 10 + object).sum::<u64>());
            }
        }
    }
}
