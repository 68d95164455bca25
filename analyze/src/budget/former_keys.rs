//! Former keys of figures: budgets written for builds before version 0.1.0 still apply.

use serde_json::Value;

/// Keys of figures that budgets may limit, as pairs of the former and the present one.
const FORMER_KEYS: [(&str, &str); 54] = [
    ("abandoned", "discarded"),
    ("abandoned_instructions", "discarded_instructions"),
    ("abandoned_ns", "discarded_ns"),
    ("abandoned_results", "discarded_results"),
    ("accesses_nowhere", "unattributed_accesses"),
    ("alike", "group_size"),
    ("asked_slots", "candidate_slots"),
    ("at_least_16_mib", "min_16_mib"),
    ("at_least_64_kib", "min_64_kib"),
    ("begun_dead", "started_after_destruction"),
    ("begun_dead_instructions", "started_after_destruction_instructions"),
    ("begun_dead_ns", "started_after_destruction_ns"),
    ("boosted_most", "max_boosted_tasks"),
    ("copies_made", "total_copies"),
    ("crowded_sets", "conflicting_sets"),
    ("decisions", "path_selections"),
    ("dram_most_gb_per_s", "dram_max_gb_per_s"),
    ("draws_served", "variant_draws"),
    ("farthest_bytes", "max_distance_bytes"),
    ("folded_slots", "specialised_slots"),
    ("foreign_walks", "foreign_accesses"),
    ("frames_alike", "frames_same_work"),
    ("generic_least_ns", "generic_min_ns"),
    ("given_back_bytes", "reclaimed_bytes"),
    ("is_regretted", "is_net_loss"),
    ("link_most_gb_per_s", "link_max_gb_per_s"),
    ("max_hot_handles", "max_hot_lines"),
    ("median_ns", "p50_ns"),
    ("memory_of", "memory_by_group"),
    ("most_hot_handles", "max_hot_lines"),
    ("moves", "transfers"),
    ("mutable_walks", "mutable_accesses"),
    ("never_shown", "dropped"),
    ("owners", "groups"),
    ("ownership_moves", "line_transfers"),
    ("probes", "sampled_pixels"),
    ("ran_out", "out_of_memory"),
    ("reopened", "recreated"),
    ("saving_alike_bytes", "group_saving_bytes"),
    ("saving_with_before_bytes", "cumulative_saving_bytes"),
    ("served_ratio", "variant_draw_ratio"),
    ("taken_bytes", "in_use_bytes"),
    ("tasks_there_before", "preexisting_tasks"),
    ("times_asked", "driver_answers"),
    ("told", "first_findings"),
    ("unboosted_most", "max_idle_tasks"),
    ("unread_runs", "undecoded_runs"),
    ("untouched", "unwritten_regions"),
    ("untouched_bytes", "unwritten_bytes"),
    ("variant_least_ns", "variant_min_ns"),
    ("walks", "accesses_by_owner"),
    ("waste_alike_bytes", "group_waste_bytes"),
    ("worst_ns", "max_ns"),
    ("wrong_probes", "mismatched_pixels"),
];

/// Names that elements of lists had before version 0.1.0: audits of the report `pgo`.
const FORMER_NAMES: [(&str, &str); 4] = [
    ("decided_on_finished_work", "decided_on_collected_work"),
    ("estimates_kept", "estimates_respected"),
    ("most_at_once", "max_concurrent_tasks"),
    ("variants_made_by_tasks", "variants_built_by_tasks"),
];

/// The path of a figure with the present keys and names. A part of the path that the reports have is never replaced.
pub(super) fn present_place(reports: &Value, place: &str) -> String {
    let mut value = Some(reports);
    let parts = place.split('.').map(|key| match value {
        Some(Value::Object(map)) => {
            let key = if map.contains_key(key) { key } else { present(&FORMER_KEYS, key) };
            value = map.get(key);
            key
        }
        Some(Value::Array(elements)) => {
            let named = |name: &str| elements.iter().find(|element| element["name"] == name);
            let key = if named(key).is_some() { key } else { present(&FORMER_NAMES, key) };
            value = key.parse::<usize>().map_or_else(|_| named(key), |index| elements.get(index));
            key
        }
        _ => key,
    });
    parts.collect::<Vec<_>>().join(".")
}

fn present<'a>(pairs: &'a [(&'a str, &'a str)], key: &'a str) -> &'a str {
    pairs.iter().find(|(former, _)| *former == key).map_or(key, |(_, present)| present)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn former_parts_of_a_path_are_replaced_unless_the_reports_have_them() {
        let reports = json!({"present": {"swap_chains": [{"latency": {"p50_ns": 1}}]}, "alignment": {"peak": {"in_use_bytes": 1},
            "phases": [{"name": "moves", "waste_ratio": 0}]}, "pgo": {"audits": [{"name": "estimates_respected", "told": 1}]}});
        for (former, present) in [
            ("present.swap_chains.0.latency.median_ns", "present.swap_chains.0.latency.p50_ns"),
            ("alignment.peak.taken_bytes", "alignment.peak.in_use_bytes"),
            ("alignment.phases.moves.waste_ratio", "alignment.phases.moves.waste_ratio"),
            ("pgo.audits.estimates_kept.told", "pgo.audits.estimates_respected.told"),
            ("alignment.no.such.figure", "alignment.no.such.figure"),
        ] {
            assert_eq!(present_place(&reports, former), present);
            assert_eq!(present_place(&reports, present), present);
        }
    }

    #[test]
    fn former_keys_are_in_order_and_no_present_key_is_a_former_one() {
        for pairs in [&FORMER_KEYS[..], &FORMER_NAMES] {
            assert!(pairs.is_sorted());
            assert!(pairs.iter().all(|(_, key)| pairs.iter().all(|(former, _)| former != key)));
        }
    }
}
