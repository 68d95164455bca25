//! Workloads of Direct3D 11 with deferred contexts.

mod churn;
mod deferred;
mod oom;
mod props;
mod recording;
mod shelf;
pub(crate) mod studio;

pub use churn::ContextChurn;
pub use deferred::DeferredContexts;
pub use oom::ContextOom;
