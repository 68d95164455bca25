//! The runtime and its driver models against their rules.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod background;
mod bent;
mod call_log;
mod cases;
mod classic;
mod committed;
mod conformance;
mod contexts;
mod coverage;
mod descs;
mod execution;
mod features;
mod floors;
mod footprints;
mod forbidden;
mod heaps;
mod instant_access;
mod kernel;
mod kit;
mod kit_background;
mod knobs;
mod lifetimes;
mod presents;
mod profiles;
mod properties;
mod scan_out;
mod scripted;
mod several;
mod shared_textures;
mod shown;
mod swap_chains;
mod tight;
mod tight_alignment_asked;
mod world;
