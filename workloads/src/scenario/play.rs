//! Execution of a scenario.

use super::expression::Variables;
use super::file::ScenarioFile;
use super::shared_state::{SharedState, leave};
use super::step::{Action, Constant, Frames, Refusal, Step};
use crate::bundled::adapter_queries::{query_adapter, start_adapter, start_application};
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::error::WorkloadError;
use crate::bundled::event::wait;
use crate::bundled::mode::{ModeEvent, set_developer_mode, try_mode};
use crate::bundled::phase::in_phase;
use crate::bundled::refusal::required;
use crate::bundled::renderer::Renderer;
use crate::bundled::skip_training::supported;
use crate::bundled::thread_barrier::ThreadBarrier;
use crate::bundled::thread_group::{self, ThreadBody};
use taut_capture::{Caller, Callers};
use taut_schemas::{BackgroundProcessingMode as Mode, Call, EventHandle, HResultCode, MeasurementsAction, d3d12};

impl ScenarioFile {
    /// Runs the scenario.
    ///
    /// # Errors
    /// A required call failed, or the system cannot create a thread; the error has the step's file and line.
    pub fn run<C: Callers>(&self, callers: &C) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let main = &mut main;
        let shared_state = in_phase(main, 0, "setup", |main| {
            self.developer_mode.map_or(Ok(()), |enabled| set_developer_mode(main, enabled))?;
            SharedState::set_up(main, self)
        })?;
        thread_group::play(callers, main, self.threads(), &shared_state)?;
        shared_state.tear_down(main)
    }
}

impl ThreadBody for SharedState<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError> {
        let renderer = if thread == 0 { self.first().take() } else { Some(self.renderer(caller)?) };
        let variables = Variables { thread: thread.into(), further: 1.0, ..Variables::default() };
        let mut player = Player { shared_state: self, renderer, variables };
        for (index, phase) in (1..).zip(&self.scenario.phases) {
            // A phase begins only after the previous one has ended in every thread.
            let mut play = |caller: &mut K| {
                let here = barrier.wait(caller);
                let steps = phase.threads.get(thread as usize).filter(|_| here.is_ok());
                steps.map_or(Ok(()), |steps| player.take(caller, steps))?;
                let _ = barrier.wait(caller);
                Ok(())
            };
            if thread == 0 {
                in_phase(caller, index, &phase.name, play)?
            } else {
                play(caller)?
            }
            if barrier.is_cancelled() {
                break;
            }
        }
        match player.renderer {
            Some(renderer) if thread > 0 => leave(caller, renderer),
            renderer => {
                *self.first() = renderer;
                Ok(())
            }
        }
    }
}

/// Thread that executes its steps.
struct Player<'a> {
    shared_state: &'a SharedState<'a>,
    /// `None` once the device is destroyed.
    renderer: Option<Renderer>,
    variables: Variables,
}

