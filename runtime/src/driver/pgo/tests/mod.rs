//! Tests of the driver's rules on a bench without a runtime.

mod answers;
mod bench;
mod convergence;
mod counters;
mod disabled;
mod drift;
mod faulty;
mod freedom;
mod further;
mod lifetime;
mod outputs;
mod refused;
mod selection;
