//! What a trace tells of its recording: what time it was, whose the streams are, and what was lost, where and why.

use serde_json::{Map, Value, json};
use std::time::{Duration, UNIX_EPOCH};
use taut_analyze::render::{grouped, span};
use taut_console::printing::escaped;
use taut_schemas::counted;
use taut_traces::{Clock, Gap, Trace, UtcClock};

/// Gaps that are told of one by one.
const GAPS: usize = 8;

/// Adds what there is of it to `told`.
pub fn as_json(trace: &Trace, told: &mut Map<String, Value>) {
    if let (Some(clock), Some(Value::Object(known))) = (trace.utc_clock(), told.get_mut("clock")) {
        let first_ns = trace.summary().first_stamp.map(|stamp| clock.utc_ns(stamp));
        known.insert("first_stamp_unix_ns".to_owned(), json!(first_ns));
        known.insert("error_ns".to_owned(), json!(error_ns(&clock)));
        known.insert("drift_ppb".to_owned(), json!(clock.drift_ppb()));
        known.insert("utc_steps_ns".to_owned(), json!(clock.utc_steps_ns()));
        known.insert("readings".to_owned(), json!(clock.readings().len()));
    }
    let (streams, gaps, unkept) = (trace.streams(), trace.gaps(), trace.unkept());
    let lists = [("streams", json!(streams)), ("gaps", json!(gaps))];
    told.extend(lists.into_iter().filter(|(_, list)| *list != json!([])).map(|(name, list)| (name.to_owned(), list)));
    told.extend(unkept.map(|why| ("unkept".to_owned(), json!(why))));
}

/// The greatest that a reading has.
fn error_ns(clock: &UtcClock) -> u64 {
    clock.readings().iter().map(|reading| reading.error_ns).max().unwrap_or_default()
}

/// The lines of what there is of it.
pub fn as_text(trace: &Trace) -> String {
    let mut text = trace.utc_clock().map_or(String::new(), |clock| time(trace, &clock));
    let gaps = trace.gaps();
    text.extend(gaps.iter().take(GAPS).map(|gap| lost(trace, gap)));
    if gaps.len() > GAPS {
        text += &format!("  lost       and {} more times\n", grouped((gaps.len() - GAPS) as u64));
    }
    if let Some(why) = trace.unkept() {
        text += &format!("  not kept   buffers that outlive the process, from some time on: {}\n", escaped(&why));
    }
    text
}

fn time(trace: &Trace, clock: &UtcClock) -> String {
    let Some(stamp) = trace.summary().first_stamp else { return String::new() };
    let at = UNIX_EPOCH + Duration::from_nanos(clock.utc_ns(stamp));
    let at = humantime::format_rfc3339_nanos(at);
    let drift = clock.drift_ppb().map_or(String::new(), |ppb| {
        let way = if ppb < 0 { "slower" } else { "faster" };
        format!("; its clock was {:.3} ppm {way} than said", ppb.unsigned_abs() as f64 / 1000.0)
    });
    format!("  begun      {at} at the first stamp, within {}{drift}\n", span(error_ns(clock)))
}

fn lost(trace: &Trace, gap: &Gap) -> String {
    let Gap { stream, cause, events, from, to } = *gap;
    let ticks = &trace.header().world.clock;
    let ns = |ticks_of: u64| {
        let (ns, per_second) = (u128::from(ticks_of) * 1_000_000_000, u128::from(ticks.ticks_per_second.max(1)));
        u64::try_from(ns / per_second).unwrap_or(u64::MAX)
    };
    let is_logical = ticks.source == Clock::Logical.source();
    let first = trace.summary().first_stamp.unwrap_or_default();
    let place = match (from, to) {
        (0, 0) => String::new(),
        (from, to) if is_logical || to < from => format!(", from stamp {from} on"),
        (from, to) => {
            format!(" in {}, {} behind the first stamp", span(ns(to - from)), span(ns(from.saturating_sub(first))))
        }
    };
    format!("  lost       {} of thread {stream}{place}: {}\n", counted(events, "event"), cause.text())
}
