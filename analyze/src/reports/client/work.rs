//! State over time of a program on the binary interface.

use super::event::{ClientEvent, Command, DEVICE, Kind, Unmapped};
use crate::events::{At, Tracker};
use std::collections::{BTreeMap, HashMap};
use taut_schemas::{CommandListId, ResourceId};

/// Commands of executed lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Commands {
    pub draws: u64,
    pub dispatches: u64,
    pub indirect: u64,
    pub copies: u64,
    pub copied_bytes: u64,
}

impl Commands {
    fn add(&mut self, other: Commands) {
        let Commands { draws, dispatches, indirect, copies, copied_bytes } = other;
        self.draws = self.draws.saturating_add(draws);
        self.dispatches = self.dispatches.saturating_add(dispatches);
        self.indirect = self.indirect.saturating_add(indirect);
        self.copies = self.copies.saturating_add(copies);
        self.copied_bytes = self.copied_bytes.saturating_add(copied_bytes);
    }
}

/// Objects of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Objects {
    pub created: u64,
    /// Names of the live objects by their ids; empty without a name.
    pub alive: BTreeMap<u64, String>,
}

/// A resource's size in bytes, and true if it is in a readback heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Memory {
    pub size_bytes: u64,
    pub is_readback: bool,
}

/// The program's work, and after the last event the result.
#[derive(Debug, Default)]
pub(super) struct WorkTracker {
    pub memory: HashMap<ResourceId, Memory>,
    pub objects: BTreeMap<Kind, Objects>,
    pub executed: Commands,
    pub submissions: u64,
    pub mapped_writes_bytes: u64,
    /// Maps of memory in readback heaps.
    pub readbacks: u64,
    /// Counts by interface and HRESULT.
    pub queried: BTreeMap<(String, u32), u64>,
    /// Counts by interface, slot and method.
    pub unsupported: BTreeMap<(String, u32, String), u64>,
    pub after_release: BTreeMap<(String, String), u64>,
    /// Commands of each list so far.
    pub lists: HashMap<CommandListId, Commands>,
}

impl WorkTracker {
    fn of(&self, resource: ResourceId) -> Memory {
        self.memory.get(&resource).copied().unwrap_or_default()
    }

    fn record(&mut self, list: CommandListId, command: Command) {
        let copied = |bytes| Commands { copies: 1, copied_bytes: bytes, ..Commands::default() };
        let commands = match command {
            Command::Draw => Commands { draws: 1, ..Commands::default() },
            Command::Dispatch => Commands { dispatches: 1, ..Commands::default() },
            Command::Indirect => Commands { indirect: 1, ..Commands::default() },
            Command::Copy { bytes } => copied(bytes),
            Command::CopyOf(resource) => copied(self.of(resource).size_bytes),
        };
        self.lists.entry(list).or_default().add(commands);
    }

    fn unmap(&mut self, Unmapped { resource, written_range }: Unmapped) {
        // Without a range the program may have written the whole resource.
        let whole = self.of(resource).size_bytes;
        let bytes = written_range.map_or(whole, |range| range.end.saturating_sub(range.begin));
        self.mapped_writes_bytes = self.mapped_writes_bytes.saturating_add(bytes);
    }
}

/// Keeps the highest count.
fn raise<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, count: u64) {
    let known = counts.entry(key).or_default();
    *known = count.max(*known);
}

impl Tracker for WorkTracker {
    type Event<'e> = ClientEvent;
    type Output = WorkTracker;