impl Player<'_> {
    /// Executes steps in order.
    fn take<K: Caller>(&mut self, caller: &mut K, steps: &[Step]) -> Result<(), WorkloadError> {
        for step in steps {
            check_interrupted(caller)?;
            if step.when.as_ref().is_some_and(|when| when.value(&self.variables) == 0.0) {
                continue;
            }
            self.act(caller, &step.action).map_err(|error| match error {
                // A nested step has already added its position.
                error @ (WorkloadError::Interrupted | WorkloadError::Step { .. }) => error,
                error => {
                    let (origin, line) = (self.shared_state.scenario.origin.clone(), step.line);
                    WorkloadError::Step { origin, line, what: error.to_string() }
                }
            })?;
        }
        Ok(())
    }

    /// Returns the thread's renderer; creates another device if the last one was destroyed.
    fn renderer<K: Caller>(&mut self, caller: &mut K) -> Result<&mut Renderer, WorkloadError> {
        let renderer = match self.renderer.take() {
            Some(renderer) => renderer,
            None => self.shared_state.begin(caller)?,
        };
        Ok(self.renderer.insert(renderer))
    }

    fn act<K: Caller>(&mut self, caller: &mut K, action: &Action) -> Result<(), WorkloadError> {
        let shared_state = self.shared_state;
        match action {
            Action::SetMode { mode, action, event, queries_further, refusal } => {
                let event = event.map_or(EventHandle::NULL, |event| shared_state.events[event]);
                let signal = ModeEvent { event, want_further: *queries_further };
                self.set_mode(caller, *mode, *action, signal, *refusal)
            }
            Action::Play(frames) => (0..frames.frames).try_for_each(|_| self.frame(caller, frames)),
            Action::Wait { event, timeout_ms } => wait(caller, shared_state.events[*event], *timeout_ms).map(drop),
            Action::Drain => self.renderer.as_ref().map_or(Ok(()), |renderer| renderer.wait_for(caller, 0)),
            Action::QuerySupport => {
                self.renderer(caller)?;
                self.variables.supported = f64::from(supported(caller, shared_state.device())?);
                Ok(())
            }
            Action::DeveloperMode(enabled) => set_developer_mode(caller, *enabled),
            Action::Create(set) => {
                self.renderer(caller)?;
                let created = shared_state.create(caller, *set)?;
                self.require_state(*set, created, "that is not there yet")
            }
            Action::Release(set) => {
                let released = shared_state.release(caller, *set)?;
                self.require_state(*set, released, "that exists")
            }
            Action::Destroy => match self.renderer.take() {
                None => Ok(()),
                Some(renderer) => {
                    renderer.wait_for(caller, 0)?;
                    shared_state.end(caller, renderer)
                }
            },
            Action::StartAdapter(adapter) => start_adapter(caller, *adapter),
            Action::QueryAdapter(query) => query_adapter(caller, *query),
            Action::StartApplication { application, adapter } => {
                start_application(caller, application, *adapter).map(drop)
            }
            Action::Repeat { times, while_further, steps } => self.repeat(caller, *times, *while_further, steps),
        }
    }

    fn require_state(&self, set: usize, is_so: bool, expected: &'static str) -> Result<(), WorkloadError> {
        let name = || self.shared_state.scenario.sets[set].name.clone();
        if is_so { Ok(()) } else { Err(WorkloadError::ShaderSet { name: name(), expected }) }
    }

    fn repeat<K: Caller>(
        &mut self,
        caller: &mut K,
        times: u64,
        while_further: bool,
        steps: &[Step],
    ) -> Result<(), WorkloadError> {
        let outer = self.variables.pass;
        for pass in 0..times {
            self.variables.pass = pass as f64;
            self.take(caller, steps)?;
            if while_further && self.variables.further == 0.0 {
                break;
            }
        }
        self.variables.pass = outer;
        Ok(())
    }

    fn set_mode<K: Caller>(
        &mut self,
        caller: &mut K,
        mode: Mode,
        action: MeasurementsAction,
        signal: ModeEvent,
        refusal: Refusal,
    ) -> Result<(), WorkloadError> {
        self.renderer(caller)?;
        let set = try_mode(caller, self.shared_state.device(), mode, action, signal);
        let call = d3d12::SetBackgroundProcessingMode::NAME;
        match set {
            Ok(_) if refusal == Refusal::Required => Err(WorkloadError::UnexpectedSuccess { call }),
            Err(hr) if refusal == Refusal::Ends || hr == HResultCode::DXGI_ERROR_DEVICE_REMOVED => {
                required(call, Err(hr))
            }
            Ok(further) if signal.want_further => {
                self.variables.further = f64::from(further);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Draws one frame, and waits until few enough frames are pending.
    fn frame<K: Caller>(&mut self, caller: &mut K, frames: &Frames) -> Result<(), WorkloadError> {
        let (shared_state, variables) = (self.shared_state, self.variables);
        let renderer = self.renderer(caller)?;
        renderer.begin(caller)?;
        let number = frames.frame.as_ref().map_or(variables.frame, |frame| frame.value(&variables));
        {
            let sets = shared_state.sets();
            let Some(pipelines) = &sets[frames.set] else {
                let name = shared_state.scenario.sets[frames.set].name.clone();
                return Err(WorkloadError::ShaderSet { name, expected: "that exists" });
            };
            for (pipeline, replaced) in pipelines.iter().zip(&frames.constants) {
                let own = pipeline.constants(number as u32);
                for (constants, draws) in group_equal(frames.draws, |draw| drawn_with(&own, replaced, variables, draw))
                {
                    renderer.draw(caller, pipeline, constants, draws)?;
                }
            }
        }
        renderer.submit(caller)?;
        renderer.wait_for(caller, frames.ahead)?;
        self.variables.frame += 1.0;
        Ok(())
    }
}

/// Returns the constants of a draw: the shader's own, with the given values in their slots.
fn drawn_with(own: &[u32], replaced: &[Constant], variables: Variables, draw: u32) -> Vec<u32> {
    let variables = Variables { draw: draw.into(), ..variables };
    let mut constants = own.to_vec();
    for constant in replaced {
        constants[constant.slot] = constant.word(constant.value.value(&variables));
    }
    constants
}

/// Groups consecutive draws with equal constants; also returns the constants if there is no draw.
fn group_equal(draws: u32, constants: impl Fn(u32) -> Vec<u32>) -> Vec<(Vec<u32>, u32)> {
    let mut runs = vec![(constants(0), draws.min(1))];
    for draw in 1..draws {
        let of_draw = constants(draw);
        match runs.last_mut() {
            Some((last, count)) if *last == of_draw => *count += 1,
            _ => runs.push((of_draw, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_with_the_same_constants_are_bound_once() {
        assert_eq!(group_equal(0, |_| vec![7]), [(vec![7], 0)]);
        assert_eq!(group_equal(5, |_| vec![7]), [(vec![7], 5)]);
        assert_eq!(group_equal(5, |draw| vec![draw / 2]), [(vec![0], 2), (vec![1], 2), (vec![2], 1)]);
    }
}
