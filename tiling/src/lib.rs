//! Addresses in tiled textures, and fast copies between tiled and linear memory.
//!
//! Graphics memory is rarely laid out row by row. The bits of x and y are interleaved, so that neighbours in the image
//! are neighbours in memory. This crate implements the tilings of Intel GPUs (X, Y, W, Yf, Ys, Tile4, Tile64, with and
//! without channel-select swizzle) and the 64 KB standard swizzle of Direct3D, in two and three dimensions.
//!
//! - [`LAYOUTS`] is the table of all rules; [`Layout`] names a line of it.
//! - [`Surface`] and [`Layout::offset_bytes`] convert a [`Position`] to an offset, and back.
//! - [`TileCopy`] copies any [`Rect`] in either direction, with the best [`Kernel`] of the processor.
//! - [`Store`] observes the stores of a copy; [`WriteCombiner`] is a `Store` that models write-combining memory.
//! - [`WriteOrder`] names the orders in which programs write tiled memory, good and bad, for comparison.
//!
//! x is in bytes, y in rows, z in slices; for block-compressed formats in rows and bytes of blocks. A surface is one
//! mip level of one array slice; the caller knows where it starts.
//!
//! ```
//! use taut_tiling::{Layout, Position, Rect, Surface, linear_to_tiled};
//!
//! // 256 x 64 texels of 4 bytes, row by row.
//! let image: Vec<u8> = (0..256 * 64 * 4).map(|at| (at / 7) as u8).collect();
//!
//! let surface = Surface::fitting(Layout::TileY, 256 * 4, 64)?;
//! let mut memory = vec![0; surface.size_bytes() as usize];
//! linear_to_tiled(&image, 256 * 4, &mut memory, &surface, Rect::from_origin(256 * 4, 64))?;
//!
//! let texel = Position::from_texel(100, 33, 0, 4)?;
//! let offset = surface.offset_bytes(texel)? as usize;
//! assert_eq!(memory[offset..][..4], image[(33 * 256 + 100) * 4..][..4]);
//! # Ok::<(), taut_tiling::TilingError>(())
//! ```
//!
//! The crate has no dependency, allocates nothing and needs no `std`. No argument makes it panic; an invalid one is
//! reported by a [`TilingError`] that names it. `unsafe` is confined to the modules of the kernels, and every offset is
//! compared with the length of its slice before a pointer is used.
#![no_std]
#![deny(unsafe_code)]

mod address;
mod bits;
mod copy;
mod error;
mod kernel;
mod kernels;
mod layout;
mod order;
mod ordered_copy;
mod position;
mod rect;
mod rule;
mod store;
mod surface;
mod write_combining;

pub use copy::{TileCopy, linear_to_tiled, tiled_to_linear};
pub use error::TilingError;
pub use kernel::{Kernel, Streaming};
pub use kernels::stream::stream_copy;
pub use layout::{LAYOUTS, Layout};
pub use order::WriteOrder;
pub use position::Position;
pub use rect::Rect;
pub use rule::Rule;
pub use store::Store;
pub use surface::Surface;
pub use write_combining::{WriteCombiner, WriteCounts, line_transactions};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
