//! What accesses do to the book.

use super::book::{HandleBook, NO_TYPE, UNKNOWN};
use super::cache_lines::Touch;
use super::live_handle::Heard;
use crate::event_reader::At;
use taut_schemas::handle_rules::HandleEvent;
use taut_schemas::{D3d11ContextId, DriverHandle, HandleAccess};

/// Place of the context, line of the call, and the handle that it made.
pub(super) type Within = (u32, u16, DriverHandle);

impl HandleBook {
    /// The memory behind a handle was read or written.
    pub(super) fn access(&mut self, at: At, (place, call, made): Within, access: &HandleAccess) {
        self.accesses += 1;
        let Some(context) = self.contexts.get(place as usize) else {
            self.nowhere += 1;
            return;
        };
        let (is_immediate, told) = (context.is_immediate, access);
        let found = if access.handle.0 == 0 { self.behind(access) } else { Some(*access) };
        let live = found.as_ref().and_then(|found| self.live.get_mut(&found.handle.0).filter(|live| live.holds(found)));
        let (Some(access), Some(live)) = (&found, live) else {
            self.nowhere += 1;
            self.tell(at, (place, call, made), told);
            return;
        };
        let (owner, is_creation) = (live.owner, access.handle == made);
        let of_immediate = self.contexts.get(owner as usize).is_some_and(|owner| owner.is_immediate);
        // What is done on the immediate context for a deferred one, in FinishCommandList say, counts as that one's.
        let actor = if is_immediate && !of_immediate { owner } else { place };
        let is_object = live.handle_type != NO_TYPE;
        let is_mutable = live.touch(access, is_creation) && is_object;
        let object = (live.handle_type.0, if live.ic == 0 { access.handle.0 } else { live.ic });
        let is_heard = match live.object.as_deref_mut() {
            // Reads of its own memory break no rule, nor does what a call does to the handle that it makes.
            _ if actor == owner && (!is_object || !of_immediate || !access.is_write || is_creation) => true,
            Some(known) => {
                let what: Heard = (!is_immediate, access.is_write, access.offset_bytes, access.size_bytes);
                !known.is_new(what)
            }
            None => false,
        };
        if !is_creation {
            let address = access.handle.0.saturating_add(access.offset_bytes);
            let touch = Touch { by: actor, is_write: access.is_write, call, object };
            self.lines.touch(address, access.size_bytes.into(), touch);
        }
        if let Some(context) = self.contexts.get_mut(actor as usize) {
            let count = match (actor == owner, of_immediate, is_mutable) {
                (true, ..) => &mut context.own,
                (false, true, false) => &mut context.shared,
                (false, true, true) => &mut context.mutable,
                (false, false, _) => &mut context.foreign,
            };
            *count += 1;
        }
        if !is_heard && self.tell(at, (place, call, made), told) == 0 {
            let what: Heard = (!is_immediate, access.is_write, access.offset_bytes, access.size_bytes);
            if let Some(known) = self.live.get_mut(&access.handle.0).and_then(|live| live.object.as_deref_mut()) {
                known.heard(what);
            }
        }
    }

    /// An access that was told without a handle, by the handle behind which its address lies.
    fn behind(&self, access: &HandleAccess) -> Option<HandleAccess> {
        let address = access.offset_bytes;
        // Live handles are apart, so only the last one that begins before the address can hold it.
        let handle = *self.addresses.range(..=address).next_back()?;
        let (live, offset_bytes) = (self.live.get(&handle)?, address - handle);
        let inside = if live.handle_type == NO_TYPE { offset_bytes == 0 } else { offset_bytes < live.size_bytes };
        inside.then_some(HandleAccess { handle: DriverHandle(handle), offset_bytes, ..*access })
    }

    /// The rules hear of an access. Gives how many it breaks.
    fn tell(&mut self, at: At, (place, line, made): Within, access: &HandleAccess) -> u64 {
        let Some(id) = self.contexts.get(place as usize).filter(|_| place != UNKNOWN).map(|context| context.id) else {
            return 0;
        };
        let before = self.findings_count();
        let context = D3d11ContextId(id);
        self.hear(at, place, &HandleEvent::Accessed { context, line, made, accesses: vec![*access] });
        self.findings_count() - before
    }
}
