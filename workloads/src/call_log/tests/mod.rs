//! Tests of reading and playing logs.

mod check;
mod errors;
mod plan;
mod real;
mod run;
mod sample;
mod truncation;
mod uses;
