//! Repacking of a heap's resources when the driver's sizes and alignments differ from the recorded sizes and
//! alignments.
//!
//! An application's allocator chose the recorded offsets for the sizes and alignments that its driver reported. Under
//! others it would have chosen differently, so all resources of such a heap are placed again, first fit in order of
//! creation, and the heap grows as needed. Resources that shared memory still do. The allocator's other decisions
//! (which heap, how many, how large) stay as recorded: they are the application's.

mod answers;
mod free_map;
mod group_layout;
mod heap_lifetime;
mod heap_lifetimes;
mod placer;
mod sharing;
mod unrecorded_device;

pub use answers::{Answers, DriverQuery, supports_tight_alignment};
pub use free_map::FreeMap;
pub use heap_lifetime::{HeapEvent, HeapLifetime, HeapPlacement};
pub use heap_lifetimes::HeapLifetimes;
pub use placer::RepackedHeap;
pub use unrecorded_device::UnrecordedDevice;
