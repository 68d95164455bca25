//! The lists of events: one file per interface of a header. [`for_each_family!`](crate::for_each_family) assembles the
//! lists and describes an entry.

mod d3d11;
mod d3d11_callbacks;
mod d3d11_context_ddi;
mod d3d11_ddi;
mod d3d12;
mod d3d12_callbacks;
mod d3d12_ddi;
mod d3dkmt;
mod dxgi;
mod dxgi_chains;
mod dxgi_ddi;
mod dxgi_latency;
mod dxgkddi;
mod machine;
mod marks;
mod state;
mod win32;
