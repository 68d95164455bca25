//! Presents of a trace: machines, decisions and frames, one after another.

mod capture;
mod event;
mod reader;
mod settings;

pub use crate::events::At;
pub use capture::{CaptureAgreement, capture_agreement};
pub use event::{
    Adapter, Advance, CaptureCompared, Creation, Creation9, Decision, Display, Frame, Machine, ModeChange,
    PresentEvent, SlowLink,
};
pub(crate) use reader::events;
pub use reader::{any, any_of, each};
pub use settings::PresentSettings;
