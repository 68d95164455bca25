//! What makes up a figure of the report: which resources and heaps, at the figure's moment and in its part of the
//! workload, and how much of it is theirs.

use super::element_parts;
use super::measure::Measure;
use super::sweep::Sweep;
use crate::world::{Extent, FreeRanges, HeapIndex, Layout, PhaseIndex, Resource, ResourceIndex, Turn, World};

/// A part of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A resource.
    Resource(ResourceIndex),
    /// A heap.
    Heap(HeapIndex),
}

/// Which resources and heaps a figure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Those that live right after a change.
    After(Turn),
    /// All that are ever created.
    Whole,
    /// Resources created in a part of the workload, or outside any.
    Phase(Option<PhaseIndex>),
    /// None: nothing ever lives.
    Nothing,
}

/// Which resources of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    All,
    Buffers,
    Textures,
}

/// What makes up the figure at a place of the report's figures, such as `peak.buffers.rounding_bytes`; none of a figure
/// that is no sum over resources or heaps. The ratio of waste is made up by the bytes wasted.
pub fn contributions(world: &World, place: &str) -> Option<Vec<(Part, i128)>> {
    let keys: Vec<&str> = place.split('.').collect();
    let (scope, sort, key) = match keys[..] {
        ["residency", name, key] => return element_parts::of_residency(world, name, key),
        ["causes", name, key] => return element_parts::of_cause(world, name, key),
        ["peaks", name, "value"] => {
            let measure = Measure::ALL.into_iter().find(|measure| measure.name() == name)?;
            let (sort, key) = name.strip_prefix("buffer_").map_or((Sort::All, name), |key| (Sort::Buffers, key));
            (after(Sweep::over(world).peak(measure).turn), sort, key)
        }
        ["phases", name, key] => (Scope::Phase(phase(world, name)?), Sort::All, key),
        ["phases", name, sort, key] => (Scope::Phase(phase(world, name)?), self::sort(sort)?, key),
        [moment, key] => (self::moment(world, moment)?, Sort::All, key),
        [moment, sort, key] => (self::moment(world, moment)?, self::sort(sort)?, key),
        _ => return None,
    };
    let resources = of_resources(world, scope, sort, key);
    let heaps = if sort == Sort::All { of_heaps(world, scope, key) } else { None };
    if resources.is_none() && heaps.is_none() {
        return None;
    }
    let mut parts = resources.unwrap_or_default();
    parts.extend(heaps.unwrap_or_default());
    parts.retain(|(_, amount)| *amount != 0);
    Some(parts)
}

fn after(turn: Option<Turn>) -> Scope {
    turn.map_or(Scope::Nothing, Scope::After)
}

fn moment(world: &World, name: &str) -> Option<Scope> {
    let measure = match name {
        "peak" => Measure::TakenBytes,
        "peak_real" => Measure::RealBytes,
        "peak_placed" => Measure::PlacedBytes,
        "peak_count" => Measure::Placed,
        "end" => return Some(after(world.changes.len().checked_sub(1).map(|last| Turn(last as u32)))),
        "totals" => return Some(Scope::Whole),
        _ => return None,
    };
    Some(after(Sweep::over(world).peak(measure).turn))
}

fn sort(name: &str) -> Option<Sort> {
    match name {
        "buffers" => Some(Sort::Buffers),
        "textures" => Some(Sort::Textures),
        _ => None,
    }
}

/// A part of the workload by its name, or by its place among those in which something is created.
fn phase(world: &World, name: &str) -> Option<Option<PhaseIndex>> {
    let Ok(place) = name.parse::<usize>() else {
        let place = world.phases.iter().position(|phase| phase.name == name)?;
        return Some(Some(PhaseIndex(place as u32)));
    };
    let mut all = (0..world.phases.len() as u32).map(|phase| Some(PhaseIndex(phase))).chain([None]);
    let counts = |resource: &&Resource| !resource.is_reserved() && resource.allocation.is_some();
    let creates = |phase: &Option<PhaseIndex>| world.resources.iter().filter(counts).any(|one| one.phase == *phase);
    all.by_ref().filter(creates).nth(place)
}

impl Scope {
    fn has(self, resource: &Resource) -> bool {
        match self {
            Scope::After(turn) => resource.lives_after(turn),
            Scope::Whole => true,
            Scope::Phase(phase) => resource.phase == phase,
            Scope::Nothing => false,
        }
    }
}

/// What each resource makes up; none if the figure is not about resources.
fn of_resources(world: &World, scope: Scope, sort: Sort, key: &str) -> Option<Vec<(Part, i128)>> {
    if key == "padding_bytes" {
        return (sort == Sort::All).then(|| paddings(world, scope));
    }
    let amount = amount_of(key)?;
    let all = (0..).map(ResourceIndex).zip(&world.resources).filter(|(_, resource)| {
        let of_sort = sort == Sort::All || (sort == Sort::Buffers) == resource.is_buffer();
        of_sort && scope.has(resource) && !resource.is_reserved() && resource.allocation.is_some()
    });
    let mut parts: Vec<_> = all.map(|(index, resource)| (Part::Resource(index), amount(resource))).collect();
    if key == "waste_ratio" {
        parts.extend(paddings(world, scope));
    }
    Some(parts)
}

