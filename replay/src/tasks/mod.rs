//! Scheduling of background tasks in a world where they differ from the recorded ones and start and end at other times.
//! The schedule follows from a stated model and from the times of the recorded calls.

mod model;
mod timeline;
mod workers;

pub use model::{TaskModel, TaskTimes};
pub(crate) use timeline::SimulatedClock;
pub(crate) use workers::{RunningTask, Workers};
