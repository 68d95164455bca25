//! Copies between linear and tiled memory.

use crate::kernels::plan::Plan;
use crate::kernels::{cpu, dispatch};
use crate::{Kernel, Rect, Store, Streaming, Surface, TilingError};

/// Copy of a rectangle between linear memory and a tiled surface, in either direction: validated arguments, with the
/// choice of kernel and stores.
///
/// The linear side starts with the first byte of the rectangle and has its rows `linear_pitch_bytes` apart; the tiled
/// side is the memory of the whole surface. Bytes outside the rectangle are never written. Source and target cannot
/// overlap: one is borrowed shared and the other exclusively, which the compiler checks.
///
/// ```
/// use taut_tiling::{Layout, Position, Rect, Surface, TileCopy};
///
/// let surface = Surface::fitting(Layout::TileY, 37 * 4, 50)?;
/// let rect = Rect { x_bytes: 5 * 4, y: 3, z: 0, width_bytes: 20 * 4, rows: 10 };
/// let copy = TileCopy::new(&surface, rect, 20 * 4)?;
///
/// let linear: Vec<u8> = (0..copy.linear_bytes()).map(|at| at as u8).collect();
/// let mut tiled = vec![0; copy.tiled_bytes()];
/// copy.linear_to_tiled(&linear, &mut tiled)?;
/// let corner = surface.offset_bytes(Position::from_texel(5, 3, 0, 4)?)?;
/// assert_eq!(tiled[corner as usize..][..4], linear[..4]);
///
/// let mut back = vec![0; copy.linear_bytes()];
/// copy.tiled_to_linear(&tiled, &mut back)?;
/// assert_eq!(back, linear);
/// # Ok::<(), taut_tiling::TilingError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TileCopy {
    plan: Plan,
    kernel: Option<Kernel>,
    streaming: Streaming,
}

impl TileCopy {
    /// Creates a copy of `rect` of `surface` with the linear pitch `linear_pitch_bytes`.
    ///
    /// # Errors
    /// - [`TilingError::ZeroSize`] for an empty rectangle,
    /// - [`TilingError::Outside`] for a rectangle that is not wholly in the surface (x may reach its pitch),
    /// - [`TilingError::LinearPitchTooSmall`] where rows would overlap,
    /// - [`TilingError::Overflow`] for extents beyond the address space.
    pub fn new(surface: &Surface, rect: Rect, linear_pitch_bytes: u64) -> Result<Self, TilingError> {
        Ok(Self { plan: Plan::new(surface, rect, linear_pitch_bytes)?, kernel: None, streaming: Streaming::Auto })
    }

    /// Selects a kernel instead of the best one.
    ///
    /// # Errors
    /// [`TilingError::KernelUnavailable`] if this processor does not support it.
    pub fn with_kernel(self, kernel: Kernel) -> Result<Self, TilingError> {
        if !kernel.is_available() {
            return Err(TilingError::KernelUnavailable { kernel });
        }
        Ok(Self { kernel: Some(kernel), ..self })
    }

    /// Selects ordinary or non-temporal stores.
    pub fn with_streaming(self, streaming: Streaming) -> Self {
        Self { streaming, ..self }
    }

    /// Returns the required size of the linear side in bytes: up to the end of the rectangle's last row.
    pub fn linear_bytes(&self) -> usize {
        self.plan.linear_bytes
    }

    /// Returns the required size of the tiled side in bytes: the whole surface.
    pub fn tiled_bytes(&self) -> usize {
        self.plan.tiled_bytes
    }

    /// Copies from linear memory into the tiled surface.
    ///
    /// # Errors
    /// [`TilingError::BufferTooShort`]; nothing is copied then.
    pub fn linear_to_tiled(&self, linear: &[u8], tiled: &mut [u8]) -> Result<(), TilingError> {
        self.check_lengths(linear.len(), tiled.len())?;
        let (kernel, streams) = self.kernel_and_streaming(true, tiled.as_ptr().addr());
        dispatch::copy::<true>(&self.plan, kernel, streams, linear, tiled);
        Ok(())
    }

    /// Copies from the tiled surface into linear memory.
    ///
    /// # Errors
    /// [`TilingError::BufferTooShort`]; nothing is copied then.
    pub fn tiled_to_linear(&self, tiled: &[u8], linear: &mut [u8]) -> Result<(), TilingError> {
        self.check_lengths(linear.len(), tiled.len())?;
        let (kernel, streams) = self.kernel_and_streaming(false, linear.as_ptr().addr());
        dispatch::copy::<false>(&self.plan, kernel, streams, tiled, linear);
        Ok(())
    }

