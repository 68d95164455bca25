//! Background tasks of another world: there they are others than those recorded, and start and end at other times. Who runs
//! them and when is decided here, from a stated model and the recorded calls' times.

mod model;
mod timeline;
mod workers;

pub use model::{TaskModel, TaskTimes};
pub(crate) use timeline::TimeLine;
pub(crate) use workers::{RunningTask, Workers};
