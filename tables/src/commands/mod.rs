//! What the program does, one file per command.

pub mod export;
pub mod figures;
pub mod query;
