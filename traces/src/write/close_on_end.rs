//! End of a pool with its block writer.

use crate::write::pool::Pool;
use std::sync::Arc;

/// Guard that closes the pool when the block writer ends for any reason, so that no recording thread waits forever.
pub(crate) struct CloseOnEnd(pub Arc<Pool>);

impl Drop for CloseOnEnd {
    fn drop(&mut self) {
        self.0.close();
    }
}
