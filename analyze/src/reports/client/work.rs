//! State over time of a program on the binary interface.

use super::event::{ClientEvent, Command, DEVICE, Kind, TextureCopy, TileCopy, Unmapped};
use crate::events::{At, Tracker};
use std::collections::{BTreeMap, HashMap};
use taut_schemas::format::Format;
use taut_schemas::{CommandListId, CopyBox, Dimension, ResourceDesc, ResourceId};

/// D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER, and D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES.
const TO_BUFFER: u32 = 4;
const TILE_BYTES: u64 = 64 << 10;

/// Methods that map tiles to memory, which the runtime does not execute.
const TILE_MAPPINGS: [&str; 2] = ["UpdateTileMappings", "CopyTileMappings"];

/// Commands of executed lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Commands {
    pub draws: u64,
    pub dispatches: u64,
    pub indirect: u64,
    /// Copies that have no memory to copy.
    pub copies_not_executed: u64,
    /// Clears of unknown views.
    pub clears_not_executed: u64,
    pub copied_bytes: u64,
    /// Copies of tiles, and the bytes that they write to buffers. No tile is mapped to memory: they are executed unless
    /// the program maps tiles.
    pub tile_copies: u64,
    pub tile_bytes: u64,
}

impl Commands {
    fn add(&mut self, other: Commands) {
        let Commands { draws, dispatches, indirect, copies_not_executed, clears_not_executed, copied_bytes, .. } =
            other;
        self.draws = self.draws.saturating_add(draws);
        self.dispatches = self.dispatches.saturating_add(dispatches);
        self.indirect = self.indirect.saturating_add(indirect);
        self.copies_not_executed = self.copies_not_executed.saturating_add(copies_not_executed);
        self.clears_not_executed = self.clears_not_executed.saturating_add(clears_not_executed);
        self.copied_bytes = self.copied_bytes.saturating_add(copied_bytes);
        self.tile_copies = self.tile_copies.saturating_add(other.tile_copies);
        self.tile_bytes = self.tile_bytes.saturating_add(other.tile_bytes);
    }

    /// Counts copies of tiles with the other copies.
    fn with_tiles(mut self, are_executed: bool) -> Commands {
        let (copies, bytes) = (std::mem::take(&mut self.tile_copies), std::mem::take(&mut self.tile_bytes));
        match are_executed {
            true => self.copied_bytes = self.copied_bytes.saturating_add(bytes),
            false => self.copies_not_executed = self.copies_not_executed.saturating_add(copies),
        }
        self
    }
}

/// Objects of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Objects {
    pub created: u64,
    /// Names of the live objects by their ids; empty without a name.
    pub alive: BTreeMap<u64, String>,
}

/// Memory of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Memory {
    /// Description; mip levels are resolved.
    pub desc: ResourceDesc,
    /// The program may read results of a GPU there.
    pub is_readback: bool,
    /// The resource has no memory.
    pub is_reserved: bool,
}

impl Memory {
    fn extents(&self, level: u16) -> (u64, u64, u64) {
        let halve = |extent: u64| extent.checked_shr(level.into()).unwrap_or(0).max(1);
        let depth = if self.desc.dimension == Dimension::TEXTURE3D { self.desc.depth_or_array_size } else { 1 };
        (halve(self.desc.width), halve(self.desc.height.into()), halve(depth.into()))
    }

    /// Bytes of all texels, or of the buffer.
    fn size_bytes(&self) -> u64 {
        if self.desc.dimension == Dimension::BUFFER {
            return self.desc.width;
        }
        let array = if self.desc.dimension == Dimension::TEXTURE3D { 1 } else { self.desc.depth_or_array_size };
        let levels = (0..self.desc.mip_levels.max(1)).map(|level| texel_bytes(self.desc.format, self.extents(level)));
        let slice = levels.fold(0_u64, u64::saturating_add);
        slice.saturating_mul(array.into()).saturating_mul(self.desc.sample_count.max(1).into())
    }
}

fn texel_bytes(format: Format, extents: (u64, u64, u64)) -> u64 {
    let (width, height, depth) = extents;
    format.info().map_or(0, |info| info.packed_bytes(width, height).saturating_mul(depth))
}

