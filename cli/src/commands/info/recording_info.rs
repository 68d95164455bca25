//! Recording facts of `taut info`: UTC time, streams, losses with place and cause, and buffers that were not
//! persistent.

use std::time::{Duration, UNIX_EPOCH};
use taut_analyze::render::{grouped, span};
use taut_app::info::error_ns;
use taut_console::printing::escaped;
use taut_schemas::counted;
use taut_traces::{Clock, Gap, Trace, UtcClock};

/// Maximum number of gaps listed individually; the rest is counted.
const GAPS: usize = 8;

/// Formats the facts that the trace has as lines of text.
pub fn as_text(trace: &Trace) -> String {
    let mut text = trace.utc_clock().map_or(String::new(), |clock| time(trace, &clock));
    let gaps = trace.gaps();
    text.extend(gaps.iter().take(GAPS).map(|gap| lost(trace, gap)));
    if gaps.len() > GAPS {
        text += &format!("  lost       {} more gaps\n", grouped((gaps.len() - GAPS) as u64));
    }
    if let Some(why) = trace.not_persistent() {
        text += &format!("  not synced buffers of the recorder, for a part of the recording: {}\n", escaped(&why));
    }
    text
}

fn time(trace: &Trace, clock: &UtcClock) -> String {
    let Some(stamp) = trace.summary().first_stamp else { return String::new() };
    let at = UNIX_EPOCH + Duration::from_nanos(clock.utc_ns(stamp));
    let at = humantime::format_rfc3339_nanos(at);
    let drift = clock.drift_ppb().map_or(String::new(), |ppb| {
        let sign = if ppb < 0 { '-' } else { '+' };
        format!("; clock drift {sign}{:.3} ppm", ppb.unsigned_abs() as f64 / 1000.0)
    });
    format!("  start      {at} at the first stamp, ±{}{drift}\n", span(error_ns(clock)))
}

fn lost(trace: &Trace, gap: &Gap) -> String {
    let Gap { stream, cause, events, from, to } = *gap;
    let ticks = &trace.header().world.clock;
    let ns = |ticks_of: u64| {
        let (ns, per_second) = (u128::from(ticks_of) * 1_000_000_000, u128::from(ticks.ticks_per_second.max(1)));
        u64::try_from(ns / per_second).unwrap_or(u64::MAX)
    };
    if gap.has_unknown_number() {
        return format!(
            "  lost       an unknown number of events after stamp {from}: a write of the recorder failed\n"
        );
    }
    let is_logical = ticks.source == Clock::Logical.source();
    let first = trace.summary().first_stamp.unwrap_or_default();
    let place = match (from, to) {
        (0, 0) => String::new(),
        (from, to) if is_logical || to < from => format!(", from stamp {from}"),
        (from, to) => {
            format!(" in {}, {} after the first stamp", span(ns(to - from)), span(ns(from.saturating_sub(first))))
        }
    };
    format!("  lost       {} of thread {stream}{place}: {}\n", counted(events, "event"), cause.text())
}
