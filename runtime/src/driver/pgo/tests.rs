//! The driver's rules, each on a bench of its own.

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
