//! One binary of tests.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod compression;
mod damaged;
mod decoding;
mod manifest;
mod real_files;
mod synthetic;
mod writer;
