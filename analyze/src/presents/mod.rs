//! What a trace tells of presents: machines, decisions and frames, one after another.

mod event;
mod reader;
mod settings;

pub use crate::event_reader::At;
pub use event::{Adapter, Advance, Creation, Decision, Display, Frame, Machine, PresentEvent};
pub use reader::{any, any_of, each};
pub use settings::PresentSettings;
