//! Plays a scenario.

use super::super::error::WorkloadError;
use super::super::event::wait;
use super::super::go_on::go_on;
use super::super::mode::{set_developer_mode, try_mode};
use super::super::phase::in_phase;
use super::super::refusal::required;
use super::super::renderer::Renderer;
use super::super::rendezvous::Rendezvous;
use super::super::skip_training::supported;
use super::super::thread_group::{self, ThreadBody};
use super::expression::Variables;
use super::file::ScenarioFile;
use super::stage::{Stage, leave};
use super::step::{Action, Constant, Frames, Refusal, Step};
use crate::caller::{Caller, Callers};
use taut_schemas::{BackgroundProcessingMode as Mode, Call, EventHandle, HResultCode, MeasurementsAction, d3d12};

impl ScenarioFile {
    /// Plays the scenario.
    ///
    /// # Errors
    /// A call failed that it cannot do without, or the system gives no thread; the step's file and line are told.
    pub fn run<C: Callers>(&self, callers: &C) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        let main = &mut main;
        let stage = in_phase(main, (0, "setup"), |main| {
            self.developer_mode.map_or(Ok(()), |enabled| set_developer_mode(main, enabled))?;
            Stage::set_up(main, self)
        })?;
        thread_group::play(callers, main, self.threads(), &stage)?;
        stage.tear_down(main)
    }
}

