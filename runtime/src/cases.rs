//! Cases: tables of calls and of what they must give, run on a fresh runtime. Names and expectations are read here, whatever the
//! calls are of; a family knows its calls.

mod arguments;
mod case;
mod d3d11;
mod dxgi;
mod error;
mod family;
mod found;
mod run;
mod vocabulary;

pub use case::{Case, CaseFile};
pub use error::CaseError;
pub use run::{Difference, run};
