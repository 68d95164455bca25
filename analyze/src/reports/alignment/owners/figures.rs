//! Memory by group as the report presents it.

use super::name_tree::patterns;
use crate::memory::{Backing, NameIndex, Resource, ResourceIndex, Turn, World};
use crate::reports::alignment::figures::{narrow, narrow_signed};
use crate::reports::figures::figures;
use foldhash::HashMap;
use std::cmp::Reverse;
use std::hash::Hash;

/// Maximum number of groups listed per dimension; the remaining ones are combined.
const MAX_GROUPS: usize = 24;

figures! {
    /// Memory of resources with a common property.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Owner {
        in_use_bytes: u64, Bytes, same;
        resources: u64, Count, same;
        requested_bytes: u64, Bytes, same, unless snapshot;
        name: Option<String>, Text, same;
        groups: u64, Count, "Number of groups combined in this row: beyond 24, the smallest are combined.", after by_node;
        waste_bytes: i64, Bytes, same, unless snapshot;
    }
}

figures! {
    /// Memory grouped in six dimensions, each in descending order of size. The groups of a dimension add up to all memory
    /// in use.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Owners {
        by_name: Vec<Owner>, List, "By prefix of the names: `tex/env/*`. A prefix ends at a separator or before digits, and has at least 2 % of the memory; null: resources without a name.";
        by_phase: Vec<Owner>, List, "By workload phase of the creation; null: outside all phases.";
        by_heap: Vec<Owner>, List, "By heap, with name and handle; committed resources have implicit heaps.";
        by_heap_type: Vec<Owner>, List, "By D3D12_HEAP_TYPE without its prefix; NONE if the heap's creation is not recorded.";
        by_format: Vec<Owner>, List, "By DXGI_FORMAT without its prefix; buffers have none.";
        by_node: Vec<Owner>, List, "By path from a scene's root to the first node that uses the resource, grouped like names: `street/house 2/*`; null: unused by nodes, or no scene.";
    }
}

/// Sums over some resources.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    resources: u64,
    requested_bytes: u128,
    in_use_bytes: u128,
    waste_bytes: i128,
}

impl Sums {
    fn of(resource: &Resource) -> Sums {
        Sums {
            resources: 1,
            requested_bytes: resource.requested_bytes.into(),
            in_use_bytes: resource.in_use_bytes().into(),
            waste_bytes: resource.rounding_bytes() + resource.granularity_bytes(),
        }
    }

    fn add(&mut self, other: Sums) {
        self.resources += other.resources;
        self.requested_bytes += other.requested_bytes;
        self.in_use_bytes += other.in_use_bytes;
        self.waste_bytes += other.waste_bytes;
    }

    fn owner(self, name: Option<String>, groups: u64) -> Owner {
        Owner {
            name,
            groups,
            resources: self.resources,
            requested_bytes: narrow(self.requested_bytes),
            in_use_bytes: narrow(self.in_use_bytes),
            waste_bytes: narrow_signed(self.waste_bytes),
        }
    }
}

