//! Background processing: what is read, judged and audited.

mod audits;
mod fitness;
mod judging;
mod paged;
mod recorded;
mod sums;
mod variants;
pub mod written;

pub use written::{Action, Mode, draw};
