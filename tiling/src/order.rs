//! The orders in which a program may write a tiled surface.

use crate::{Kernel, TilingError};
use core::{fmt, str::FromStr};

/// An order in which a rectangle is written into a tiled surface.
///
/// [`TileCopy`](crate::TileCopy) writes in the best order there is; these are what programs do without it, for comparison: each is a
/// copy that works, and whose stores can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WriteOrder {
    /// Row after row, as an image is read.
    LinearRows,
    /// Columns as wide as a store, each from top to bottom.
    LinearColumns,
    /// The surface's memory from front to back.
    TileOrder,
    /// 16 bytes of each of four rows, which make a line, then the next to the right.
    Optimized,
    /// 16 bytes of each of two rows in one store of 32, then the next to the right: half of each line.
    Rows2x32,
    /// As [`Optimized`](WriteOrder::Optimized), in stores of 32 bytes.
    Rows4x32,
    /// As [`Optimized`](WriteOrder::Optimized), in stores of 64 bytes.
    Rows4x64,
}

/// Every order with its name and the widths of store it can be made of, its usual one first.
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
    /// Every order.
    pub fn all() -> impl Iterator<Item = WriteOrder> {
        ORDERS.iter().map(|(order, ..)| *order)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        ORDERS[self as usize].1
    }

    /// The widths of store in bytes that it can be made of, its usual one first.
    pub const fn store_widths_bytes(self) -> &'static [usize] {
        ORDERS[self as usize].2
    }

    /// The kernel that writes in this order.
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

    /// The order of this name.
    ///
    /// # Errors
    /// [`TilingError::UnknownOrder`] when no order is called so.
    fn from_str(name: &str) -> Result<Self, TilingError> {
        Self::all().find(|order| order.name() == name).ok_or(TilingError::UnknownOrder)
    }
}
