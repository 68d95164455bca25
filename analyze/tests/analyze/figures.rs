//! Golden files of the reports' JSON: every key with its type, and the values of selected figures of each section.

use crate::golden::trace;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use taut_analyze::{Analysis, Findings, applicable_reports};

/// Selected figures by report; at least one of each section.
const FIGURES: &[(&str, &[&str])] = &[
    (
        "alignment",
        &[
            "verdict.sentence",
            "verdict.figures.2.name",
            "verdict.figures.2.text",
            "totals.resources",
            "totals.allocated_bytes",
            "totals.waste_ratio",
            "totals.buffers.rounding_bytes",
            "totals.textures.rounding_bytes",
            "peak.at_stamp",
            "peak.at_seq",
            "peak.in_use_bytes",
            "peak.allocated_bytes",
            "peak.padding_bytes",
            "peak.granularity_bytes",
            "peak.guaranteed_saving_bytes",
            "peak.waste_ratio",
            "peak_classes.0.resources",
            "peak_classes.0.tight",
            "peak_real.real_bytes",
            "peak_placed.placed_bytes",
            "peak_placed.overlap_bytes",
            "peak_placed.best_order_saving_bytes",
            "peak_count.placed",
            "end.resources",
            "end.empty_heap_bytes",
            "end.tail_bytes",
            "end.free_ranges.below_1_mib.ranges",
            "time_weighted.span_ticks",
            "time_weighted.allocated_bytes",
            "time_weighted.waste_ratio",
            "peaks.placed_bytes.value",
            "peaks.placed_bytes.at_stamp",
            "heaps_at_own_peak.hole_bytes",
            "heaps.0.largest_free_range_bytes",
            "size_classes.below_4_kib.resources",
            "buffer_size_classes.below_256_b.rounding_bytes",
            "texture_size_classes.below_64_kib.requested_bytes",
            "phases.0.name",
            "phases.1.granularity_bytes",
            "causes.0.name",
            "causes.0.waste_bytes",
            "causes.0.example",
            "memory_by_group.by_heap_type.0.name",
            "memory_by_group.by_format.0.in_use_bytes",
            "residency.0.peak_bytes",
            "aliasing.0.slot_bytes",
            "worst.0.advice",
            "worst.0.group_waste_bytes",
            "floor_violations.0.name",
            "gaps.resources_without_size",
        ],
    ),
    (
        "pgo",
        &[
            "verdict.sentence",
            "fit_to_measure",
            "expected_pass",
            "unfit.cause",
            "measured.frames_same_work",
            "fit_settings.frames_needed",
            "fit_settings.tolerance_ratio",
            "recorded_task_starts",
            "whole",
            "mode_calls",
            "driver_answers",
            "opportunities",
            "presents",
            "tasks_queued",
            "preexisting_tasks",
            "tasks_started",
            "tasks_finished",
            "tasks_cancelled",
            "tasks_failed",
            "tasks_left",
            "priorities_refused",
            "variants",
            "discarded",
            "draws",
            "variant_draws",
            "variant_draw_ratio",
            "executed",
            "generic_executed",
            "saving_ratio",
            "guard_misses",
            "run_time.p50_ns",
            "queue_wait.p95_ns",
            "concurrency.busy_ratio",
            "concurrency.max_idle_tasks",
            "overlap.mean_ratio",
            "interference.0.concurrent_work",
            "interference.0.frame_time.p50_ns",
            "frame_time.p95_ns",
            "by_pass.1.mode",
            "by_pass.1.tasks_finished",
            "pipelines.0.name",
            "pipelines.0.length_after",
            "audits.0.name",
            "audits.0.checked",
            "audits_failed",
            "advice_not_followed",
            "by_variant.0.outcome",
            "waste.discarded_results",
            "ns_per_instruction",
            "by_processor",
            "counted_draws",
            "counter_ratio",
            "tuning_tasks",
            "tuned_executed",
            "untuned_executed",
            "tuned_saving_ratio",
            "frame_cost.p95_instructions",
            "refused_by_estimate",
            "time",
        ],
    ),
    (
        "tiling",
        &[
            "verdict.sentence",
            "linear_maps",
            "surfaces.0.layout",
            "surfaces.0.order",
            "surfaces.0.pitch_bytes",
            "surfaces.0.width_bytes",
            "surfaces.0.rows",
            "surfaces.0.bytes",
            "surfaces.0.stores",
            "surfaces.0.store_bytes",
            "surfaces.0.buffers",
            "surfaces.0.full_lines",
            "surfaces.0.partial_evictions",
            "surfaces.0.transactions",
            "surfaces.0.ideal_transactions",
            "surfaces.0.transactions_ratio",
            "surfaces.0.unwritten_bytes",
            "surfaces.0.outside_stores",
            "surfaces.0.wrong_swizzle",
            "surfaces.0.read_bytes",
        ],
    ),
    (
        "handles",
        &[
            "verdict.sentence",
            "whole",
            "cache_line_bytes",
            "devices",
            "peak_bytes",
            "peak_allocated_bytes",
            "peak_handles",
            "peak.duplicated_bytes",
            "peak.by_type.0.deferred_bytes",
            "contexts.1.opened",
            "contexts.1.recreated",
            "contexts.1.by_type.0.object_bytes",
            "cost.extra_bytes",
            "cost.estimate.1.handles",
            "allocators.1.predicted_peak_allocated_bytes",
            "copies.unwritten_bytes",
            "command_lists.pinned_bytes",
            "recreation.ddi_calls",
            "large.0.cold_bytes",
            "size_classes.0.waste_ratio",
            "size_classes.1.recycled",
            "accesses",
            "unattributed_accesses",
            "lines",
            "shared_lines",
            "contended_lines",
            "line_transfers",
            "contended.0.objects.0",
            "contended.0.sharing",
            "contended.0.words.0.writes",
            "line_touches",
            "fields",
            "accesses_by_owner.indirection_ratio",
            "cache_sets.max_hot_lines",
            "max_distance_bytes",
            "lifetime_order_violations",
            "leaks",
            "leaked.0.bytes",
            "out_of_memory.0.call",
            "audits.0.rule",
            "violations",
        ],
    ),
    (
        "present",
        &[
            "verdict.sentence",
            "compression_ratio",
            "link_pj_per_byte",
            "memory_pj_per_byte",
            "swap_chains.0.path",
            "swap_chains.0.reason",
            "swap_chains.0.frames",
            "swap_chains.0.copies",
            "swap_chains.0.bytes_copied",
            "swap_chains.0.dropped",
            "swap_chains.0.dram_gb_per_s",
            "swap_chains.0.link_gb_per_s",
            "swap_chains.0.caso_saving_gb_per_s",
            "swap_chains.0.latency.p95_ns",
            "swap_chains.0.mismatched_pixels",
            "audits.0.rule",
            "violations",
        ],
    ),
    (
        "health",
        &[
            "verdict.sentence",
            "complete",
            "events",
            "lost_events",
            "left_out_events",
            "missing_providers",
            "damaged_events",
            "damage",
            "threads",
            "clock.source",
            "clock.ticks_per_second",
            "clock.span_ns",
            "clock.one_tick_steps",
            "calls_never_returned",
            "never_returned.0.call",
            "first_never_returned.0.at_stamp",
            "calls_cut_by_loss",
            "stops_without_start",
            "calls_failed",
            "failed.0.call",
            "failed.0.hr",
            "driver_violations",
            "violations.0.rule",
            "debug_errors",
            "debug_messages",
            "messages.0.severity",
            "messages.0.description",
            "leaks.heaps",
            "leaks.resource_bytes",
            "leaks.largest.0.object",
        ],
    ),
];

