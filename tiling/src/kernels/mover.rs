//! Interface between loops and movers.

use super::bands::Bands;

/// Mover of bytes between the linear and the tiled side, in one direction.
///
/// Loops pass offsets: `linear` into the linear slice, `tiled` into the tiled slice. A mover checks every offset before
/// it accesses memory; an invalid request is an error in a loop and moves nothing.
pub(crate) trait Mover {
    /// Moves the groups of all bands: 64 bytes of each of four rows, from or to four lines.
    fn bands(&mut self, bands: &Bands);

    /// Moves 16 bytes of each of four rows, from `linear` on, from or to the line at `tiled`.
    fn line(&mut self, linear: usize, tiled: usize);

    /// Moves `N` bytes of one row; `N` is 16 or less.
    fn bytes<const N: usize>(&mut self, linear: usize, tiled: usize);

    /// Moves 16 bytes of each of two rows, from `linear` on, from or to 32 bytes at `tiled`, in one store.
    fn pair(&mut self, linear: usize, tiled: usize);

    /// Moves 64 bytes of one row, in stores of 16.
    fn run(&mut self, linear: usize, tiled: usize) {
        for at in [0, 16, 32, 48] {
            self.bytes::<16>(linear + at, tiled + at);
        }
    }
}

/// Moves `count` bytes of one row in the fewest moves of 64, 16, 8, 4, 2 and 1 bytes, the widest first.
#[inline(always)]
pub(crate) fn piece<P: Mover>(mover: &mut P, mut linear: usize, mut tiled: usize, mut count: usize) {
    while count >= 64 {
        mover.run(linear, tiled);
        (linear, tiled, count) = (linear + 64, tiled + 64, count - 64);
    }
    while count >= 16 {
        mover.bytes::<16>(linear, tiled);
        (linear, tiled, count) = (linear + 16, tiled + 16, count - 16);
    }
    if count & 8 != 0 {
        mover.bytes::<8>(linear, tiled);
        (linear, tiled) = (linear + 8, tiled + 8);
    }
    if count & 4 != 0 {
        mover.bytes::<4>(linear, tiled);
        (linear, tiled) = (linear + 4, tiled + 4);
    }
    if count & 2 != 0 {
        mover.bytes::<2>(linear, tiled);
        (linear, tiled) = (linear + 2, tiled + 2);
    }
    if count & 1 != 0 {
        mover.bytes::<1>(linear, tiled);
    }
}
