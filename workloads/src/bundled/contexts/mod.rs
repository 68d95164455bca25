//! Direct3D 11 workloads with deferred contexts.

mod bound_objects;
mod churn;
mod command_list_pool;
pub(crate) mod context_device;
mod deferred;
mod oom;
mod recording;
mod updates;

pub use churn::ContextChurn;
pub use deferred::DeferredContexts;
pub use oom::ContextOom;
pub use updates::ContextUpdates;
