//! Commands of the program, one file each.

pub mod bench_read;
pub mod cache_tables;
pub mod duckdb;
mod duckdb_views;
pub mod export;
pub mod figures;
pub mod opened;
pub mod query;