fn reports() -> Value {
    let analysis = Analysis::new(trace()).unwrap();
    Findings::of(&analysis, &applicable_reports(&analysis).unwrap()).unwrap().json().unwrap()
}

/// JSON kinds, keys and elements of the values at one path.
#[derive(Default)]
struct Shape<'v> {
    kinds: BTreeSet<&'static str>,
    keys: BTreeMap<&'v str, Shape<'v>>,
    elements: Option<Box<Shape<'v>>>,
}

impl<'v> Shape<'v> {
    fn of(value: &'v Value) -> Shape<'v> {
        let mut shape = Shape::default();
        shape.add(value);
        shape
    }

    fn add(&mut self, value: &'v Value) {
        self.kinds.insert(match value {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(number) if number.is_f64() => "real",
            Value::Number(_) => "integer",
            Value::String(_) => "text",
            Value::Array(_) => "list",
            Value::Object(_) => "keys",
        });
        match value {
            Value::Array(elements) => {
                let shape = self.elements.get_or_insert_with(Default::default);
                elements.iter().for_each(|element| shape.add(element));
            }
            Value::Object(map) => map.iter().for_each(|(key, value)| self.keys.entry(key).or_default().add(value)),
            _ => {}
        }
    }

    /// Formats the shape; keys with equal contents share a line.
    fn text(&self) -> String {
        let mut text = self.kinds.iter().copied().collect::<Vec<_>>().join(" or ");
        match &self.elements {
            Some(elements) if !elements.kinds.is_empty() => text += &format!(" of {}", elements.text()),
            _ => {}
        }
        let mut by_shape: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        self.keys.iter().for_each(|(key, shape)| by_shape.entry(shape.text()).or_default().push(key));
        for (shape, keys) in by_shape {
            text += &format!("\n  {}: {}", keys.join(", "), shape.replace('\n', "\n  "));
        }
        text
    }
}

/// Shapes of all reports by section. A shape that was printed before is replaced by `as PATH`.
fn shapes(reports: &Value) -> String {
    let mut shown: BTreeMap<String, String> = BTreeMap::new();
    let mut text = String::new();
    let places = reports.as_object().unwrap().iter().flat_map(|(report, figures)| {
        let sections = figures.as_object().unwrap().iter();
        sections.map(move |(section, value)| (format!("{report}.{section}"), value))
    });
    for (place, value) in places {
        let shape = Shape::of(value).text();
        let known = shape.contains('\n').then(|| shown.get(&shape)).flatten();
        text += &match known {
            Some(known) => format!("{place}: as {known}\n"),
            None => format!("{place}: {shape}\n"),
        };
        shown.entry(shape).or_insert(place);
    }
    text
}

/// The figure at a path; elements of lists are addressed by index.
fn figure<'a>(report: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('.').try_fold(report, |value, key| match key.parse::<usize>() {
        Ok(number) => value.get(number),
        Err(_) => value.get(key),
    })
}

#[test]
fn the_keys_of_the_reports_and_what_they_hold() {
    let document = reports();
    insta::assert_snapshot!(format!(
        "trace: {}\n{}",
        Shape::of(&document["trace"]).text(),
        shapes(&document["reports"])
    ));
}

#[test]
fn the_figures_that_matter() {
    let document = reports();
    let mut text = String::new();
    for (report, places) in FIGURES {
        for place in *places {
            let figure = figure(&document["reports"][report], place);
            text += &format!("{report}.{place}: {}\n", figure.expect(place));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn every_section_of_every_report_has_a_figure_that_matters() {
    let document = reports();
    let section = |place: &&str| place.split('.').next().unwrap().to_owned();
    let chosen: BTreeMap<&str, BTreeSet<String>> =
        FIGURES.iter().map(|(report, places)| (*report, places.iter().map(section).collect())).collect();
    for (report, figures) in document["reports"].as_object().unwrap() {
        let sections: BTreeSet<String> = figures.as_object().unwrap().keys().cloned().collect();
        assert_eq!(chosen.get(report.as_str()), Some(&sections), "{report}");
    }
}
