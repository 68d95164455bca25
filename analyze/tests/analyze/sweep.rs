//! Compares the sweep with a model that recomputes the state at every moment.

use proptest::prelude::*;
use taut_analyze::memory::{Allocation, Backing, Moment, NewResource, Turn, World, WorldBuilder, round_up};
use taut_analyze::reports::alignment::{
    AlignmentFigures, Measure, Owner, Part, ResidencyFigures, Snapshot, Sweep, contributions,
};
use taut_schemas::format::Format;
use taut_schemas::{Dimension, HeapDesc, HeapId, HeapType, MipRegion, ResourceDesc, ResourceId};

/// A change of the world; the numbers select among the existing objects.
#[derive(Debug, Clone)]
enum Step {
    Heap { size_bytes: u64 },
    Buffer { width: u64, log2_alignment: u32, place: Option<(usize, u64)> },
    Texture { width: u64, height: u32, log2_alignment: u32, place: Option<(usize, u64)> },
    ReleaseHeap(usize),
    ReleaseResource(usize),
}

fn place() -> impl Strategy<Value = Option<(usize, u64)>> {
    prop::option::weighted(0.8, (any::<usize>(), 0_u64..40))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1_u64..100_000).prop_map(|size_bytes| Step::Heap { size_bytes }),
        (1_u64..70_000, 0_u32..13, place()).prop_map(|(width, log2_alignment, place)| Step::Buffer {
            width,
            log2_alignment,
            place
        }),
        (1_u64..200, 1_u32..200, 0_u32..13, place()).prop_map(|(width, height, log2_alignment, place)| Step::Texture {
            width,
            height,
            log2_alignment,
            place
        }),
        any::<usize>().prop_map(Step::ReleaseHeap),
        any::<usize>().prop_map(Step::ReleaseResource),
        any::<usize>().prop_map(Step::ReleaseResource),
    ]
}

fn buffer(width: u64) -> ResourceDesc {
    ResourceDesc { dimension: Dimension::BUFFER, width, height: 1, ..Default::default() }
}

fn texture(width: u64, height: u32) -> ResourceDesc {
    let (dimension, format) = (Dimension::TEXTURE2D, Format::R8G8B8A8_UNORM);
    ResourceDesc { dimension, width, height, depth_or_array_size: 1, mip_levels: 0, format, ..Default::default() }
}

#[derive(Default)]
struct Playing {
    builder: WorldBuilder,
    moment: Moment,
    next_object: u64,
    heaps: Vec<HeapId>,
    resources: Vec<ResourceId>,
}

impl Playing {
    fn play(mut self, steps: &[Step]) -> World {
        for step in steps {
            self.moment.stamp += 10;
            self.moment.seq = Some(self.moment.stamp / 10);
            self.step(step);
        }
        self.builder.finish(Moment::default(), self.moment)
    }

    fn step(&mut self, step: &Step) {
        let object = self.next_object + 1;
        match step {
            Step::Heap { size_bytes } => {
                let desc = HeapDesc { size_bytes: *size_bytes, ..Default::default() };
                self.builder.create_heap(self.moment, HeapId(object), desc);
                self.heaps.push(HeapId(object));
                self.next_object = object;
            }
            Step::Buffer { width, log2_alignment, place } => self.create(buffer(*width), *log2_alignment, *place),
            Step::Texture { width, height, log2_alignment, place } => {
                self.create(texture(*width, *height), *log2_alignment, *place);
            }
            Step::ReleaseHeap(choice) if !self.heaps.is_empty() => {
                let heap = self.heaps.swap_remove(choice % self.heaps.len());
                self.builder.release_heap(self.moment, heap);
            }
            Step::ReleaseResource(choice) if !self.resources.is_empty() => {
                let resource = self.resources.swap_remove(choice % self.resources.len());
                self.builder.release_resource(self.moment, resource);
            }
            Step::ReleaseHeap(_) | Step::ReleaseResource(_) => {}
        }
    }

    fn create(&mut self, desc: ResourceDesc, log2_alignment: u32, place: Option<(usize, u64)>) {
        let alignment_bytes = 1 << log2_alignment;
        let requested_bytes = taut_analyze::memory::requested_bytes(&desc, MipRegion::default()).unwrap();
        let size_bytes = round_up(requested_bytes, alignment_bytes);
        let backing = match place.filter(|_| !self.heaps.is_empty()) {
            Some((choice, slot)) => {
                let heap = self.heaps[choice % self.heaps.len()];
                Backing::Placed { heap, heap_offset_bytes: slot * alignment_bytes }
            }
            None => {
                Backing::Committed { implicit_heap_bytes: round_up(size_bytes, 4096), heap_type: HeapType::DEFAULT }
            }
        };
        self.next_object += 1;
        let id = ResourceId(self.next_object);
        let allocation = Some(Allocation { size_bytes, alignment_bytes });
        let mip_region = MipRegion::default();
        self.builder.create_resource(self.moment, NewResource { id, desc, mip_region, backing, allocation });
        self.resources.push(id);
    }
}

