//! The end of the process.

use crate::outcome::Outcome;
use crate::printing::tell;
use std::process::ExitCode;

/// Ends the process as `outcome` says; a failure's chain of causes goes to stderr.
pub fn exit(outcome: Outcome) -> ExitCode {
    match outcome.map_err(|failure| failure.told()) {
        Ok(status) => ExitCode::from(status as u8),
        Err(None) => ExitCode::SUCCESS,
        Err(Some((code, error))) => {
            tell(error);
            ExitCode::from(code)
        }
    }
}
