//! Direct3D 11 contexts and their handles (rules H-01 to H-82).

mod accesses;
mod app;
mod errors;
mod example;
mod fallbacks;
mod faults;
mod lifetimes;
mod random;
mod recording;
mod reporting;
