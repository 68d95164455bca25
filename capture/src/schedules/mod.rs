//! Thread schedules, explored: whatever order threads get through the real locks, stamps agree with the order of each lock,
//! and the recorded order replays.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod background;
mod contexts;
mod kept;
mod objects;
mod order;
mod sessions;
