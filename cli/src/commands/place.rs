//! `taut replay --place`: memory of a recording under other placement policies.

use crate::args::{Common, Replay};
use crate::failure::failure;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use taut_analyze::render::{binary_bytes, counted, grouped};
use taut_app::replay::{Placement, PlacementOptions, PolicyResult, placement_chart};
use taut_console::outcome::{Outcome, Status};
use taut_console::output::{Output, Outputs};
use taut_console::printing::{ranked_table, table};
use taut_console::traces::{name, open, report_damage};

/// Outcomes of the policies on one trace.
struct PlacedTrace<'a> {
    file: &'a Path,
    placement: Placement,
}

/// Runs the policies on every trace and prints the results.
pub fn run(replay: &Replay, common: Common, outputs: &Outputs, picture: Option<Output>) -> Outcome {
    let options = PlacementOptions {
        policies: replay.placement_policy.place.clone(),
        block_bytes: replay.placement_policy.block_size.clone(),
        dedicated_above_bytes: replay.placement_policy.dedicated_above,
        what_if: replay.what_if_options(),
    };
    let files = std::iter::once(&replay.file).chain(&replay.placement_policy.more);
    let mut status = Status::Fine;
    let mut traces = Vec::new();
    for file in files {
        let trace = Arc::new(open(file)?);
        let placement = Placement::new(Arc::clone(&trace), &options).map_err(failure)?;
        status = status.max(report_damage(file, &trace, &placement.damage));
        traces.push(PlacedTrace { file, placement });
    }
    if let Some(picture) = picture {
        let named: Vec<(String, &Placement)> =
            traces.iter().map(|trace| (name(trace.file), &trace.placement)).collect();
        picture.finish_with_text(&placement_chart(&named))?;
    }
    if replay.is_json(common) {
        let json = |trace: &PlacedTrace<'_>| trace.placement.json(&trace.file.to_string_lossy());
        match &traces[..] {
            [one] => outputs.print_json_message(&json(one))?,
            several => {
                outputs.print_json_message(&json!({ "traces": several.iter().map(json).collect::<Vec<Value>>() }))?
            }
        }
    } else {
        let mut text: String = traces.iter().map(|trace| as_text(trace) + "\n").collect();
        if traces.len() > 1 {
            text += &comparison_table(&traces);
        }
        outputs.print_message(text.trim_end_matches('\n'))?;
        outputs.print_message("\n")?;
    }
    Ok(status)
}

/// Table of the memory of every policy on every trace.
fn comparison_table(traces: &[PlacedTrace<'_>]) -> String {
    let names: Vec<String> = traces.iter().map(|trace| name(trace.file)).collect();
    let heading: Vec<&str> = ["policy", "heap size"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let own = std::iter::once(["as recorded".to_owned(), "\u{2013}".to_owned()].to_vec()).map(|row| {
        row.into_iter().chain(traces.iter().map(|trace| binary_bytes(trace.placement.recorded_bytes))).collect()
    });
    let first = traces.first().map_or(&[][..], |trace| &trace.placement.results);
    let rows = first.iter().enumerate().map(|(at, PolicyResult { outcome, .. })| {
        let memory = traces.iter().map(|trace| binary_bytes(trace.placement.results[at].outcome.memory_bytes));
        [outcome.policy.to_owned(), binary_bytes(outcome.block_bytes)].into_iter().chain(memory).collect()
    });
    let rows: Vec<Vec<String>> = own.chain(rows).collect();
    let right: Vec<usize> = (1..heading.len()).collect();
    table(&heading, &right, rows)
}

fn as_text(trace: &PlacedTrace<'_>) -> String {
    let Placement { recorded_bytes, recorded_heaps, requests, results, .. } = &trace.placement;
    let mut text = format!(
        "{}: {} placed by other policies, each time the same; when recorded, {} and committed resources hold {} at most\n",
        name(trace.file),
        counted(requests.resources.len() as u64, "resource"),
        counted(*recorded_heaps, "heap"),
        binary_bytes(*recorded_bytes),
    );
    if requests.left_out > 0 {
        let left_out = counted(requests.left_out, "resource");
        text += &format!("{left_out} left out: their size is not known, or the driver refuses them\n");
    }
    let rows = results.iter().map(|PolicyResult { outcome, ns_per_allocation }| {
        [
            outcome.policy.to_owned(),
            binary_bytes(outcome.block_bytes),
            binary_bytes(outcome.memory_bytes),
            grouped(outcome.heaps),
            grouped(outcome.dedicated),
            binary_bytes(outcome.waste_bytes),
            binary_bytes(outcome.free_bytes),
            grouped(outcome.heaps_created),
            grouped(*ns_per_allocation),
        ]
    });
    let heading =
        ["policy", "heap size", "memory", "heaps", "dedicated", "wasted", "unused", "heaps created", "ns/alloc"];
    text + "\n" + &ranked_table(&heading, &[1, 2, 3, 4, 5, 6, 7, 8], &[2, 5, 1], rows)
}
