//! Background processing: reading, figures and audits.

mod audits;
pub mod background_events;
mod fitness;
mod page;
mod pass_figures;
mod recorded;
mod sums;
mod variants;

pub use background_events::{Action, Mode, draw};
