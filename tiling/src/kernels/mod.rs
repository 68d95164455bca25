//! Copy loops, the movers that they use, and the choice between them.
//!
//! A loop ([`bands`] and [`edges`], or [`runs`]) walks the rectangle and determines the bytes to move, as offsets into
//! either side. A [`Mover`](mover::Mover) moves them: in safe code ([`slices`]) or through pointers with the
//! processor's vectors ([`raw`]), of which one kind moves nothing ([`null_vector`]); it reports every store to a
//! [`Store`](crate::Store).

pub(crate) mod bands;
pub(crate) mod cpu;
pub(crate) mod dispatch;
pub(crate) mod edges;
pub(crate) mod lines;
pub(crate) mod mover;
pub(crate) mod null_vector;
pub(crate) mod orders;
pub(crate) mod plan;
pub(crate) mod raw;
pub(crate) mod runs;
pub(crate) mod slices;
pub(crate) mod stream;
pub(crate) mod vector;

#[cfg(test)]
mod agreement;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(test, target_arch = "aarch64"))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod sse2;
