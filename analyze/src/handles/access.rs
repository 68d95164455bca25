//! Updates the tracker by accesses to handle memory.

use super::cache_lines::Touch;
use super::live_handle::CheckedAccess;
use super::tracker::{HandleTracker, NO_TYPE, UNKNOWN};
use crate::events::At;
use taut_schemas::handle_rules::HandleEvent;
use taut_schemas::{D3d11ContextId, DriverHandle, HandleAccess};

/// Max lines of one access to a context's own memory that are counted; bounds the time of damaged traces.
const MAX_LINES: u64 = 1 << 10;

/// The call that accesses handle memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct AccessingCall {
    /// Index of the context.
    pub place: u32,
    /// Line in the list of calls.
    pub line: u16,
    /// The handle that the call creates.
    pub created_handle: DriverHandle,
}

impl HandleTracker {
    /// Processes an access to handle memory.
    pub(super) fn access(&mut self, at: At, call: AccessingCall, access: &HandleAccess) {
        self.accesses += 1;
        let AccessingCall { place, line, created_handle } = call;
        let Some(context) = self.contexts.get(place as usize) else {
            self.unattributed_accesses += 1;
            return;
        };
        let (is_immediate, recorded) = (context.is_immediate, access);
        let found = if access.handle.0 == 0 { self.live.find(access) } else { Some(*access) };
        let live = found.as_ref().and_then(|found| self.live.get_mut(found.handle.0).filter(|live| live.holds(found)));
        let (Some(access), Some(live)) = (&found, live) else {
            self.unattributed_accesses += 1;
            self.check_rules(at, call, recorded);
            return;
        };
        let (owner, is_creation) = (live.owner, access.handle == created_handle);
        let of_immediate = self.contexts.get(owner as usize).is_some_and(|owner| owner.is_immediate);
        // Work of the immediate context for a deferred one, as in FinishCommandList, counts as the deferred one's.
        let actor = if is_immediate && !of_immediate { owner } else { place };
        let is_object = live.handle_type != NO_TYPE;
        // Words of the immediate context's handle are mutable by its own writes: others break rule H-38.
        let leaves_words = is_creation || of_immediate && !is_immediate;
        let is_mutable = live.touch(access, leaves_words) && is_object;
        let object = (live.handle_type.0, if live.ic == 0 { access.handle.0 } else { live.ic });
        let is_checked = match live.object.as_deref_mut() {
            // Reads of a context's own memory break no rule, nor do accesses of a call to the handle that it creates.
            _ if actor == owner && (!is_object || !of_immediate || !access.is_write || is_creation) => true,
            Some(known) => {
                let what: CheckedAccess = (!is_immediate, access.is_write, access.offset_bytes, access.size_bytes);
                !known.is_new(what)
            }
            None => false,
        };
        let address = access.handle.0.saturating_add(access.offset_bytes);
        if !is_creation {
            let touch = Touch { by: actor, is_write: access.is_write, call: line, object };
            self.lines.touch(address, access.size_bytes.into(), touch);
        }
        if let Some(context) = self.contexts.get_mut(actor as usize) {
            if !is_object && actor == owner {
                let line_bytes = self.settings.cache_line_bytes;
                let last = address.saturating_add(u64::from(access.size_bytes.max(1)) - 1) / line_bytes;
                let first = address / line_bytes;
                (first..=last.min(first + MAX_LINES)).for_each(|line| context.hot_lines.access_own(line));
            }
            let count = match (actor == owner, of_immediate, is_mutable) {
                (true, ..) => &mut context.own,
                (false, true, _) if access.is_write => &mut context.shared_writes,
                (false, true, false) => &mut context.shared,
                (false, true, true) => &mut context.mutable,
                (false, false, _) => &mut context.foreign,
            };
            *count += 1;
        }
        if !is_checked && self.check_rules(at, call, recorded) == 0 {
            let what: CheckedAccess = (!is_immediate, access.is_write, access.offset_bytes, access.size_bytes);
            if let Some(known) = self.live.object_mut(access.handle.0) {
                known.checked(what);
            }
        }
    }

    /// Passes an access to the rules. Returns the number of violations.
    fn check_rules(&mut self, at: At, call: AccessingCall, access: &HandleAccess) -> u64 {
        let AccessingCall { place, line, created_handle } = call;
        let Some(id) = self.contexts.get(place as usize).filter(|_| place != UNKNOWN).map(|context| context.id) else {
            return 0;
        };
        let before = self.rules.count();
        let context = D3d11ContextId(id);
        self.check_event(at, place, &HandleEvent::Accessed { context, line, created_handle, accesses: vec![*access] });
        self.rules.count() - before
    }
}
