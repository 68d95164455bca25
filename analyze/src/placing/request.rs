//! What an allocator is asked for: the resources of a recording as they come and go.

use crate::world::{Backing, ChangeKind, Moment, Resource, ResourceIndex, World};
use taut_schemas::{AdapterId, Field, HeapType, ResourceDesc, ResourceFlags, ResourceSizes};

/// What an allocator is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// To place the resource.
    Create,
    /// To make its room free.
    Release,
}

/// A resource that an allocator places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// What the application asks for.
    pub requested_bytes: u64,
    /// What it takes when placed.
    pub size_bytes: u64,
    /// Alignment of its place.
    pub alignment_bytes: u64,
    /// The adapter whose memory it is.
    pub adapter: AdapterId,
    /// The type of its heap.
    pub heap_type: HeapType,
}

/// All that an allocator is asked, in order.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    /// The resources.
    pub resources: Vec<Request>,
    /// What happens to which of them, and when.
    pub events: Vec<(Moment, RequestKind, usize)>,
    /// Resources that are left out: no size of them is known, or another world refuses them.
    pub left_out: u64,
}

impl Requests {
    /// Those of a world. `sizes` says what resources take; `tight` gives all that may have it the tight flag, or takes it from
    /// all. Where nothing is another than when recorded, `is_recorded`, placed resources are as large as they were.
    pub fn of(world: &World, sizes: &dyn ResourceSizes, tight: Option<bool>, is_recorded: bool) -> Requests {
        let types = world.heap_types();
        let mut requests = Requests::default();
        let mut places: Vec<Option<usize>> = vec![None; world.resources.len()];
        let known = (is_recorded, world.is_snapshot());
        for change in &world.changes {
            match change.kind {
                ChangeKind::ResourceCreated(index) => {
                    let heap_type = types[index.0 as usize];
                    let request = request(world.resource(index), heap_type, sizes, tight, known);
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

fn request(
    resource: &Resource,
    heap_type: HeapType,
    sizes: &dyn ResourceSizes,
    tight: Option<bool>,
    (is_recorded, is_snapshot): (bool, bool),
) -> Option<Request> {
    let adapter = resource.id.adapter().unwrap_or(AdapterId::FIRST);
    let allocation = resource.allocation?;
    let (size_bytes, alignment_bytes) = match resource.backing {
        Backing::Reserved => return None,
        Backing::Placed { .. } if is_recorded && tight.is_none() => (allocation.size_bytes, allocation.alignment_bytes),
        // What nobody described is as large as the snapshot says, whoever is asked.
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

/// A description as it is to be, if that is accepted, and else as it may be.
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
