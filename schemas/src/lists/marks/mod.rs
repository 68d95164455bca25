//! The marks: events that are not calls.

mod background;
mod client;
mod memory;
mod message;
mod present;
mod session;
mod snapshot;
mod workload;