    fn on_event(&mut self, _: At, event: ClientEvent) {
        match event {
            ClientEvent::Created(kind, id) => {
                let objects = self.objects.entry(kind).or_default();
                objects.created += 1;
                objects.alive.insert(id, String::new());
            }
            ClientEvent::Released(kind, id) => {
                if let Some(objects) = self.objects.get_mut(kind) {
                    objects.alive.remove(&id);
                }
            }
            ClientEvent::Named(named) => {
                let others = self.objects.iter_mut().filter(|(kind, _)| **kind != DEVICE);
                let found = others.filter_map(|(_, objects)| objects.alive.get_mut(&named.object.0)).next();
                found.into_iter().for_each(|name| name.clone_from(&named.name));
            }
            ClientEvent::Command(list, command) => self.record(list, command),
            ClientEvent::Reset(list) => drop(self.lists.remove(&list)),
            ClientEvent::Bundle(bundle) => {
                let commands = self.lists.get(&bundle.bundle).copied().unwrap_or_default();
                self.lists.entry(bundle.command_list).or_default().add(commands);
            }
            ClientEvent::Submitted(lists) => {
                self.submissions += 1;
                for list in lists {
                    self.executed.add(self.lists.get(&list).copied().unwrap_or_default());
                }
            }
            ClientEvent::Mapped(resource) => self.readbacks += u64::from(self.of(resource).is_readback),
            ClientEvent::Unmapped(unmapped) => self.unmap(unmapped),
            ClientEvent::Queried(query) => {
                raise(&mut self.queried, (query.interface, query.query_result.0), query.count)
            }
            ClientEvent::Unsupported(call) => {
                raise(&mut self.unsupported, (call.interface, call.slot, call.method), call.count);
            }
            ClientEvent::CalledAfterRelease(call) => {
                raise(&mut self.after_release, (call.interface, call.method), call.count);
            }
        }
    }

    fn finish(self) -> WorkTracker {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(events: impl IntoIterator<Item = ClientEvent>) -> WorkTracker {
        let memory = HashMap::from([(ResourceId(9), Memory { size_bytes: 64, is_readback: true })]);
        let mut tracker = WorkTracker { memory, ..WorkTracker::default() };
        events.into_iter().for_each(|event| tracker.on_event(At::default(), event));
        tracker.finish()
    }

    #[test]
    fn commands_count_once_per_execution_of_their_list() {
        let (list, bundle) = (CommandListId(1), CommandListId(2));
        let nested = super::super::event::Bundle { command_list: list, bundle };
        let work = track([
            ClientEvent::Command(bundle, Command::Draw),
            ClientEvent::Command(list, Command::Dispatch),
            ClientEvent::Command(list, Command::CopyOf(ResourceId(9))),
            ClientEvent::Bundle(nested),
            ClientEvent::Submitted(vec![list, list]),
            ClientEvent::Reset(list),
            ClientEvent::Command(list, Command::Copy { bytes: 3 }),
            ClientEvent::Command(list, Command::Draw),
        ]);
        let executed = Commands { draws: 2, dispatches: 2, copies: 2, copied_bytes: 128, ..Commands::default() };
        assert_eq!((work.executed, work.submissions), (executed, 1), "the list's last commands are not submitted");
    }

    #[test]
    fn a_map_without_a_range_writes_the_whole_resource() {
        let unmapped = |written_range| ClientEvent::Unmapped(Unmapped { resource: ResourceId(9), written_range });
        let range = taut_schemas::MemoryRange { begin: 8, end: 24 };
        let work = track([ClientEvent::Mapped(ResourceId(9)), unmapped(None), unmapped(Some(range))]);
        assert_eq!((work.mapped_writes_bytes, work.readbacks), (80, 1));
    }

    #[test]
    fn live_objects_have_their_last_names() {
        let named = |name: &str| {
            ClientEvent::Named(super::super::event::Named { object: taut_schemas::ObjectId(4), name: name.to_owned() })
        };
        let work = track([
            ClientEvent::Created("heap", 4),
            ClientEvent::Created("heap", 5),
            named("first"),
            named("last"),
            ClientEvent::Released("heap", 5),
        ]);
        let heaps = &work.objects["heap"];
        assert_eq!((heaps.created, &heaps.alive), (2, &BTreeMap::from([(4, "last".to_owned())])));
    }
}
