//! Scheduling of background tasks in a world whose tasks differ from the recorded tasks and start and end at other
//! times. The schedule follows from a stated model and from the times of the recorded calls.

mod model;
mod timeline;
mod workers;

pub use model::{TaskModel, TaskSpread, TaskTimes};
pub(crate) use timeline::SimulatedClock;
pub(crate) use workers::{RunningTask, Workers};
