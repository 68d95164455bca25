//! `taut bench record`: what recording an event costs, beside a floor of the same run; or what it costs a workload.

mod costs;
mod pairs;
mod thread_time;

pub(super) use pairs::recorded;

use super::bench::quartile;
use crate::args::{BenchRecord, Common};
use costs::{Costs, Round};
use serde_json::json;
use taut_analyze::render::grouped;
use taut_capture::Clock;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json};

/// Rounds, unless said otherwise.
const ROUNDS: u32 = 9;

/// Measures what recording costs.
pub fn run(bench: &BenchRecord, common: Common) -> Outcome {
    if let Some(workload) = &bench.workload {
        return pairs::run(workload, bench, common);
    }
    if bench.threads.is_some() || !bench.set.is_empty() {
        return Err(Failure::usage("--threads and --set are for --workload NAME: there is none to set anything of"));
    }
    let (clock, rounds) = (Clock::best(), bench.repeat.unwrap_or(ROUNDS));
    let measure = |producers: &u32| Costs::measure(*producers, bench.events, rounds, clock);
    let costs = bench.producers.iter().map(measure).collect::<Result<Vec<Costs>, _>>()?;
    if common.json {
        print_json(&costs.iter().map(json).collect::<Vec<_>>())?;
    } else {
        print(&costs.iter().map(|costs| text(costs, clock)).collect::<String>())?;
    }
    let lost = costs.iter().any(|costs| costs.lost_events > 0);
    Ok(if lost { Status::Found } else { Status::Fine })
}

/// Median of a figure over the rounds, and between what half of them lie.
fn figure(costs: &Costs, of: impl Fn(&Round) -> f64) -> [f64; 3] {
    let samples: Vec<f64> = costs.rounds.iter().map(of).collect();
    [1, 2, 3].map(|quarter| quartile(&samples, quarter))
}

fn json(costs: &Costs) -> serde_json::Value {
    let median = |of: fn(&Round) -> f64| figure(costs, of)[1];
    let [low, record_over_floor, high] = figure(costs, Round::record_over_floor);
    json!({
        "producers": costs.producers,
        "events": costs.events,
        "rounds": costs.rounds.len(),
        "floor_ns_per_event": median(|round| round.floor_ns),
        "record_ns_per_event": median(|round| round.record_ns),
        "record_over_floor": record_over_floor,
        "record_over_floor_quartiles": [low, high],
        "wait_ns_per_event": median(|round| round.wait_ns),
        "encode_ns_per_event": median(|round| round.encode_ns),
        "durable_ns_per_event": median(|round| round.durable_ns),
        "durable_over_floor": median(Round::durable_over_floor),
        "bytes_per_event": costs.bytes_per_event,
        "lost_events": costs.lost_events,
    })
}

fn text(costs: &Costs, clock: Clock) -> String {
    let row = |name: &str, of: fn(&Round) -> f64, says: &str| {
        let [low, median, high] = figure(costs, of);
        format!("\x20 {name:<8} {median:>6.1} ns/event   {low:>6.1} to {high:>6.1}   {says}\n")
    };
    let [low, ratio, high] = figure(costs, Round::record_over_floor);
    let durable = figure(costs, Round::durable_over_floor)[1];
    let producers =
        if costs.producers == 1 { "1 producer".to_owned() } else { format!("{} producers", costs.producers) };
    format!(
        "{producers}, {} events, clock {}; medians of {} rounds, and where half of them lie\n{}{}{}{}{}\
         \x20 record is {ratio:.2} times the floor ({low:.2} to {high:.2}), durable {durable:.1} times; \
         {:.2} bytes/event, {} lost\n",
        grouped(costs.events),
        clock.source(),
        costs.rounds.len(),
        row("floor", |round| round.floor_ns, "a clock read, and 56 bytes stored"),
        row("record", |round| round.record_ns, "of the recording threads' processor time"),
        row("wait", |round| round.wait_ns, "for buffers, beside it"),
        row("encode", |round| round.encode_ns, "of the background thread's processor time"),
        row("durable", |round| round.durable_ns, "from the first event until the file is on disk"),
        costs.bytes_per_event,
        grouped(costs.lost_events),
    )
}
