//! Rules on memory accesses through handles: owners of addresses, cache lines of contexts, writes of free-threaded
//! functions.

use super::HandleAudit;
use crate::call::Call;
use crate::d3d11_context_desc::{HandleAccess, ThreadingCaps};
use crate::desc::DriverHandle;
use crate::families::d3d11_context_ddi as ddi;
use crate::handle_rules::accesses::LINE_BYTES;
use crate::handle_rules::describe::Words;
use crate::handle_rules::lines;
use crate::id::D3d11ContextId;
use crate::rules::rule;

impl HandleAudit {
    /// The handle whose memory contains an address, and its context.
    fn region(&self, address: u64) -> Option<(DriverHandle, D3d11ContextId)> {
        let (first, live) = self.live.range(..=DriverHandle(address)).next_back()?;
        let inside = address - first.0 < live.size_bytes;
        inside.then_some((*first, live.context))
    }

    /// The handle whose memory contains an address, and its context; the memory of a context's own handle has no size,
    /// so it is found by the handle.
    fn owner(&self, access: &HandleAccess, address: u64) -> Option<(DriverHandle, D3d11ContextId)> {
        let device = || [access.handle, DriverHandle(address)].into_iter().find(|at| self.by_device.contains_key(at));
        self.region(address).or_else(|| device().and_then(|at| Some((at, *self.by_device.get(&at)?))))
    }

    /// True if an address outside all handles' memory is less than a cache line past the end of one.
    fn is_past_end(&self, address: u64) -> bool {
        let before = self.live.range(..=DriverHandle(address)).next_back();
        before.is_some_and(|(first, live)| address - first.0 < live.size_bytes + LINE_BYTES)
    }

    pub(super) fn accessed(
        &mut self,
        context: D3d11ContextId,
        line: u16,
        created_handle: DriverHandle,
        access: &HandleAccess,
    ) {
        let address = access.handle.0.wrapping_add(access.offset_bytes);
        let is_deferred = Some(context) != self.immediate;
        let Some((handle, owner)) = self.owner(access, address) else {
            let null = access.handle.0 == 0;
            let rule = if self.is_past_end(address) { rule::H_11 } else { rule::H_38 };
            return self.must(!null, rule, || format!("address {address:#x} belongs to no handle"));
        };
        if !is_deferred && Some(owner) != self.immediate {
            // The immediate context's function accumulates the results of a deferred context's recording.
            return;
        }
        let is_object = self.live.contains_key(&handle);
        if access.is_write && handle != created_handle && !is_deferred && self.is_callable_by_any_thread(line) {
            let rule = if line == ddi::CalcDeferredContextHandleSize::ID { rule::H_81 } else { rule::H_80 };
            return self.must(false, rule, || format!("a free-threaded function writes: {}", Words(access)));
        }
        if Some(owner) == self.immediate && !is_object {
            // Every context may use the device's own memory, each on its own cache lines.
            let offset_bytes = address - handle.0;
            let alone = self.lines.access(context, &HandleAccess { handle, offset_bytes, ..*access });
            return self.must(alone, rule::H_32, || {
                format!("a call on {} touches a cache line of another context: {}", Words(context), Words(access))
            });
        }
        let is_own = owner == context || Some(owner) == self.immediate && !access.is_write;
        self.must(is_own, rule::H_38, || {
            format!("a call on {} touches memory of {}: {}", Words(context), Words(owner), Words(access))
        });
        if Some(owner) == self.immediate && handle != created_handle {
            let offset_bytes = address - handle.0;
            let broken = self.shared.access(is_deferred, &HandleAccess { handle, offset_bytes, ..*access });
            if let Some(rule) = broken {
                self.must(false, rule, || format!("a call on {}: {}", Words(context), Words(access)));
            }
        }
    }

    /// True if any thread may make this call at any time, so that the call may write only to the object that it creates.
    fn is_callable_by_any_thread(&self, line: u16) -> bool {
        line == ddi::CalcDeferredContextHandleSize::ID
            || self.caps.contains(ThreadingCaps::FREETHREADED) && lines::is_free_threaded(line)
    }
}
