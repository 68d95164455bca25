//! Test cases: tables of calls with expected results, run on a fresh runtime. Names and expectations are parsed here
//! for all families; a family executes its calls.

mod arguments;
mod case;
mod d3d11;
mod dxgi;
mod error;
mod family;
mod found;
mod parse;
mod run;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use case::{Case, CaseFile, UnsupportedStep};
pub use error::CaseError;
pub use run::{CaseVerdict, Difference, run};
