//! Placing a heap's resources anew, where a driver's answers for them are not those that their application knew.
//!
//! An application's allocator chose the recorded offsets for the sizes and alignments it was told. Under others it would
//! have chosen differently, so everything in such a heap is placed anew, first fit in order of creation, and the heap is
//! created as large as that takes. What shared memory still does. The allocator's other decisions (which heap, how many,
//! how large) stay as they were: they are the application's.

mod answers;
mod free_map;
mod group_layout;
mod heap_life;
mod heap_lives;
mod placer;
mod sharing;
mod silent;

pub use answers::{Answers, AskDriver, supports_tight_alignment};
pub use free_map::FreeMap;
pub use heap_life::{HeapEvent, HeapLife, HeapPlacement};
pub use heap_lives::HeapLives;
pub use placer::Refit;
pub use silent::SilentDevice;
