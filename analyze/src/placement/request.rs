//! Requests to an allocator: creations and releases of a recording's resources.

use crate::memory::{Backing, ChangeKind, Moment, Resource, ResourceIndex, World};
use taut_schemas::{AdapterId, Field, HeapType, ResourceDesc, ResourceFlags, ResourceSizes};

/// Kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// Place a resource.
    Create,
    /// Free a resource's range.
    Release,
}

/// A resource to be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Payload that the application requests, in bytes.
    pub requested_bytes: u64,
    /// Size when placed, in bytes.
    pub size_bytes: u64,
    /// Alignment when placed, in bytes.
    pub alignment_bytes: u64,
    /// The adapter of the memory.
    pub adapter: AdapterId,
    /// Type of the heap.
    pub heap_type: HeapType,
}

/// All requests, in order.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    pub resources: Vec<Request>,
    /// Moment and kind of each request, with the resource's index.
    pub events: Vec<(Moment, RequestKind, usize)>,
    /// Resources left out: their size is unknown, or they are refused under the changed rules.
    pub left_out: u64,
}

impl Requests {
    /// Collects the requests of a world. `sizes` is the source of sizes and alignments; `tight` sets the tight flag on
    /// all resources that allow it, or clears it on all. With `is_recorded`, rules and driver are those of the
    /// recording, and placed resources have their recorded sizes.
    pub fn new(world: &World, sizes: &dyn ResourceSizes, tight: Option<bool>, is_recorded: bool) -> Requests {
        let types = world.heap_types();
        let mut requests = Requests::default();
        let mut places: Vec<Option<usize>> = vec![None; world.resources.len()];
        let source = SizeSource { sizes, tight, is_recorded, is_snapshot: world.is_snapshot() };
        for change in &world.changes {
            match change.kind {
                ChangeKind::ResourceCreated(index) => {
                    let heap_type = types[index.0 as usize];
                    let request = request(world.resource(index), heap_type, &source);
                    places[index.0 as usize] = request.map(|request| requests.create(change.moment, request));
                    let has_memory = !world.resource(index).is_reserved();
                    requests.left_out += u64::from(request.is_none() && has_memory);
                }
                ChangeKind::ResourceReleased(ResourceIndex(index)) => {
                    if let Some(place) = places[index as usize] {
                        requests.events.push((change.moment, RequestKind::Release, place));
                    }
                }
                ChangeKind::HeapCreated(_) | ChangeKind::HeapReleased(_) => {}
            }
        }
        requests
    }

    fn create(&mut self, moment: Moment, request: Request) -> usize {
        self.resources.push(request);
        self.events.push((moment, RequestKind::Create, self.resources.len() - 1));
        self.resources.len() - 1
    }
}

/// Source of sizes and alignments.
struct SizeSource<'a> {
    sizes: &'a dyn ResourceSizes,
    tight: Option<bool>,
    is_recorded: bool,
    is_snapshot: bool,
}

fn request(resource: &Resource, heap_type: HeapType, source: &SizeSource<'_>) -> Option<Request> {
    let SizeSource { sizes, tight, is_recorded, is_snapshot } = *source;
    let adapter = resource.id.adapter().unwrap_or(AdapterId::FIRST);
    let allocation = resource.allocation?;
    let (size_bytes, alignment_bytes) = match resource.backing {
        Backing::Reserved | Backing::Unknown => return None,
        Backing::Placed { .. } if is_recorded && tight.is_none() => (allocation.size_bytes, allocation.alignment_bytes),
        // Snapshot resources have no full description, so their recorded sizes are used.
        _ if is_snapshot => (allocation.size_bytes, allocation.alignment_bytes),
        Backing::Placed { .. } | Backing::Committed { .. } => {
            let mut descs = changed(&resource.desc, tight).into_iter();
            let answer = descs.find_map(|desc| sizes.placed(adapter, &desc))?;
            (answer.size_bytes, answer.alignment_bytes)
        }
    };
    let requested_bytes = resource.requested_bytes;
    Some(Request {
        requested_bytes,
        size_bytes: size_bytes.max(1),
        alignment_bytes: alignment_bytes.max(1),
        adapter,
        heap_type,
    })
}

/// The changed description, followed by the fallback if it is refused.
fn changed(desc: &ResourceDesc, tight: Option<bool>) -> Vec<ResourceDesc> {
    let flag = ResourceFlags::USE_TIGHT_ALIGNMENT;
    let crosses = desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER);
    match (tight, desc.flags.contains(flag)) {
        (Some(true), false) if !crosses => {
            let tight = ResourceDesc { flags: desc.flags | flag, ..*desc };
            vec![ResourceDesc { alignment_bytes: 0, ..tight }, *desc]
        }
        (Some(false), true) => {
            let classic = ResourceDesc { flags: desc.flags.without(flag), ..*desc };
            vec![classic, ResourceDesc { alignment_bytes: 0, ..classic }]
        }
        _ => vec![*desc],
    }
}