impl ThreadBody for Stage<'_> {
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError> {
        let renderer = if thread == 0 { self.first().take() } else { Some(self.renderer(caller)?) };
        let variables = Variables { thread: thread.into(), further: 1.0, ..Variables::default() };
        let mut player = Player { stage: self, renderer, variables };
        for (index, phase) in (1..).zip(&self.scenario.phases) {
            // A phase begins when the last one is over in every thread.
            let mut play = |caller: &mut K| {
                let here = rendezvous.meet(caller);
                let steps = phase.threads.get(thread as usize).filter(|_| here.is_ok());
                steps.map_or(Ok(()), |steps| player.take(caller, steps))?;
                let _ = rendezvous.meet(caller);
                Ok(())
            };
            if thread == 0 {
                in_phase(caller, (index, &phase.name), play)?
            } else {
                play(caller)?
            }
            if rendezvous.is_given_up() {
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

/// A thread that takes its steps.
struct Player<'a> {
    stage: &'a Stage<'a>,
    /// None once the device is destroyed.
    renderer: Option<Renderer>,
    variables: Variables,
}

impl Player<'_> {
    /// Takes steps, one after another.
    fn take<K: Caller>(&mut self, caller: &mut K, steps: &[Step]) -> Result<(), WorkloadError> {
        for step in steps {
            go_on(caller)?;
            if step.when.as_ref().is_some_and(|when| when.value(&self.variables) == 0.0) {
                continue;
            }
            self.act(caller, &step.action).map_err(|error| match error {
                // Told by the step that is within another.
                error @ (WorkloadError::Interrupted | WorkloadError::Step { .. }) => error,
                error => {
                    let (origin, line) = (self.stage.scenario.origin.clone(), step.line);
                    WorkloadError::Step { origin, line, what: error.to_string() }
                }
            })?;
        }
        Ok(())
    }

    /// What the thread draws with; with another device, if the last one is destroyed.
    fn renderer<K: Caller>(&mut self, caller: &mut K) -> Result<&mut Renderer, WorkloadError> {
        let renderer = match self.renderer.take() {
            Some(renderer) => renderer,
            None => self.stage.begin(caller)?,
        };
        Ok(self.renderer.insert(renderer))
    }

    fn act<K: Caller>(&mut self, caller: &mut K, action: &Action) -> Result<(), WorkloadError> {
        let stage = self.stage;
        match action {
            Action::SetMode { mode, action, event, asks, refusal } => {
                self.set_mode(caller, (*mode, *action), (*event, *asks), *refusal)
            }
            Action::Play(frames) => (0..frames.frames).try_for_each(|_| self.frame(caller, frames)),
            Action::Wait { event, timeout_ms } => wait(caller, stage.events[*event], *timeout_ms).map(drop),
            Action::Drain => self.renderer.as_ref().map_or(Ok(()), |renderer| renderer.wait_for(caller, 0)),
            Action::AskSupport => {
                self.renderer(caller)?;
                self.variables.supported = f64::from(supported(caller, stage.device())?);
                Ok(())
            }
            Action::DeveloperMode(enabled) => set_developer_mode(caller, *enabled),
            Action::Create(set) => {
                self.renderer(caller)?;
                let created = stage.create(caller, *set)?;
                self.there(*set, created, "that is not there yet")
            }
            Action::Release(set) => {
                let released = stage.release(caller, *set)?;
                self.there(*set, released, "that is there")
            }
            Action::Destroy => match self.renderer.take() {
                None => Ok(()),
                Some(renderer) => {
                    renderer.wait_for(caller, 0)?;
                    stage.end(caller, renderer)
                }
            },
            Action::Repeat { times, while_further, steps } => self.repeat(caller, (*times, *while_further), steps),
        }
    }

    fn there(&self, set: usize, is_so: bool, expected: &'static str) -> Result<(), WorkloadError> {
        let name = || self.stage.scenario.sets[set].name.clone();
        if is_so { Ok(()) } else { Err(WorkloadError::ShaderSet { name: name(), expected }) }
    }

    fn repeat<K: Caller>(
        &mut self,
        caller: &mut K,
        (times, while_further): (u64, bool),
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
        mode: (Mode, MeasurementsAction),
        (event, asks): (Option<usize>, bool),
        refusal: Refusal,
    ) -> Result<(), WorkloadError> {
        self.renderer(caller)?;
        let event = event.map_or(EventHandle::NULL, |event| self.stage.events[event]);
        let set = try_mode(caller, self.stage.device(), mode, (event, asks));
        let call = d3d12::SetBackgroundProcessingMode::NAME;
        match set {
            Ok(_) if refusal == Refusal::Required => Err(WorkloadError::Granted { call }),
            Err(hr) if refusal == Refusal::Ends || hr == HResultCode::DXGI_ERROR_DEVICE_REMOVED => {
                required(call, Err(hr))
            }
            Ok(further) if asks => {
                self.variables.further = f64::from(further);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Draws one frame, and waits for those of which too many are ahead.
    fn frame<K: Caller>(&mut self, caller: &mut K, frames: &Frames) -> Result<(), WorkloadError> {
        let (stage, variables) = (self.stage, self.variables);
        let renderer = self.renderer(caller)?;
        renderer.begin(caller)?;
        let number = frames.frame.as_ref().map_or(variables.frame, |frame| frame.value(&variables));
        {
            let sets = stage.sets();
            let Some(pipelines) = &sets[frames.set] else {
                let name = stage.scenario.sets[frames.set].name.clone();
                return Err(WorkloadError::ShaderSet { name, expected: "that is there" });
            };
            for (pipeline, given) in pipelines.iter().zip(&frames.constants) {
                let own = pipeline.constants(number as u32);
                for (constants, draws) in alike(frames.draws, |draw| drawn_with(&own, given, variables, draw)) {
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

/// The constants of a frame's draw: a shader's own, and in their place those given.
fn drawn_with(own: &[u32], given: &[Constant], variables: Variables, draw: u32) -> Vec<u32> {
    let variables = Variables { draw: draw.into(), ..variables };
    let mut constants = own.to_vec();
    for constant in given {
        constants[constant.slot] = constant.word(constant.value.value(&variables));
    }
    constants
}

/// Constants, and how many draws after one another are made with them; of no draw as well.
fn alike(draws: u32, constants: impl Fn(u32) -> Vec<u32>) -> Vec<(Vec<u32>, u32)> {
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
        assert_eq!(alike(0, |_| vec![7]), [(vec![7], 0)]);
        assert_eq!(alike(5, |_| vec![7]), [(vec![7], 5)]);
        assert_eq!(alike(5, |draw| vec![draw / 2]), [(vec![0], 2), (vec![1], 2), (vec![2], 1)]);
    }
}