/// Integers under a JSON value, by path.
fn leaves(place: &str, value: &serde_json::Value) -> Vec<(String, i128)> {
    match value {
        serde_json::Value::Object(map) => {
            map.iter().flat_map(|(key, value)| leaves(&format!("{place}.{key}"), value)).collect()
        }
        value => value.as_i64().map(|number| (place.to_owned(), number.into())).into_iter().collect(),
    }
}

fn worlds() -> impl Strategy<Value = World> {
    prop::collection::vec(step(), 0..60).prop_map(|steps| Playing::default().play(&steps))
}

proptest! {
    #[test]
    fn running_sums_find_the_first_maximum_of_every_measure(world in worlds()) {
        let sweep = Sweep::over(&world);
        for measure in Measure::ALL {
            let (mut max_value, mut first) = (0, None);
            for turn in (0..world.changes.len() as u32).map(Turn) {
                let value = measure.of(&world.live_after(Some(turn)));
                if value > max_value {
                    (max_value, first) = (value, Some(turn));
                }
            }
            let peak = sweep.peak(measure);
            prop_assert_eq!((peak.value, peak.turn), (max_value, first), "{}", measure.name());
        }
    }

    /// The expected value sums the machine memory of each live object: a heap's size, a committed resource's implicit
    /// heap.
    #[test]
    fn peak_real_memory_is_the_max_of_explicit_and_implicit_heaps(world in worlds()) {
        let real_bytes = |turn: Turn| {
            let heaps = world.heaps.iter().filter(|heap| heap.lives_after(turn)).map(|heap| heap.size_bytes);
            let committed = world.resources.iter().filter(|resource| resource.lives_after(turn));
            let implicit = committed.filter_map(|resource| match resource.backing {
                Backing::Committed { implicit_heap_bytes, .. } => Some(implicit_heap_bytes),
                Backing::Placed { .. } | Backing::Reserved | Backing::Unknown => None,
            });
            heaps.chain(implicit).sum::<u64>()
        };
        let max_value = (0..world.changes.len() as u32).map(|turn| real_bytes(Turn(turn))).max().unwrap_or_default();
        let figures = AlignmentFigures::of(&world);
        prop_assert_eq!(figures.peak_real.real_bytes, max_value);
        prop_assert_eq!(figures.peaks.real_bytes.value, max_value);
        prop_assert_eq!(figures.peaks.in_use_bytes.value, figures.peak.all.in_use_bytes);
        prop_assert!(figures.peaks.total_bytes.value <= max_value);
    }

    /// Objects that are not live at the figure's moment, or that belong to another phase, would change the sum.
    #[test]
    fn contributions_add_up_to_their_figure(world in worlds()) {
        let figures = serde_json::to_value(AlignmentFigures::of(&world)).unwrap();
        let moments = ["peak", "peak_real", "peak_placed", "peak_count", "end", "totals"];
        let mut checked = 0;
        for moment in moments {
            for (place, value) in leaves(moment, &figures[moment]) {
                let Some(parts) = contributions(&world, &place) else { continue };
                if place.ends_with("waste_ratio") || place.ends_with("largest_free_range_bytes") {
                    continue;
                }
                prop_assert_eq!(parts.iter().map(|(_, amount)| *amount).sum::<i128>(), value, "{}", place);
                checked += 1;
            }
        }
        prop_assert!(checked > 100, "{} figures", checked);
        for (name, peak) in figures["peaks"].as_object().unwrap() {
            let parts = contributions(&world, &format!("peaks.{name}.value")).unwrap();
            prop_assert_eq!(parts.iter().map(|(_, amount)| *amount).sum::<i128>(), i128::from(peak["value"].as_u64().unwrap()), "{}", name);
        }
        let waste = |moment: &str| ["rounding_bytes", "padding_bytes", "granularity_bytes"].map(|key| figures[moment][key].as_i64().unwrap());
        let lists = [("residency", ["peak_bytes", "end_bytes"]), ("causes", ["waste_bytes", "waste_bytes"])];
        for (list, keys) in lists {
            for (one, key) in figures[list].as_array().unwrap().iter().flat_map(|one| keys.map(|key| (one, key))) {
                let place = format!("{list}.{}.{key}", one["name"].as_str().unwrap());
                let parts = contributions(&world, &place).unwrap();
                let sum: i128 = parts.iter().map(|(_, amount)| *amount).sum();
                prop_assert_eq!(sum, i128::from(one[key].as_i64().unwrap()), "{}", place);
            }
        }
        let parts = contributions(&world, "peak.waste_ratio").unwrap();
        prop_assert_eq!(parts.iter().map(|(_, amount)| *amount).sum::<i128>(), i128::from(waste("peak").iter().sum::<i64>()));
    }

    #[test]
    fn the_causes_of_waste_sum_up_to_it_to_the_byte(world in worlds()) {
        let figures = AlignmentFigures::of(&world);
        let Snapshot { all, layout, empty_heap_bytes, .. } = figures.peak;
        let free_bytes = layout.padding_bytes + layout.hole_bytes + layout.tail_bytes;
        let wasted_bytes = all.rounding_bytes + all.granularity_bytes + free_bytes as i64;
        prop_assert_eq!(figures.causes.iter().map(|cause| cause.waste_bytes).sum::<i64>(), wasted_bytes);
        let of = |names: &[&str]| {
            let named = figures.causes.iter().filter(|cause| names.contains(&cause.name));
            named.map(|cause| cause.waste_bytes).sum::<i64>()
        };
        prop_assert_eq!(of(&["committed_granularity"]), all.granularity_bytes);
        prop_assert_eq!(of(&["order_in_heaps", "other_padding"]), layout.padding_bytes as i64);
        prop_assert_eq!(of(&["holes"]), layout.hole_bytes as i64);
        prop_assert_eq!(of(&["tails", "empty_heaps"]), layout.tail_bytes as i64);
        prop_assert_eq!(of(&["empty_heaps"]), empty_heap_bytes as i64);
        prop_assert!(figures.causes.iter().all(|cause| cause.count > 0 && !cause.example.is_empty()));
    }

    #[test]
    fn fitted_heaps_save_the_reported_bytes(world in worlds()) {
        let turn = Sweep::over(&world).peak(Measure::InUseBytes).turn;
        let before = Snapshot::after(&world, turn);
        let mut fitted = world.clone();
        for heap in &mut fitted.heaps {
            let ends = heap.placed.iter().map(|index| world.resource(*index).extent().unwrap().end_bytes());
            heap.size_bytes = ends.max().map_or(0, |end_bytes| round_up(end_bytes, 65536)).min(heap.size_bytes);
        }
        // Empty heaps at the peak are a separate cause.
        let lives = |number: usize| turn.is_some_and(|turn| world.heaps[number].lives_after(turn));
        let is_empty = |number: usize| turn.is_some_and(|turn| world.placed_after(&world.heaps[number], turn).next().is_none());
        let of_empty = |world: &World| -> u64 {
            let empty = (0..world.heaps.len()).filter(|number| lives(*number) && is_empty(*number));
            empty.map(|number| world.heaps[number].size_bytes).sum()
        };
        let heap_bytes = |world: &World| Snapshot::after(world, turn).heap_bytes - of_empty(world);
        let figures = AlignmentFigures::of(&world);
        let saving = |change: &str| {
            let changes = figures.causes.iter().flat_map(|cause| &cause.changes);
            changes.filter(|one| one.change == change).map(|one| one.saving_bytes).sum::<u64>()
        };
        prop_assert_eq!(saving("fitted_heaps"), heap_bytes(&world) - heap_bytes(&fitted));
        prop_assert_eq!(saving("no_empty_heaps"), of_empty(&world));
        prop_assert_eq!(saving("falling_alignment"), before.layout.best_order_saving_bytes);
    }

    #[test]
    fn groups_of_each_dimension_add_up_to_the_memory_in_use(world in worlds()) {
        let figures = AlignmentFigures::of(&world);
        let all = figures.peak.all;
        for (way, owners) in figures.memory_by_group.all() {
            let sum = |of: fn(&Owner) -> i64| owners.iter().map(of).sum::<i64>();
            prop_assert_eq!(sum(|owner| owner.resources as i64), all.resources as i64, "{}", way);
            prop_assert_eq!(sum(|owner| owner.in_use_bytes as i64), all.in_use_bytes as i64, "{}", way);
            prop_assert_eq!(sum(|owner| owner.requested_bytes as i64), all.requested_bytes as i64, "{}", way);
            prop_assert_eq!(sum(|owner| owner.waste_bytes), all.rounding_bytes + all.granularity_bytes, "{}", way);
            prop_assert!(owners.len() <= 24, "{}", way);
        }
    }

    #[test]
    fn memory_that_is_shared_is_enough_for_those_that_live_at_once(world in worlds()) {
        let transient = |turn: Turn| {
            let live = world.resources.iter().filter(|one| one.released.is_some() && one.lives_after(turn));
            live.map(|resource| resource.in_use_bytes()).sum::<u64>()
        };
        let types = world.heap_types();
        let one_type = types.iter().zip(&world.resources).filter(|(_, one)| one.released.is_some());
        let kinds: std::collections::BTreeSet<_> = one_type.map(|(heap_type, _)| *heap_type).collect();
        let figures = AlignmentFigures::of(&world);
        for one in &figures.aliasing {
            prop_assert!(one.live_bytes <= one.slot_bytes && one.slot_bytes <= one.in_use_bytes);
            prop_assert!(one.slots <= one.resources && one.pairs.len() as u64 <= one.resources - one.slots);
        }
        if kinds.len() == 1 {
            let max_value = (0..world.changes.len() as u32).map(|turn| transient(Turn(turn))).max().unwrap_or_default();
            prop_assert_eq!(figures.aliasing[0].live_bytes, max_value);
        }
        for pair in figures.aliasing.iter().flat_map(|one| &one.pairs) {
            let of = |handle| world.resources.iter().find(|one| one.id.0 == handle).unwrap();
            let (first, then) = (of(pair.resource), of(pair.then_resource));
            prop_assert!(first.released.unwrap() < then.created, "{:?}", pair);
            prop_assert_eq!(pair.shared_bytes, first.in_use_bytes().min(then.in_use_bytes()));
        }
    }

    #[test]
    fn the_peak_of_each_heap_type_is_found(world in worlds()) {
        let types = world.heap_types();
        let held = |heap_type: HeapType, turn: Turn| {
            let heaps = world.heaps.iter().filter(|heap| heap.lives_after(turn) && heap.desc.properties.heap_type == heap_type);
            let resources = world.resources.iter().zip(types).filter(|(one, own)| one.lives_after(turn) && **own == heap_type);
            let implicit = resources.filter(|(one, _)| one.extent().is_none()).map(|(one, _)| one.in_use_bytes());
            heaps.map(|heap| heap.size_bytes).chain(implicit).sum::<u64>()
        };
        for one in &AlignmentFigures::of(&world).residency {
            let heap_type = if one.name == "DEFAULT" { HeapType::DEFAULT } else { HeapType::NONE };
            let turns = || (0..world.changes.len() as u32).map(Turn);
            prop_assert_eq!(one.peak_bytes, turns().map(|turn| held(heap_type, turn)).max().unwrap());
            prop_assert_eq!(one.end_bytes, held(heap_type, turns().next_back().unwrap()));
        }
    }

    #[test]
    fn the_part_of_the_time_above_a_budget_is_that_of_the_moments_above_it(world in worlds(), part in 0_u64..=100) {
        let mut all = AlignmentFigures::of(&world).residency;
        let span = (world.end.stamp - world.start.stamp) as f64;
        let Some(one) = all.iter().position(|one| one.name == "DEFAULT") else { return Ok(()) };
        let budget_bytes = all[one].peak_bytes / 100 * part;
        let held = |turn: Turn| {
            let heaps = world.heaps.iter().filter(|heap| heap.lives_after(turn) && heap.desc.properties.heap_type == HeapType::DEFAULT);
            let own = world.resources.iter().zip(world.heap_types());
            let own = own.filter(|(one, of)| one.lives_after(turn) && one.extent().is_none() && **of == HeapType::DEFAULT);
            heaps.map(|heap| heap.size_bytes).chain(own.map(|(one, _)| one.in_use_bytes())).sum::<u64>()
        };
        let stamps: Vec<u64> = world.changes.iter().map(|change| change.moment.stamp).chain([world.end.stamp]).collect();
        let above = (0..world.changes.len()).filter(|turn| held(Turn(*turn as u32)) > budget_bytes);
        let ticks: u64 = above.map(|turn| stamps[turn + 1] - stamps[turn]).sum();
        ResidencyFigures::measure(&mut all, &world, &[(HeapType::DEFAULT, budget_bytes)].into());
        prop_assert_eq!(all[one].budget_bytes, Some(budget_bytes));
        prop_assert_eq!(all[one].over_budget_ratio, (span > 0.0).then(|| ticks as f64 / span));
    }

    #[test]
    fn each_heap_peaks_at_the_first_of_its_fullest_moments(world in worlds()) {
        for peak in world.walk_heaps().into_iter().filter_map(|walk| walk.peak) {
            prop_assert_eq!(peak.layout, world.layout_after(peak.heap, peak.turn));
            let heap = world.heap(peak.heap);
            let placed_bytes = |turn| {
                let live = heap.placed.iter().map(|index| world.resource(*index)).filter(|r| r.lives_after(turn));
                live.map(|resource| u128::from(resource.allocation.unwrap().size_bytes)).sum::<u128>()
            };
            let turns = (0..world.changes.len() as u32).map(Turn);
            let max_value = turns.clone().map(placed_bytes).max().unwrap();
            prop_assert_eq!(peak.placed_bytes, max_value);
            prop_assert_eq!(Some(peak.turn), turns.clone().find(|turn| placed_bytes(*turn) == max_value));
        }
    }

    #[test]
    fn a_snapshot_s_heap_memory_splits_into_covered_padding_holes_and_tails(world in worlds()) {
        let figures = AlignmentFigures::of(&world);
        for Snapshot { heap_bytes, real_bytes, total_bytes, layout, all, buffers, textures, waste_ratio, .. } in
            [figures.peak, figures.peak_real, figures.peak_placed, figures.peak_count, figures.end]
        {
            let used = layout.covered_bytes + layout.padding_bytes + layout.hole_bytes + layout.tail_bytes;
            // Generated offsets may exceed the heap's size, which a runtime would reject.
            prop_assert!(used >= heap_bytes);
            prop_assert_eq!(all.resources, buffers.resources + textures.resources);
            prop_assert_eq!(all.in_use_bytes as i64, all.allocated_bytes as i64 + all.granularity_bytes);
            prop_assert_eq!(real_bytes as i64, total_bytes as i64 + all.granularity_bytes);
            prop_assert_eq!(real_bytes - heap_bytes, all.in_use_bytes - all.placed_bytes);
            prop_assert_eq!(all.allocated_bytes, buffers.allocated_bytes + textures.allocated_bytes);
            prop_assert_eq!(all.allocated_bytes as i64 - all.requested_bytes as i64, all.rounding_bytes);
            prop_assert!((0.0..=1.0).contains(&waste_ratio));
        }
        let created = figures.totals.all;
        prop_assert_eq!(created.resources, world.resources.len() as u64);
    }
}

