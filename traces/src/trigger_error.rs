//! Why a recording cannot have a snapshot at an event.

use thiserror::Error;

/// Why an event is none that a recording can have a snapshot at.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TriggerError {
    /// The text has another form.
    #[error("expected EVENT or EVENT:FIELD=VALUE, found `{0}`")]
    Form(String),
    /// No event has the name.
    #[error("there is no event `{name}`")]
    Event {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Several providers have one of the name.
    #[error("there are several events `{name}`: {}", .full.join(", "))]
    Several {
        /// The name.
        name: String,
        /// With their providers.
        full: Vec<String>,
    },
    /// The event has no such field.
    #[error("{event} has no field `{name}`")]
    Field {
        /// The event.
        event: String,
        /// The name.
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// The field never has the value.
    #[error("{field}: expected {expected}, found `{found}`")]
    Value {
        /// The field.
        field: String,
        /// What it has.
        expected: String,
        /// The value.
        found: String,
    },
}
