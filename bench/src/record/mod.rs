//! Cost of recording an event, with a floor measured in the same run.

mod costs;

use crate::BenchError;
use crate::statistics::quartile;
use costs::{Costs, Round};
use serde_json::{Value, json};
use taut_analyze::render::grouped;
use taut_capture::Clock;

/// Default number of rounds.
const ROUNDS: u32 = 9;

/// Options of the benchmark.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    /// Numbers of threads that record at once, each a case of its own.
    pub producers: Vec<u32>,
    /// Events that each thread records in a round.
    pub events: u64,
    /// Rounds; `None` for the default.
    pub repeat: Option<u32>,
}

/// Results of the benchmark, by number of threads.
pub struct RecordFigures {
    clock: Clock,
    costs: Vec<Costs>,
}

/// Measures the cost of recording.
///
/// # Errors
/// A trace cannot be written, or a thread cannot be created.
pub fn measure(options: &RecordOptions) -> Result<RecordFigures, BenchError> {
    let (clock, rounds) = (Clock::best(), options.repeat.unwrap_or(ROUNDS));
    let measure = |producers: &u32| Costs::measure(*producers, options.events, rounds, clock);
    let costs = options.producers.iter().map(measure).collect::<Result<Vec<Costs>, _>>()?;
    Ok(RecordFigures { clock, costs })
}

impl RecordFigures {
    /// True if a recording lost events.
    pub fn has_lost_events(&self) -> bool {
        self.costs.iter().any(|costs| costs.lost_events > 0)
    }

    /// Figures as JSON.
    pub fn json(&self) -> Value {
        self.costs.iter().map(json).collect()
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        self.costs.iter().map(|costs| text(costs, self.clock)).collect()
    }
}

/// First quartile, median and third quartile of a figure over the rounds.
fn figure(costs: &Costs, of: impl Fn(&Round) -> f64) -> [f64; 3] {
    let samples: Vec<f64> = costs.rounds.iter().map(of).collect();
    [1, 2, 3].map(|quarter| quartile(&samples, quarter))
}

fn json(costs: &Costs) -> Value {
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
        "disabled_ns": median(|round| round.disabled_ns),
        "bytes_per_event": costs.bytes_per_event,
        "lost_events": costs.lost_events,
    })
}

fn text(costs: &Costs, clock: Clock) -> String {
    let row = |name: &str, of: fn(&Round) -> f64, meaning: &str| {
        let [low, median, high] = figure(costs, of);
        format!("\x20 {name:<8} {median:>6.1} ns/event   {low:>6.1} to {high:>6.1}   {meaning}\n")
    };
    let [low, ratio, high] = figure(costs, Round::record_over_floor);
    let durable = figure(costs, Round::durable_over_floor)[1];
    let producers =
        if costs.producers == 1 { "1 producer".to_owned() } else { format!("{} producers", costs.producers) };
    format!(
        "{producers}, {} events, clock {}; medians of {} rounds, with the interquartile range\n{}{}{}{}{}{}\
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
        row("disabled", |round| round.disabled_ns, "where a provider is off"),
        costs.bytes_per_event,
        grouped(costs.lost_events),
    )
}
