//! Receivers of facts about calls that no class handles.

use super::hresult::Hresult;
use super::plain::Guid;
use std::sync::OnceLock;

/// Receivers.
#[derive(Debug, Clone, Copy)]
pub struct Hooks {
    /// Called after each query of an interface.
    pub queried: fn(Guid, Hresult),
    /// Called at each call of the method of IUnknown with this slot on a released object.
    pub released: fn(usize),
}

static HOOKS: OnceLock<Hooks> = OnceLock::new();

/// Sets the receivers; the first ones stay.
pub fn set_hooks(hooks: Hooks) {
    HOOKS.get_or_init(|| hooks);
}

/// Passes a query of an interface on.
pub fn queried(id: Guid, result: Hresult) {
    if let Some(hooks) = HOOKS.get() {
        (hooks.queried)(id, result);
    }
}

/// Passes a call of a released object on.
pub fn called_after_release(slot: usize) {
    if let Some(hooks) = HOOKS.get() {
        (hooks.released)(slot);
    }
}