/// The program's work, and after the last event the result.
#[derive(Debug, Default)]
pub(super) struct WorkTracker {
    pub memory: HashMap<ResourceId, Memory>,
    /// The recording build executed copies.
    pub executes_copies: bool,
    pub objects: BTreeMap<Kind, Objects>,
    pub executed: Commands,
    pub submissions: u64,
    pub mapped_writes_bytes: u64,
    /// Maps and reads of memory in which the program may find results of a GPU.
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
        let copied = |resources: [ResourceId; 2], bytes| {
            let has_memory = self.executes_copies && resources.iter().all(|resource| !self.of(*resource).is_reserved);
            match has_memory {
                true => Commands { copied_bytes: bytes, ..Commands::default() },
                false => Commands { copies_not_executed: 1, ..Commands::default() },
            }
        };
        let commands = match command {
            Command::Draw => Commands { draws: 1, ..Commands::default() },
            Command::Dispatch => Commands { dispatches: 1, ..Commands::default() },
            Command::Indirect => Commands { indirect: 1, ..Commands::default() },
            Command::CopyBytes { dst, src, bytes } => copied([dst, src], bytes),
            Command::CopyTexture(copy) => copied([copy.dst, copy.src], self.texture_bytes(&copy)),
            Command::CopyResource { dst, src } => copied([dst, src], self.of(dst).size_bytes()),
            Command::CopyTiles(TileCopy { num_tiles, flags, .. }) => {
                let tile_bytes = if flags & TO_BUFFER == 0 { 0 } else { u64::from(num_tiles) * TILE_BYTES };
                Commands { tile_copies: 1, tile_bytes, ..Commands::default() }
            }
            Command::Clear(resource) => {
                let is_unknown = resource == ResourceId::NULL || self.of(resource).is_reserved;
                Commands { clears_not_executed: is_unknown.into(), ..Commands::default() }
            }
        };
        self.lists.entry(list).or_default().add(commands);
    }

    fn texture_bytes(&self, copy: &TextureCopy) -> u64 {
        let source = self.of(copy.src);
        let level = copy.src_subresource % u32::from(source.desc.mip_levels.max(1));
        let formats = [copy.src_format, copy.dst_format, source.desc.format];
        let format = formats.into_iter().find(|format| *format != Format::UNKNOWN).unwrap_or_default();
        let extents = match copy.src_box {
            Some(CopyBox { left, top, front, right, bottom, back }) => {
                let length = |begin: u32, end: u32| u64::from(end.saturating_sub(begin));
                (length(left, right), length(top, bottom), length(front, back))
            }
            None if copy.src_width > 0 => (copy.src_width.into(), copy.src_height.into(), copy.src_depth.into()),
            None => source.extents(level as u16),
        };
        texel_bytes(format, extents)
    }

    fn unmap(&mut self, Unmapped { resource, written_range }: Unmapped) {
        // Without a range the program may have written the whole resource.
        let whole = self.of(resource).size_bytes();
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

    fn finish(mut self) -> WorkTracker {
        let maps_tiles = self.unsupported.keys().any(|(_, _, method)| TILE_MAPPINGS.contains(&method.as_str()));
        self.executed = self.executed.with_tiles(self.executes_copies && !maps_tiles);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(events: impl IntoIterator<Item = ClientEvent>) -> WorkTracker {
        let buffer = ResourceDesc { dimension: Dimension::BUFFER, width: 64, ..ResourceDesc::default() };
        let memory = HashMap::from([
            (ResourceId(9), Memory { desc: buffer, is_readback: true, is_reserved: false }),
            (ResourceId(8), Memory { desc: buffer, is_readback: false, is_reserved: true }),
        ]);
        let mut tracker = WorkTracker { memory, executes_copies: true, ..WorkTracker::default() };
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
            ClientEvent::Command(list, Command::CopyResource { dst: ResourceId(9), src: ResourceId(9) }),
            ClientEvent::Command(list, Command::CopyResource { dst: ResourceId(9), src: ResourceId(8) }),
            ClientEvent::Command(list, Command::Clear(ResourceId::NULL)),
            ClientEvent::Command(list, Command::Clear(ResourceId(9))),
            ClientEvent::Bundle(nested),
            ClientEvent::Submitted(vec![list, list]),
            ClientEvent::Reset(list),
            ClientEvent::Command(list, Command::CopyTiles(TileCopy::default())),
            ClientEvent::Command(list, Command::Draw),
        ]);
        let executed = Commands {
            draws: 2,
            dispatches: 2,
            copies_not_executed: 2,
            clears_not_executed: 2,
            copied_bytes: 128,
            ..Commands::default()
        };
        assert_eq!((work.executed, work.submissions), (executed, 1), "the list's last commands are not submitted");
    }

    #[test]
    fn copies_of_tiles_are_executed_unless_the_program_maps_tiles() {
        let (list, to_buffer) = (CommandListId(1), TileCopy { num_tiles: 3, flags: TO_BUFFER, ..TileCopy::default() });
        let to_tiles = TileCopy { flags: 2, ..to_buffer };
        let copies = [to_buffer, to_tiles].map(|copy| ClientEvent::Command(list, Command::CopyTiles(copy)));
        let executed = |events: Vec<ClientEvent>| {
            let Commands { copied_bytes, copies_not_executed, .. } = track(events).executed;
            (copied_bytes, copies_not_executed)
        };
        let mut events = copies.to_vec();
        events.push(ClientEvent::Submitted(vec![list]));
        assert_eq!(executed(events.clone()), (3 * 65536, 0));
        let (interface, method) = ("ID3D12CommandQueue".to_owned(), "UpdateTileMappings".to_owned());
        events.push(ClientEvent::Unsupported(super::super::event::Unsupported {
            interface,
            method,
            slot: 8,
            count: 1,
        }));
        assert_eq!(executed(events), (0, 2));
    }

    #[test]
    fn a_copy_of_texels_has_the_bytes_of_its_box() {
        let desc = ResourceDesc { width: 64, height: 16, depth_or_array_size: 1, mip_levels: 2, ..Default::default() };
        let desc = ResourceDesc { dimension: Dimension::TEXTURE2D, format: Format::R8G8B8A8_UNORM, ..desc };
        let texture = Memory { desc, ..Memory::default() };
        let tracker = WorkTracker { memory: HashMap::from([(ResourceId(3), texture)]), ..WorkTracker::default() };
        let copy = TextureCopy { src: ResourceId(3), src_subresource: 1, ..TextureCopy::default() };
        assert_eq!(tracker.texture_bytes(&copy), 32 * 8 * 4);
        let src_box = Some(CopyBox { left: 1, top: 1, front: 0, right: 3, bottom: 5, back: 1 });
        assert_eq!(tracker.texture_bytes(&TextureCopy { src_box, ..copy }), 2 * 4 * 4);
        let buffer = TextureCopy { src: ResourceId(4), src_format: Format::R8_UNORM, src_width: 5, ..copy };
        assert_eq!(tracker.texture_bytes(&TextureCopy { src_height: 2, src_depth: 3, ..buffer }), 30);
        assert_eq!(texture.size_bytes(), (64 * 16 + 32 * 8) * 4);
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
