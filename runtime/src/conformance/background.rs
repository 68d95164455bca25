//! Background processing: what the runtime and a driver say to each other while frames are drawn and modes change.

mod drawing;
mod drawing_machine;
mod estimates;
mod levels;
mod locks;
mod modes;
mod tasks;

pub(super) use drawing::{falls_back, outputs_stay};
pub(super) use estimates::keeps_to_its_estimates;
pub(super) use locks::lets_go_of_its_locks;
pub(super) use modes::{commit_scales_up, converges, stays_the_same, writes_further};
pub(super) use tasks::{
    abandons_the_dead, decides_by_finished_work, does_nothing_when_cancelled, queues_once, survives_cancel,
};
