//! Tests of Direct3D 11 contexts and their handles (rules H-01 to H-83).

mod accesses;
mod app;
mod errors;
mod everything;
mod example;
mod fallbacks;
mod faults;
mod fields;
mod lifetimes;
mod order;
mod pipeline;
mod random;
mod recording;
mod reporting;
mod state_swap;
