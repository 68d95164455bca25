//! Memory as a tree: heap types, within these workload phases, within these name prefixes.

use super::name_tree::patterns;
use crate::memory::{NameIndex, PhaseIndex, Resource, ResourceIndex, Turn, World};
use crate::reports::alignment::figures::{narrow, narrow_signed};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use taut_schemas::HeapType;

/// A node is subdivided if it has at least 1/400 of all memory.
const MIN_SHARE_DIVISOR: u64 = 400;
/// Maximum number of children per node; the smallest ones are combined.
const MAX_CHILDREN: usize = 24;
/// Maximum depth of the name levels.
const NAME_LEVELS: u32 = 3;

/// A node of the memory tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(in crate::reports::alignment) struct OwnerNode {
    /// Common property of the resources.
    pub name: String,
    pub resources: u64,
    pub in_use_bytes: u64,
    /// Rounding and granularity.
    pub waste_bytes: i64,
    /// Children in descending order of size; empty for a leaf.
    pub parts: Vec<OwnerNode>,
}

type Members<'w> = Vec<(ResourceIndex, &'w Resource)>;

impl OwnerNode {
    /// Builds the tree of the resources that are live right after `turn`.
    pub fn after(world: &World, turn: Option<Turn>) -> OwnerNode {
        let lives = |resource: &Resource| turn.is_some_and(|turn| resource.lives_after(turn));
        let all = (0..).map(ResourceIndex).zip(&world.resources);
        let live: Members<'_> = all
            .filter(|(_, resource)| lives(resource) && !resource.is_reserved() && resource.allocation.is_some())
            .collect();
        let mut root = sums("all".to_owned(), &live);
        let types = world.heap_types();
        let mut by_type: BTreeMap<HeapType, Members<'_>> = BTreeMap::new();
        live.into_iter().for_each(|one| by_type.entry(types[one.0.0 as usize]).or_default().push(one));
        let min_bytes = (root.in_use_bytes / MIN_SHARE_DIVISOR).max(1);
        let parts = by_type.into_iter().map(|(heap_type, members)| {
            let mut node = sums(format!("{heap_type:?}"), &members);
            node.parts = by_phase(world, members, min_bytes);
            node
        });
        root.parts = in_order(parts.collect());
        root
    }
}

fn by_phase(world: &World, members: Members<'_>, min_bytes: u64) -> Vec<OwnerNode> {
    let mut phases: BTreeMap<Option<PhaseIndex>, Members<'_>> = BTreeMap::new();
    members.into_iter().for_each(|one| phases.entry(one.1.phase).or_default().push(one));
    if phases.len() == 1 {
        // A single phase is skipped as a level.
        return phases.into_values().flat_map(|members| by_name(world, members, min_bytes, NAME_LEVELS)).collect();
    }
    let parts = phases.into_iter().map(|(phase, members)| {
        let name = phase.map_or("outside phases", |phase| world.phases[phase.0 as usize].name.as_str());
        let mut node = sums(name.to_owned(), &members);
        if node.in_use_bytes >= min_bytes {
            node.parts = by_name(world, members, min_bytes, NAME_LEVELS);
        }
        node
    });
    in_order(parts.collect())
}

fn by_name(world: &World, members: Members<'_>, min_bytes: u64, levels: u32) -> Vec<OwnerNode> {
    let mut names: BTreeMap<&str, Members<'_>> = BTreeMap::new();
    members.into_iter().for_each(|one| names.entry(world.names.get(one.1.name)).or_default().push(one));
    let without = names.remove(world.names.get(NameIndex::default()));
    let weights: Vec<(&str, u128)> = names
        .iter()
        .map(|(name, members)| (*name, members.iter().map(|(_, one)| u128::from(one.in_use_bytes())).sum()))
        .collect();
    let mut members: Vec<Option<Members<'_>>> = names.into_values().map(Some).collect();
    let found = patterns(&weights);
    let is_divided = found.len() > 1;
    let parts = found.into_iter().map(|pattern| {
        let of_pattern: Members<'_> =
            pattern.members.iter().filter_map(|member| members[*member].take()).flatten().collect();
        let mut node = sums(pattern.pattern, &of_pattern);
        let is_one = pattern.members.len() == 1;
        if is_divided && !is_one && levels > 1 && node.in_use_bytes >= min_bytes {
            node.parts = by_name(world, of_pattern, min_bytes, levels - 1);
        }
        node
    });
    let mut parts: Vec<OwnerNode> = parts.collect();
    parts.extend(without.map(|members| sums("unnamed".to_owned(), &members)));
    // A level with a single child repeats its parent and is dropped.
    if parts.len() < 2 && levels < NAME_LEVELS { Vec::new() } else { in_order(parts) }
}

fn in_order(mut parts: Vec<OwnerNode>) -> Vec<OwnerNode> {
    parts.sort_by(|a, b| (Reverse(a.in_use_bytes), &a.name).cmp(&(Reverse(b.in_use_bytes), &b.name)));
    if parts.len() <= MAX_CHILDREN {
        return parts;
    }
    let mut rest = OwnerNode { name: format!("{} others", parts.len() + 1 - MAX_CHILDREN), ..OwnerNode::default() };
    for other in parts.drain(MAX_CHILDREN - 1..) {
        rest.resources += other.resources;
        rest.in_use_bytes = rest.in_use_bytes.saturating_add(other.in_use_bytes);
        rest.waste_bytes = rest.waste_bytes.saturating_add(other.waste_bytes);
    }
    parts.push(rest);
    parts
}

fn sums(name: String, members: &Members<'_>) -> OwnerNode {
    let taken: u128 = members.iter().map(|(_, one)| u128::from(one.in_use_bytes())).sum();
    let waste: i128 = members.iter().map(|(_, one)| one.rounding_bytes() + one.granularity_bytes()).sum();
    OwnerNode {
        name,
        resources: members.len() as u64,
        in_use_bytes: narrow(taken),
        waste_bytes: narrow_signed(waste),
        parts: Vec::new(),
    }
}
