//! Thread schedules, explored: whatever order threads get through the real locks, stamps agree with the order of each lock,
//! and the recorded order replays.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod background;
mod contexts;
mod kept;
mod objects;
mod order;
mod sessions;

/// Schedules of so many that a run explores: a quarter, or what `TAUT_SCHEDULES` says, in hundredths.
fn runs(all: usize) -> usize {
    let hundredths = std::env::var("TAUT_SCHEDULES").ok().and_then(|text| text.parse().ok()).unwrap_or(25);
    (all * hundredths / 100).max(1)
}
