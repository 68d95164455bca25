//! Recordings of scenes and the content of their traces by phase.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod courtyard;
mod real;
mod recording;
