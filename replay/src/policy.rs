//! Decisions of a pass: replay the calls as recorded, or change them.

use taut_schemas::{CodecError, EventCode};

/// Decisions of a pass. The pass over the trace is the same for all policies.
pub(crate) trait Policy {
    /// True if the calls are executed in the recorded world, where any difference is a divergence. In another world a
    /// difference is a result, and only the live events count.
    const IS_RECORDED_WORLD: bool;

    /// Returns the changed start row of a call, or `None` if the call is unchanged. `call_index` is the call's position
    /// among all calls.
    ///
    /// # Errors
    /// The row cannot be decoded.
    fn rewrite(&mut self, code: EventCode, call_index: u64, row: &[u8]) -> Result<Option<Vec<u8>>, CodecError>;

    /// Returns true if a call on an object that was never created live is skipped.
    fn skip_call(&mut self) -> bool;

    /// Called for each recorded creation; `succeeds` is false if the live call fails or was skipped.
    fn creation(&mut self, recorded: u64, succeeds: bool);

    /// Called for each executed call that creates objects, with the number created when recorded and now.
    fn creations(&mut self, recorded: usize, live: usize);

    /// Called for each call whose results differ from the recorded results.
    fn changed_result(&mut self, call: impl FnOnce() -> String);
}

/// Policy of a faithful replay: executes the calls as recorded.
pub(crate) struct Faithful;

impl Policy for Faithful {
    const IS_RECORDED_WORLD: bool = true;

    #[inline]
    fn rewrite(&mut self, _: EventCode, _: u64, _: &[u8]) -> Result<Option<Vec<u8>>, CodecError> {
        Ok(None)
    }

    /// The runtime answers E_HANDLE to a dead handle, so the call is executed and its answer compared.
    fn skip_call(&mut self) -> bool {
        false
    }

    fn creation(&mut self, _: u64, _: bool) {}

    fn creations(&mut self, _: usize, _: usize) {}

    fn changed_result(&mut self, _: impl FnOnce() -> String) {}
}