/// What a resource adds to a figure.
fn amount_of(key: &str) -> Option<fn(&Resource) -> i128> {
    let amount: fn(&Resource) -> i128 = match key {
        "resources" => |_| 1,
        "placed" => |resource| resource.extent().is_some().into(),
        "committed" => |resource| resource.extent().is_none().into(),
        "placed_bytes" => |resource| resource.extent().map_or(0, |_| allocated(resource)),
        "committed_bytes" | "total_bytes" => {
            |resource| if resource.extent().is_none() { allocated(resource) } else { 0 }
        }
        "real_bytes" => |resource| if resource.extent().is_none() { resource.taken_bytes().into() } else { 0 },
        "taken_bytes" => |resource| resource.taken_bytes().into(),
        "allocated_bytes" => allocated,
        "requested_bytes" => |resource| resource.requested_bytes.into(),
        "rounding_bytes" => Resource::rounding_bytes,
        "granularity_bytes" => Resource::granularity_bytes,
        "padded_64k_bytes" => |resource| resource.padded_64k_bytes().into(),
        "guaranteed_saving_bytes" => |resource| resource.guaranteed_saving_bytes().into(),
        "waste_ratio" => |resource| resource.rounding_bytes() + resource.granularity_bytes(),
        _ => return None,
    };
    Some(amount)
}

fn allocated(resource: &Resource) -> i128 {
    resource.allocation.map_or(0, |allocation| allocation.size_bytes.into())
}

/// The padding before each placed resource at a moment. Over a whole trace or phase there is none: it changes with time.
fn paddings(world: &World, scope: Scope) -> Vec<(Part, i128)> {
    let Scope::After(turn) = scope else { return Vec::new() };
    let mut parts = Vec::new();
    for heap in world.heaps.iter().filter(|heap| heap.lives_after(turn)) {
        let live = heap.placed.iter().filter(|index| world.resource(**index).lives_after(turn));
        let mut extents: Vec<(Extent, ResourceIndex)> =
            live.filter_map(|index| Some((world.resource(*index).extent()?, *index))).collect();
        extents.sort_unstable();
        let mut end_bytes = 0;
        for (extent, index) in extents {
            parts.push((Part::Resource(index), extent.padding_before(end_bytes).into()));
            end_bytes = end_bytes.max(extent.end_bytes());
        }
    }
    parts
}

/// What each heap makes up; none if the figure is not about heaps.
fn of_heaps(world: &World, scope: Scope, key: &str) -> Option<Vec<(Part, i128)>> {
    type Amount = fn(u64, Layout, FreeRanges) -> i128;
    let amount: Amount = match key {
        "heaps" => |_, _, _| 1,
        "heap_bytes" | "real_bytes" | "total_bytes" => |size_bytes, _, _| size_bytes.into(),
        "empty_heaps" => |_, layout, _| (layout.covered_bytes == 0).into(),
        "empty_heap_bytes" => |size_bytes, layout, _| if layout.covered_bytes == 0 { size_bytes.into() } else { 0 },
        "covered_bytes" => |_, layout, _| layout.covered_bytes.into(),
        "overlap_bytes" => |_, layout, _| layout.overlap_bytes.into(),
        "hole_bytes" => |_, layout, _| layout.hole_bytes.into(),
        "tail_bytes" => |_, layout, _| layout.tail_bytes.into(),
        "best_order_saving_bytes" => |_, layout, _| layout.best_order_saving_bytes.into(),
        "fragments" => |_, _, free| free.fragments.into(),
        "free_bytes" => |_, _, free| free.bytes().into(),
        "largest_free_range_bytes" => |_, _, free| free.largest_bytes.into(),
        _ => return None,
    };
    let turn = match scope {
        Scope::After(turn) => Some(turn),
        Scope::Whole => None,
        Scope::Phase(_) | Scope::Nothing => return Some(Vec::new()),
    };
    let lives =
        (0..).map(HeapIndex).zip(&world.heaps).filter(|(_, heap)| turn.is_none_or(|turn| heap.lives_after(turn)));
    let parts = lives.map(|(index, heap)| {
        let mut extents: Vec<Extent> = match turn {
            Some(turn) => world.placed_after(heap, turn).filter_map(Resource::extent).collect(),
            None => Vec::new(),
        };
        extents.sort_unstable();
        let free = FreeRanges::of(heap.size_bytes, &extents);
        (Part::Heap(index), amount(heap.size_bytes, Layout::of(heap.size_bytes, extents), free))
    });
    Some(parts.collect())
}
