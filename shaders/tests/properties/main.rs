//! Properties of all functions, tested on random ones; one binary, because each links the back end.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

mod agreement;
mod bundled;
mod checker;
mod exhaustive;
mod math;
mod profiles;
mod random;
mod text;
