//! The state of a session's runtime at one stamp, from which a replay can start: the records of a rundown.

mod d3d11;
mod d3d11_context;
mod d3d11_object;
mod kernel;
mod memory;
mod object;
mod submission;
mod world;
