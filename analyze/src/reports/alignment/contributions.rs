//! Contributions of resources and heaps to a figure of the report, at the figure's moment and within its workload
//! phase.

use super::AlignmentFigures;
use super::element_parts;
use super::measure::Measure;
use super::sweep::Sweep;
use crate::memory::{Extent, FreeRanges, HeapIndex, Layout, PhaseIndex, Resource, ResourceIndex, Turn, World};
use crate::reports::figures::{FigureValue, HeapState, Parts, parts};

/// A contributor to a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Resource(ResourceIndex),
    Heap(HeapIndex),
}

/// Lifetime filter of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Resources and heaps that are live right after a change.
    After(Turn),
    /// All resources and heaps ever created.
    Whole,
    /// Resources created in a phase of the workload, or outside all phases.
    Phase(Option<PhaseIndex>),
    /// Empty: no resource or heap was ever created.
    Nothing,
}

/// Kind filter of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KindFilter {
    All,
    Buffers,
    Textures,
}

/// Contributions to the figure at a path in the report, such as `peak.buffers.rounding_bytes`; `None` if the figure is
/// not a sum over resources or heaps. The contributions to a waste ratio are the wasted bytes.
pub fn contributions(world: &World, place: &str) -> Option<Vec<(Part, i128)>> {
    let keys: Vec<&str> = place.split('.').collect();
    let (scope, sort, key) = match keys[..] {
        ["residency", name, key] => return element_parts::of_residency(world, name, key),
        ["causes", name, key] => return element_parts::of_cause(world, name, key),
        ["peaks", name, "value"] => {
            let measure = Measure::ALL.into_iter().find(|measure| measure.name() == name)?;
            let (sort, key) =
                name.strip_prefix("buffer_").map_or((KindFilter::All, name), |key| (KindFilter::Buffers, key));
            (after(Sweep::over(world).peak(measure).turn), sort, key)
        }
        ["phases", name, key] => (Scope::Phase(phase(world, name)?), KindFilter::All, key),
        ["phases", name, sort, key] => (Scope::Phase(phase(world, name)?), self::sort(sort)?, key),
        [moment, key] => (self::moment(world, moment)?, KindFilter::All, key),
        [moment, sort, key] => (self::moment(world, moment)?, self::sort(sort)?, key),
        _ => return None,
    };
    let figure = parts(AlignmentFigures::LINES, key)?;
    let resources = of_resources(world, scope, sort, figure);
    let heaps = if sort == KindFilter::All { of_heaps(world, scope, figure) } else { None };
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
        "peak" => Measure::InUseBytes,
        "peak_real" => Measure::RealBytes,
        "peak_placed" => Measure::PlacedBytes,
        "peak_count" => Measure::Placed,
        "end" => return Some(after(world.changes.len().checked_sub(1).map(|last| Turn(last as u32)))),
        "totals" => return Some(Scope::Whole),
        _ => return None,
    };
    Some(after(Sweep::over(world).peak(measure).turn))
}

fn sort(name: &str) -> Option<KindFilter> {
    match name {
        "buffers" => Some(KindFilter::Buffers),
        "textures" => Some(KindFilter::Textures),
        _ => None,
    }
}

/// Finds a phase by its name, or by its index among the phases that create resources.
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

/// Contributions of resources; `None` if the figure does not depend on resources.
fn of_resources(world: &World, scope: Scope, sort: KindFilter, figure: Parts) -> Option<Vec<(Part, i128)>> {
    let Some(amount) = figure.resource else {
        return (figure.has_padding && sort == KindFilter::All).then(|| paddings(world, scope));
    };
    let all = (0..).map(ResourceIndex).zip(&world.resources).filter(|(_, resource)| {
        let of_sort = sort == KindFilter::All || (sort == KindFilter::Buffers) == resource.is_buffer();
        of_sort && scope.has(resource) && !resource.is_reserved() && resource.allocation.is_some()
    });
    let mut parts: Vec<_> = all.map(|(index, resource)| (Part::Resource(index), amount(resource))).collect();
    if figure.has_padding {
        parts.extend(paddings(world, scope));
    }
    Some(parts)
}

/// Padding before each placed resource at a moment. A whole trace or phase has none, because padding changes over time.
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

/// Contributions of heaps; `None` if the figure does not depend on heaps.
fn of_heaps(world: &World, scope: Scope, figure: Parts) -> Option<Vec<(Part, i128)>> {
    let amount = figure.heap?;
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
        let free = FreeRanges::new(heap.size_bytes, &extents);
        let state = HeapState { size_bytes: heap.size_bytes, layout: Layout::new(heap.size_bytes, extents), free };
        (Part::Heap(index), amount(&state))
    });
    Some(parts.collect())
}