    /// Calls `store` for every store into the tiled surface that [`linear_to_tiled`](TileCopy::linear_to_tiled) makes
    /// on `kernel`, in order, from the same loops but without memory; the processor need not support the kernel.
    ///
    /// Stores of less than 16 bytes, at the edges of a rectangle, have sizes that are powers of two.
    ///
    /// ```
    /// use taut_tiling::{Kernel, Layout, Rect, Surface, TileCopy};
    /// let surface = Surface::new(Layout::TileYNoCsx, 128, 32)?;
    /// let mut stores = Vec::new();
    /// TileCopy::new(&surface, Rect::from_origin(128, 32), 128)?
    ///     .observe_to_tiled(Kernel::Avx512, |offset_bytes, width_bytes| stores.push((offset_bytes, width_bytes)));
    /// assert_eq!(stores[..3], [(0, 64), (512, 64), (1024, 64)]);
    /// # Ok::<(), taut_tiling::TilingError>(())
    /// ```
    pub fn observe_to_tiled(&self, kernel: Kernel, store: impl Store) {
        dispatch::observe::<_, true>(&self.plan, kernel, store);
    }

    /// Calls `store` for every store into linear memory that [`tiled_to_linear`](TileCopy::tiled_to_linear) makes on
    /// `kernel`; otherwise as [`observe_to_tiled`](TileCopy::observe_to_tiled).
    pub fn observe_to_linear(&self, kernel: Kernel, store: impl Store) {
        dispatch::observe::<_, false>(&self.plan, kernel, store);
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn check_lengths(&self, linear_bytes: usize, tiled_bytes: usize) -> Result<(), TilingError> {
        let sides = [("linear", self.plan.linear_bytes, linear_bytes), ("tiled", self.plan.tiled_bytes, tiled_bytes)];
        for (argument, needed, found) in sides {
            if found < needed {
                return Err(TilingError::BufferTooShort {
                    argument,
                    needed_bytes: needed as u64,
                    found_bytes: found as u64,
                });
            }
        }
        Ok(())
    }

    /// Returns the kernel, and true if it uses non-temporal stores. These need an aligned target, so a narrower kernel may
    /// replace the widest one for a tiled target, unless the caller selected a kernel. A linear target would need the
    /// alignment in every row, so its kernel is not replaced.
    fn kernel_and_streaming(&self, to_tiled: bool, target_address: usize) -> (Kernel, bool) {
        let widest = self.kernel.unwrap_or_else(Kernel::best);
        let streams = match self.streaming {
            Streaming::Never => false,
            Streaming::Always => true,
            Streaming::Auto => {
                let exceeds_cache = self.plan.moved_bytes() > cpu::last_level_cache_bytes() / 2;
                let gains =
                    if to_tiled { self.plan.lines.is_some_and(|l| l.spreads) } else { widest == Kernel::Avx512 };
                exceeds_cache && gains
            }
        };
        let kernel = match target_address.trailing_zeros() {
            4 if streams && to_tiled && self.kernel.is_none() && Kernel::Sse2.is_available() => Kernel::Sse2,
            5 if streams && to_tiled && self.kernel.is_none() && Kernel::Avx2.is_available() => Kernel::Avx2,
            _ => widest,
        };
        (kernel, streams)
    }
}

/// Copies `rect` from linear memory with the pitch `linear_pitch_bytes` into a tiled surface; short for
/// [`TileCopy::new`] and [`TileCopy::linear_to_tiled`].
///
/// # Errors
/// As those two.
pub fn linear_to_tiled(
    linear: &[u8],
    linear_pitch_bytes: u64,
    tiled: &mut [u8],
    surface: &Surface,
    rect: Rect,
) -> Result<(), TilingError> {
    TileCopy::new(surface, rect, linear_pitch_bytes)?.linear_to_tiled(linear, tiled)
}

/// Copies `rect` of a tiled surface into linear memory with the pitch `linear_pitch_bytes`; short for [`TileCopy::new`]
/// and [`TileCopy::tiled_to_linear`].
///
/// # Errors
/// As those two.
pub fn tiled_to_linear(
    tiled: &[u8],
    surface: &Surface,
    rect: Rect,
    linear: &mut [u8],
    linear_pitch_bytes: u64,
) -> Result<(), TilingError> {
    TileCopy::new(surface, rect, linear_pitch_bytes)?.tiled_to_linear(tiled, linear)
}
