//! What a pass over a trace decides: to repeat what was recorded, or to make it otherwise.

use taut_schemas::{CodecError, EventCode};

/// The decisions of a pass. The walk over the trace is the same whoever makes them.
pub(crate) trait Policy {
    /// The calls are made on the recorded world: whatever comes out otherwise is a divergence. In another world it is a
    /// result, and only what happens there counts.
    const IS_RECORDED_WORLD: bool;

    /// A call's start row as it is to be made; `None` if it stays as it is. `call_index` is its position among all calls.
    ///
    /// # Errors
    /// The row cannot be decoded.
    fn rewrite(&mut self, code: EventCode, call_index: u64, row: &[u8]) -> Result<Option<Vec<u8>>, CodecError>;

    /// A call names an object that was never created live: whether it is left out.
    fn leave_out(&mut self) -> bool;

    /// What the recording created is created again, or is not: the call fails, or has no object to be made on.
    fn creation(&mut self, recorded: u64, succeeds: bool);

    /// A call was made that created so many objects when recorded, and so many now.
    fn creations(&mut self, recorded: usize, live: usize);

    /// A call's results are others than recorded.
    fn changed_result(&mut self, call: impl FnOnce() -> String);
}

/// Makes the calls as they were recorded.
pub(crate) struct Faithful;

impl Policy for Faithful {
    const IS_RECORDED_WORLD: bool = true;

    #[inline]
    fn rewrite(&mut self, _: EventCode, _: u64, _: &[u8]) -> Result<Option<Vec<u8>>, CodecError> {
        Ok(None)
    }

    /// The runtime answers E_HANDLE, and so is asked.
    fn leave_out(&mut self) -> bool {
        false
    }

    fn creation(&mut self, _: u64, _: bool) {}

    fn creations(&mut self, _: usize, _: usize) {}

    fn changed_result(&mut self, _: impl FnOnce() -> String) {}
}
