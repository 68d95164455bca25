//! What the program does, one file per command.

pub mod bench_read;
pub mod export;
pub mod figures;
pub mod keep;
mod opened;
pub mod query;
pub mod shell;
