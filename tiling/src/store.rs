//! Observation of the stores of a copy.

/// Receiver of every store that a copy's loop makes, in order.
///
/// The kernels are generic over this trait. Copies use an implementation without effect and without cost. A model of
/// write-combining buffers passes its own implementation to
/// [`TileCopy::observe_to_tiled`](crate::TileCopy::observe_to_tiled). Closures with the same parameters implement the
/// trait.
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
pub(crate) struct NoObservation;

impl Store for NoObservation {
    #[inline(always)]
    fn stored(&mut self, _offset_bytes: usize, _width_bytes: usize) {}
}
