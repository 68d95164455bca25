//! The alignment figures of a recorded run of D3D12MemoryAllocator's own tests (testdata/d3d12ma-tight.jsonl.gz) against
//! figures that were computed from the same log by other means.

mod figures;
mod log;
mod traced;
