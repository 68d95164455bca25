//! Observation of the stores of a copy.

/// Receiver of every store that a copy's loop makes, in order.
///
/// The kernels are generic over it. Real copies use an implementation that does nothing and costs nothing; a model of
/// write-combining buffers passes its own to [`TileCopy::observe_to_tiled`](crate::TileCopy::observe_to_tiled).
/// Closures of the same shape implement it, too.
pub trait Store {
    /// Called for `width_bytes` bytes stored at `offset_bytes` from the start of the written side.
    fn stored(&mut self, offset_bytes: usize, width_bytes: usize);
}

impl<F: FnMut(usize, usize)> Store for F {
    #[inline(always)]
    fn stored(&mut self, offset_bytes: usize, width_bytes: usize) {
        self(offset_bytes, width_bytes);
    }
}

/// Store that ignores all calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unwatched;

impl Store for Unwatched {
    #[inline(always)]
    fn stored(&mut self, _offset_bytes: usize, _width_bytes: usize) {}
}
