//! The import of `taut-app`, compiled from its sources without the other operations.
// The target calls a part of the sources.
#![allow(dead_code)]

#[path = "../../../testkit/src/etl_file.rs"]
mod etl_file;
#[path = "../../../app/src/etl_info.rs"]
pub mod etl_info;
#[path = "../../../app/src/import/mod.rs"]
pub mod import;

pub use etl_file::{EtlEvent, EtlFile};

type Source = Box<dyn std::error::Error + Send + Sync>;

/// The errors of `taut_app::Error` that an import has.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("unknown {what} {name}")]
    UnknownName { what: &'static str, name: String, known: Vec<String> },
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Write(#[from] taut_traces::WriteError),
    #[error(transparent)]
    Input(Source),
    #[error(transparent)]
    Io(Source),
    #[error("{context}")]
    In { context: String, source: Box<Error> },
}

impl Error {
    pub fn usage(error: impl std::fmt::Display) -> Self {
        Self::Usage(error.to_string())
    }

    pub fn input(error: impl Into<Source>) -> Self {
        Self::Input(error.into())
    }

    pub fn io(error: impl Into<Source>) -> Self {
        Self::Io(error.into())
    }

    pub fn context(self, context: impl Into<String>) -> Self {
        Self::In { context: context.into(), source: Box::new(self) }
    }
}
