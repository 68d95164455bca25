//! Effect of each change that a cause suggests, computed for the changed program.

use crate::advice::programs::{DRIVERS, answer, buffers, header, kind_of, textures, world};
use proptest::prelude::*;
use std::collections::BTreeMap;
use taut_analyze::memory::{Backing, Resource};
use taut_analyze::reports::alignment::{AlignmentFigures, CauseFigures};
use taut_replay::RecordedSizes;
use taut_runtime::{Profile, RuleSet, Settings};
use taut_schemas::{ResourceDesc, ResourceFlags};

/// Resource of a program: its description, and true if it is committed.
pub type RequestedResource = (ResourceDesc, bool);

/// Returns true if a resource has waste of this cause, judged by the definition of the cause.
pub fn wastes_by(cause: &str, resource: &Resource) -> bool {
    let cross = resource.desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER);
    let tight = resource.desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
    let (requested, taken) = (resource.requested_bytes, resource.allocation.expect("a size").size_bytes);
    let is_small = requested < 64 << 10 && !tight && resource.desc.alignment_bytes != 4096;
    let samples = resource.desc.sample_count > 1;
    let rounds = match (resource.is_buffer(), cause) {
        (_, "committed_granularity") => return resource.granularity_bytes() != 0,
        (true, "cross_adapter_buffers") => cross,
        (true, "buffers_below_256_b") => !cross && requested < 256,
        (true, "buffers_below_4_kib") => !cross && (256..4096).contains(&requested),
        (true, "buffers_below_64_kib") => !cross && (4096..65536).contains(&requested),
        (true, "larger_buffers") => !cross && requested >= 65536,
        (false, "msaa_textures") => samples,
        (false, "small_textures") => !samples && is_small,
        (false, "textures_below_their_tiles") => !samples && !is_small && requested * 2 <= taken,
        (false, "texture_layout") => !samples && !is_small && requested * 2 > taken,
        _ => false,
    };
    rounds && taken != requested
}

fn changed(change: &str, (desc, committed): RequestedResource) -> RequestedResource {
    let flags = desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT;
    let tight = ResourceDesc { flags, alignment_bytes: 0, ..desc };
    match change {
        "tight" => (tight, committed),
        "placed" => (desc, false),
        "placed_tight" => (tight, false),
        "alignment_4_kib" => (ResourceDesc { alignment_bytes: 4096, ..desc }, committed),
        "alignment_64_kib" => (ResourceDesc { alignment_bytes: 65536, ..desc }, committed),
        other => panic!("{other}"),
    }
}

/// Driver and rules that answer queries.
pub struct Driver {
    pub profile: Profile,
    pub settings: Settings,
}

impl Driver {
    fn takes(&self, (desc, committed): RequestedResource) -> Option<u64> {
        Some(answer(&self.profile, &self.settings, &desc, kind_of(committed))?.size_bytes)
    }

    /// Returns the program with a change of these resources, where it is accepted and saves memory.
    pub fn with_change(&self, program: &[RequestedResource], change: &str, by: &[bool]) -> Vec<RequestedResource> {
        let changed_program = program.iter().zip(by).map(|(requested, by)| {
            let to_be = if *by { changed(change, *requested) } else { *requested };
            let saves = self.takes(to_be).is_some_and(|bytes| Some(bytes) < self.takes(*requested));
            if saves { to_be } else { *requested }
        });
        changed_program.collect()
    }

    /// Returns the program with these buffers merged, per kind and flags, where that saves memory.
    pub fn joined(&self, program: &[RequestedResource], by: &[bool]) -> Vec<RequestedResource> {
        let mut kinds: BTreeMap<(bool, u32), Vec<usize>> = BTreeMap::new();
        for (index, (desc, committed)) in program.iter().enumerate().filter(|(index, _)| by[*index]) {
            kinds.entry((*committed, desc.flags.0)).or_default().push(index);
        }
        let mut changed_program: Vec<Option<RequestedResource>> = program.iter().copied().map(Some).collect();
        for parts in kinds.into_values() {
            let width = parts.iter().map(|part| program[*part].0.width.next_multiple_of(256)).sum();
            let (desc, committed) = program[parts[0]];
            let one = (ResourceDesc { width, ..desc }, committed);
            let before: u64 = parts.iter().filter_map(|part| self.takes(program[*part])).sum();
            if self.takes(one).is_some_and(|bytes| bytes < before) {
                parts.iter().for_each(|part| changed_program[*part] = None);
                changed_program.push(Some(one));
            }
        }
        changed_program.into_iter().flatten().collect()
    }

    /// Returns the total allocated bytes of a program.
    pub fn in_use_bytes(&self, program: &[RequestedResource]) -> u64 {
        AlignmentFigures::of(&world(&self.profile, &self.settings, program)).peak.all.in_use_bytes
    }
}

fn assert_savings(driver: &Driver, causes: &[CauseFigures], program: &[RequestedResource], resources: &[Resource]) {
    let before = driver.in_use_bytes(program);
    let mut so_far = program.to_vec();
    let mut joined_before = false;
    for cause in causes {
        let by: Vec<bool> = resources.iter().map(|resource| wastes_by(cause.name, resource)).collect();
        let is_of_heaps = ["order_in_heaps", "other_padding", "holes", "tails", "empty_heaps"].contains(&cause.name);
        if !is_of_heaps {
            assert_eq!(cause.count, by.iter().filter(|by| **by).count() as u64, "{cause:#?}");
        }
        for (place, change) in cause.changes.iter().enumerate().filter(|_| !is_of_heaps) {
            let changed_program = match change.change {
                "one_buffer" => driver.joined(program, &by),
                other => driver.with_change(program, other, &by),
            };
            assert_eq!(before - driver.in_use_bytes(&changed_program), change.saving_bytes, "{cause:#?}");
            if place > 0 || joined_before {
                continue;
            }
            if change.change == "one_buffer" {
                joined_before = true;
                continue;
            }
            let then = driver.with_change(&so_far, change.change, &by);
            let saved = driver.in_use_bytes(&so_far) - driver.in_use_bytes(&then);
            assert_eq!(saved, cause.cumulative_saving_bytes, "{cause:#?}");
            so_far = then;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_causes_sum_up_to_the_waste_and_each_saves_what_the_changed_program_takes_less(
        name in prop::sample::select(DRIVERS.to_vec()),
        rules in prop::sample::select(RuleSet::ALL.to_vec()),
        requested in prop::collection::vec((prop_oneof![buffers(), textures()], any::<bool>()), 1..16),
    ) {
        let (header, profile, settings) = header(name, rules);
        let world = world(&profile, &settings, &requested);
        let sizes = RecordedSizes::of(&header).expect("a world that this build knows");
        let figures = AlignmentFigures::with_sizes(&world, Some(&sizes));
        let at = &figures.peak;
        let wasted = at.all.waste_bytes(at.layout.padding_bytes) + (at.layout.hole_bytes + at.layout.tail_bytes) as i64;
        prop_assert_eq!(figures.causes.iter().map(|cause| cause.waste_bytes).sum::<i64>(), wasted);
        let is_committed = |resource: &Resource| matches!(resource.backing, Backing::Committed { .. });
        let program: Vec<RequestedResource> = world.resources.iter().map(|one| (one.desc, is_committed(one))).collect();
        assert_savings(&Driver { profile, settings }, &figures.causes, &program, &world.resources);
    }
}
