//! Write orders of a tiled surface.

use crate::{Kernel, TilingError};
use core::{fmt, str::FromStr};

/// Order in which a rectangle is written into a tiled surface.
///
/// [`TileCopy`](crate::TileCopy) uses the best order; these are the orders of programs without it, for comparison: each
/// is a working copy whose stores can be observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WriteOrder {
    /// Row after row, in image order.
    LinearRows,
    /// Columns as wide as a store, each from top to bottom.
    LinearColumns,
    /// Memory order of the surface.
    TileOrder,
    /// 16 bytes of each of four rows, which make a line, then the next to the right.
    Optimized,
    /// 16 bytes of each of two rows in one store of 32, then the next to the right: half of each line.
    Rows2x32,
    /// Same as [`Optimized`](WriteOrder::Optimized), in stores of 32 bytes.
    Rows4x32,
    /// Same as [`Optimized`](WriteOrder::Optimized), in stores of 64 bytes.
    Rows4x64,
}

/// Every order with its name and its possible store widths in bytes, the usual one first.
const ORDERS: &[(WriteOrder, &str, &[usize])] = &[
    (WriteOrder::LinearRows, "linear-rows", &[16, 4]),
    (WriteOrder::LinearColumns, "linear-columns", &[16, 4]),
    (WriteOrder::TileOrder, "tile-order", &[16, 4]),
    (WriteOrder::Optimized, "optimized", &[16]),
    (WriteOrder::Rows2x32, "rows-2x32", &[32]),
    (WriteOrder::Rows4x32, "rows-4x32", &[32]),
    (WriteOrder::Rows4x64, "rows-4x64", &[64]),
];

impl WriteOrder {
    /// Iterates over all orders.
    pub fn all() -> impl Iterator<Item = WriteOrder> {
        ORDERS.iter().map(|(order, ..)| *order)
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        ORDERS[self as usize].1
    }

    /// Returns the possible store widths in bytes, the usual one first.
    pub const fn store_widths_bytes(self) -> &'static [usize] {
        ORDERS[self as usize].2
    }

    /// Returns the kernel that writes in this order.
    pub(crate) const fn kernel(self) -> Option<Kernel> {
        match self {
            WriteOrder::Optimized => Some(Kernel::Sse2),
            WriteOrder::Rows4x32 => Some(Kernel::Avx2),
            WriteOrder::Rows4x64 => Some(Kernel::Avx512),
            _ => None,
        }
    }

    pub(crate) fn check_width(self, store_width_bytes: usize) -> Result<(), TilingError> {
        let widths = self.store_widths_bytes();
        if widths.contains(&store_width_bytes) {
            return Ok(());
        }
        let (found, limit) = (store_width_bytes as u64, widths[0] as u64);
        Err(TilingError::Outside { argument: "store_width_bytes", found, limit })
    }
}

impl fmt::Display for WriteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for WriteOrder {
    type Err = TilingError;

    /// Parses an order's name.
    ///
    /// # Errors
    /// [`TilingError::UnknownOrder`] for an unknown name.
    fn from_str(name: &str) -> Result<Self, TilingError> {
        Self::all().find(|order| order.name() == name).ok_or(TilingError::UnknownOrder)
    }
}
