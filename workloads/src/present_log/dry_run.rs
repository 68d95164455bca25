//! Replay without a recording, which finds the outcome of every frame before the recording begins.

use super::comparison::{Ended, PresentComparison, compare};
use super::log::PresentLog;
use super::plan::PresentPlan;
use super::player::run;
use crate::bundled::{Parameters, WorkloadError};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use taut_capture::{Adapters, Caller, Callers};
use taut_runtime::{Execute, Machine, MachineProfile, Settings, Tap};
use taut_schemas::{
    Decoder, DeviceId, Driver, Encoder, EventCode, EventHandle, HResult, HResultCode, Mark, Opcode, SwapChainId,
    WaitStatus, d3d12, mark,
};

/// Inputs of a dry run besides the log.
#[derive(Clone, Copy)]
pub struct DryRunSetup<'a> {
    pub adapters: &'a Adapters,
    pub settings: &'a Settings,
    pub parameters: &'a Parameters,
    /// Counter of steps, for progress.
    pub presented: &'a AtomicU64,
}

/// Replays a log on a machine of its own, and compares the frames with the log. A recording with the same adapters,
/// settings and parameters has the same frames.
///
/// # Errors
/// A required call failed.
pub fn predict(
    log: &PresentLog,
    plan: &PresentPlan,
    setup: DryRunSetup<'_>,
) -> Result<PresentComparison, WorkloadError> {
    let DryRunSetup { adapters, settings, parameters, presented } = setup;
    let drivers = adapters.profiles().map(|profile| Arc::from(taut_runtime::driver(profile) as Box<dyn Driver>));
    let machine = Machine::with_adapters(settings.clone(), drivers.collect());
    let (profile, count) = (adapters.machine().cloned(), adapters.profiles().count() as u64);
    let Some(machine) = machine else {
        return Ok(compare(log, plan, &vec![None; log.presents.len()], &BTreeMap::new(), count));
    };
    let state = Mutex::new(State { machine, tap: FrameTap::default() });
    let dry_run = DryRun { state, profile, presented };
    let frames = run(log, plan, &dry_run, parameters)?;
    let ended = dry_run.state.into_inner().unwrap_or_else(PoisonError::into_inner).tap.ended;
    Ok(compare(log, plan, &frames, &ended, count))
}

struct State {
    machine: Machine<'static>,
    tap: FrameTap,
}

/// Session that keeps only the outcome of frames.
struct DryRun<'a> {
    state: Mutex<State>,
    profile: Option<MachineProfile>,
    presented: &'a AtomicU64,
}

/// Tap that keeps the outcome of frames.
#[derive(Default)]
struct FrameTap {
    ended: BTreeMap<(SwapChainId, u64), Ended>,
    row: Vec<u8>,
}

impl Tap for FrameTap {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        if code != EventCode::new(mark::FrameEnded::ID, Opcode::Info) {
            return;
        }
        self.row.clear();
        payload(&mut Encoder::new(&mut self.row));
        // The row was encoded by this build, so it can be decoded.
        if let Ok(end) = mark::FrameEnded::decode(&mut Decoder::new(&self.row)) {
            let ended = Ended { outcome: end.outcome, ended_at_ns: end.ended_at_ns };
            self.ended.insert((end.swap_chain, end.present_count), ended);
        }
    }
}

impl Callers for DryRun<'_> {
    type Caller<'a>
        = DryRunThread<'a>
    where
        Self: 'a;

    fn caller(&self, _thread: u32) -> DryRunThread<'_> {
        DryRunThread { state: &self.state, presented: self.presented }
    }

    fn machine(&self) -> Option<MachineProfile> {
        self.profile.clone()
    }
}

/// Application thread of the dry run.
struct DryRunThread<'a> {
    state: &'a Mutex<State>,
    presented: &'a AtomicU64,
}

impl Caller for DryRunThread<'_> {
    fn call<C: Execute>(&mut self, call: C) -> C::Output {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { machine, tap } = &mut *state;
        machine.call(&call, tap)
    }

    /// Presents wait for no event.
    fn wait(&mut self, _event: EventHandle, _timeout_ms: u32) -> HResult<WaitStatus> {
        Err(HResultCode::E_NOTIMPL)
    }

    fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        match self.call(d3d12::ReleaseDevice { device })? {
            0 => self.call(d3d12::FinishReleaseDevice { device }),
            _ => Ok(()),
        }
    }

    fn mark<M: Mark>(&mut self, _mark: M) {}

    fn takes<M: Mark>(&self) -> bool {
        false
    }

    fn step_done(&self) {
        self.presented.fetch_add(1, Ordering::Relaxed);
    }
}
