//! Checks of background processing: calls between runtime and driver while frames are drawn and modes change.

mod drawing;
mod drawing_machine;
mod estimates;
mod levels;
mod locks;
mod modes;
mod tasks;

pub(super) use drawing::{falls_back_to_generic, outputs_are_unchanged};
pub(super) use estimates::respects_its_estimates;
pub(super) use locks::releases_its_locks;
pub(super) use modes::{commit_scales_up, converges, cost_is_constant, writes_further};
pub(super) use tasks::{
    decides_by_finished_work, discards_dead_results, does_nothing_when_cancelled, queues_once, survives_cancel,
};
