//! Errors of snapshot triggers.

use thiserror::Error;

/// Error of a snapshot trigger.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TriggerError {
    /// The text is not a trigger.
    #[error("expected EVENT or EVENT:FIELD=VALUE, found `{0}`")]
    Form(String),
    /// No event has the name.
    #[error("expected the name of an event, found `{name}`")]
    Event {
        name: String,
        /// Names of all events.
        known: Vec<String>,
    },
    /// Several providers have an event of this name.
    #[error("there are several events `{name}`: {}", .full.join(", "))]
    Several {
        name: String,
        /// Names with their providers.
        full: Vec<String>,
    },
    /// The event has no such field.
    #[error("{event} has no field `{name}`")]
    Field {
        event: String,
        name: String,
        /// Names of the event's fields.
        known: Vec<String>,
    },
    /// The field cannot have the value.
    #[error("{field}: expected {expected}, found `{found}`")]
    Value {
        field: String,
        /// Permitted values.
        expected: String,
        found: String,
    },
}
