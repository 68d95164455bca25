//! Scenes recorded, and what their traces say phase by phase.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod courtyard;
mod real;
mod recording;