impl Owners {
    /// Groups the resources that are live right after `turn`.
    pub fn after(world: &World, turn: Option<Turn>) -> Owners {
        let Some(turn) = turn else { return Owners::default() };
        let has_memory = |resource: &Resource| !resource.is_reserved() && resource.allocation.is_some();
        let all = (0..).map(ResourceIndex).zip(&world.resources);
        let live: Vec<(ResourceIndex, &Resource)> =
            all.filter(|(_, resource)| resource.lives_after(turn) && has_memory(resource)).collect();
        let types = world.heap_types();
        let heap_names: HashMap<u64, &str> =
            world.heaps.iter().map(|heap| (heap.id.0, world.names.get(heap.name))).collect();
        let phase = |resource: &Resource| resource.phase;
        let heap = |resource: &Resource| match resource.backing {
            Backing::Placed { heap, .. } => Some(heap),
            Backing::Committed { .. } | Backing::Reserved | Backing::Unknown => None,
        };
        let heap_name = |heap: Option<taut_schemas::HeapId>| match heap {
            None => "committed (implicit heap)".to_owned(),
            Some(heap) => match heap_names.get(&heap.0).copied().unwrap_or_default() {
                "" => format!("heap {}", heap.0),
                name => format!("{name} ({})", heap.0),
            },
        };
        Owners {
            by_name: by_text(world, &live, |resource| resource.name),
            by_node: by_text(world, &live, |resource| resource.scene_path),
            by_phase: by(
                &live,
                |_, resource| phase(resource),
                |phase| Some(world.phases[phase?.0 as usize].name.clone()),
            ),
            by_heap: by(&live, |_, resource| heap(resource), |owner| Some(heap_name(owner))),
            by_heap_type: by(
                &live,
                |index, _| types[index.0 as usize].0,
                |owner| Some(format!("{:?}", taut_schemas::HeapType(owner))),
            ),
            by_format: by(
                &live,
                |_, resource| (resource.is_buffer(), resource.desc.format.0),
                |(is_buffer, format)| {
                    Some(if is_buffer {
                        "buffers".to_owned()
                    } else {
                        format!("{:?}", taut_schemas::format::Format(format))
                    })
                },
            ),
        }
    }

    /// The six dimensions with their names.
    pub fn all(&self) -> [(&'static str, &[Owner]); 6] {
        [
            ("name", &self.by_name),
            ("phase", &self.by_phase),
            ("heap", &self.by_heap),
            ("heap type", &self.by_heap_type),
            ("format", &self.by_format),
            ("node", &self.by_node),
        ]
    }
}

fn by<K: Eq + Hash + Ord + Copy>(
    live: &[(ResourceIndex, &Resource)],
    key: impl Fn(ResourceIndex, &Resource) -> K,
    name: impl Fn(K) -> Option<String>,
) -> Vec<Owner> {
    let mut sums: HashMap<K, Sums> = HashMap::default();
    for (index, resource) in live {
        sums.entry(key(*index, resource)).or_default().add(Sums::of(resource));
    }
    let mut sums: Vec<(K, Sums)> = sums.into_iter().collect();
    sums.sort_by_key(|(key, sums)| (Reverse(sums.in_use_bytes), *key));
    // The last entry combines the remaining groups.
    let listed = if sums.len() > MAX_GROUPS { MAX_GROUPS - 1 } else { sums.len() };
    let rest = sums.split_off(listed);
    let mut owners: Vec<Owner> = sums.into_iter().map(|(key, sums)| sums.owner(name(key), 1)).collect();
    if !rest.is_empty() {
        let mut others = Sums::default();
        rest.iter().for_each(|(_, sums)| others.add(*sums));
        owners.push(others.owner(Some("all others".to_owned()), rest.len() as u64));
    }
    owners
}

/// Groups by prefix of a text. Empty texts form a group without a name.
fn by_text(world: &World, live: &[(ResourceIndex, &Resource)], text: impl Fn(&Resource) -> NameIndex) -> Vec<Owner> {
    let mut sums: HashMap<NameIndex, Sums> = HashMap::default();
    for (_, resource) in live {
        sums.entry(text(resource)).or_default().add(Sums::of(resource));
    }
    // Resources without the text form a separate group.
    let without = sums.remove(&NameIndex::default());
    let mut named: Vec<(&str, Sums)> = sums.into_iter().map(|(name, sums)| (world.names.get(name), sums)).collect();
    // `patterns` expects sorted names.
    named.sort_unstable_by_key(|(name, _)| *name);
    let weights: Vec<(&str, u128)> = named.iter().map(|(name, sums)| (*name, sums.in_use_bytes)).collect();
    let patterns = patterns(&weights).into_iter().map(|pattern| {
        let mut all = Sums::default();
        pattern.members.iter().for_each(|member| all.add(named[*member].1));
        all.owner(Some(pattern.pattern), pattern.members.len() as u64)
    });
    let mut owners: Vec<Owner> = patterns.chain(without.map(|sums| sums.owner(None, 1))).collect();
    owners.sort_by(|a, b| (b.in_use_bytes, &a.name).cmp(&(a.in_use_bytes, &b.name)));
    owners
}
