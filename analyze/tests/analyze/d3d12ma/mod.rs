//! Alignment figures of a recorded run of D3D12MemoryAllocator's own tests (testdata/d3d12ma-tight.jsonl.gz), compared
//! with figures computed independently from the same log.

mod figures;
mod from_trace;
mod log;