#[test]
fn dead_objects_and_other_phases_do_not_contribute_to_a_figure() {
    let mut builder = WorldBuilder::default();
    let create = |builder: &mut WorldBuilder, stamp, id, width: u64| {
        let moment = Moment { stamp, ..Default::default() };
        let allocation = Some(Allocation { size_bytes: round_up(width, 65536), alignment_bytes: 65536 });
        let backing = Backing::Committed { implicit_heap_bytes: round_up(width, 65536), heap_type: HeapType::DEFAULT };
        let (id, mip_region) = (ResourceId(id), MipRegion::default());
        builder.create_resource(moment, NewResource { id, desc: buffer(width), mip_region, backing, allocation });
        moment
    };
    // The resource with the most waste is released before the peak.
    builder.begin_phase(Moment::default(), "menu");
    let moment = create(&mut builder, 1, 1, 1);
    builder.end_phase(moment);
    builder.release_resource(Moment { stamp: 2, ..Default::default() }, ResourceId(1));
    builder.begin_phase(Moment::default(), "level");
    create(&mut builder, 3, 2, 60_000);
    let moment = create(&mut builder, 4, 3, 60_001);
    builder.end_phase(moment);
    let world = builder.finish(Moment::default(), Moment { stamp: 5, ..Default::default() });
    let handles = |place: &str| {
        let parts = contributions(&world, place).unwrap().into_iter();
        let handle = |part| match part {
            Part::Resource(index) => world.resource(index).id.0,
            Part::Heap(index) => world.heap(index).id.0,
        };
        parts.map(|(part, _)| handle(part)).collect::<Vec<_>>()
    };
    assert_eq!(handles("peak.waste_ratio"), [2, 3]);
    assert_eq!(handles("peak.buffers.rounding_bytes"), [2, 3]);
    assert_eq!(handles("phases.menu.rounding_bytes"), [1]);
    assert_eq!(handles("phases.1.rounding_bytes"), [2, 3]);
    assert_eq!(handles("totals.resources"), [1, 2, 3]);
    assert_eq!(handles("end.textures.allocated_bytes"), Vec::<u64>::new());
    assert_eq!(contributions(&world, "time_weighted.heaps"), None);
}
