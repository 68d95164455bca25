//! The state of a session's runtime at one stamp, from which a replay can start: the records of a rundown.

mod kernel;
mod memory;
mod object;
mod submission;
mod world;
