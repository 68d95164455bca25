//! What a trace tells of presents: machines, decisions and frames, one after another.

mod event;
mod reader;
mod settings;

pub use crate::event_reader::At;
pub use event::{
    Adapter, Advance, Creation, Creation9, Decision, Display, Frame, Machine, ModeChange, PresentEvent, SlowLink,
};
pub use reader::{any, any_of, each};
pub use settings::PresentSettings;
