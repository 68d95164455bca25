//! Exploration of thread schedules over the real locks: in each, stamps agree with the order of every lock, and the
//! recorded order replays.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod background;
mod contexts;
mod memory_recorder;
mod objects;
mod order;
mod sessions;

/// Returns the number of schedules to explore out of `all`: a quarter, or the percentage in `TAUT_SCHEDULES`.
fn runs(all: usize) -> usize {
    let hundredths = std::env::var("TAUT_SCHEDULES").ok().and_then(|text| text.parse().ok()).unwrap_or(25);
    (all * hundredths / 100).max(1)
}
