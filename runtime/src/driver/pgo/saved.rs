//! Serialisation of the driver's state and work: as JSON, because only drivers of the same profile and people read it.

use super::batch::{Batch, BatchDraw};
use super::code::Code;
use super::optimiser::Optimiser;
use super::pipeline::grid_of;
use super::tuning::{Overhead, TuningWork};
use super::work::Specialisation;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, GpuWork, PipelineStateId, VariantId};
use taut_shaders::{Grid, Word};

/// Serialises the state that the runtime holds for the driver, and `other_state`, the driver's other state.
pub(super) fn save(other_state: &impl Serialize, driver_state: Option<&(dyn Any + Send)>) -> Result<Vec<u8>, String> {
    let driver_state = driver_state
        .map(|driver_state| driver_state.downcast_ref::<Optimiser>().ok_or("what it keeps is another's"))
        .transpose()?;
    if driver_state.is_some_and(|optimiser| !optimiser.reports.is_empty()) {
        return Err("reports of variants are pending".to_owned());
    }
    serde_json::to_vec(&(other_state, driver_state)).map_err(|error| error.to_string())
}

/// Restores the output of [`save`].
pub(super) fn restore<T: DeserializeOwned>(saved: &[u8]) -> Result<(T, Option<Box<dyn Any + Send>>), String> {
    let saved: (T, Option<Optimiser>) = serde_json::from_slice(saved).map_err(|error| error.to_string())?;
    let (other_state, optimiser) = saved;
    Ok((other_state, optimiser.map(|optimiser| Box::new(optimiser) as Box<dyn Any + Send>)))
}

/// Restores the work of a task.
pub(super) fn work(saved: &[u8]) -> Result<Arc<dyn BackgroundWork>, String> {
    // `TuningWork` denies unknown fields, so a specialisation is never parsed as one.
    if let Ok(tuning) = serde_json::from_slice::<TuningWork>(saved) {
        return Ok(Arc::new(tuning));
    }
    let work: Specialisation = serde_json::from_slice(saved).map_err(|error| error.to_string())?;
    Ok(Arc::new(work))
}

/// A batch that stores each shader once, even if several draws run it.
#[derive(Serialize, Deserialize)]
struct SavedBatch<S> {
    shaders: Vec<S>,
    draws: Vec<SavedDraw>,
    constants: Vec<Word>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    panics: bool,
}

/// A draw of a batch, with indices of its shaders and its lane count.
#[derive(Serialize, Deserialize)]
struct SavedDraw {
    pipeline_state: PipelineStateId,
    runs: Option<(usize, usize)>,
    variant: Option<(VariantId, usize)>,
    guard_cost: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    counts: bool,
    #[serde(default, skip_serializing_if = "is_none")]
    overhead: Overhead,
    constants: Range<usize>,
}

fn is_none(overhead: &Overhead) -> bool {
    *overhead == Overhead::default()
}

/// Serialises the GPU work of a submission.
pub(super) fn save_batch(batch: &Batch) -> Option<Vec<u8>> {
    let Batch { draws, constants, panics } = batch;
    let mut codes: Vec<&Arc<Code>> = Vec::new();
    let mut place = |code| {
        codes.iter().position(|known| Arc::ptr_eq(known, code)).unwrap_or_else(|| {
            codes.push(code);
            codes.len() - 1
        })
    };
    let saved = draws.iter().map(|draw| {
        let BatchDraw { pipeline_state, runs, variant, guard_cost, counts, overhead, constants } = draw;
        SavedDraw {
            pipeline_state: *pipeline_state,
            runs: runs.as_ref().map(|(code, grid)| (place(code), grid.lanes())),
            variant: variant.as_ref().map(|(variant, code)| (*variant, place(code))),
            guard_cost: *guard_cost,
            counts: *counts,
            overhead: *overhead,
            constants: constants.clone(),
        }
    });
    let draws = saved.collect();
    serde_json::to_vec(&SavedBatch {
        shaders: codes.iter().map(|code| &***code).collect::<Vec<&Code>>(),
        draws,
        constants: constants.clone(),
        panics: *panics,
    })
    .ok()
}

/// Restores the output of [`save_batch`].
pub(super) fn batch(saved: &[u8]) -> Result<Arc<dyn GpuWork>, String> {
    let saved: SavedBatch<Code> = serde_json::from_slice(saved).map_err(|error| error.to_string())?;
    let shaders: Vec<Arc<Code>> = saved.shaders.into_iter().map(Arc::new).collect();
    let mut grids: Vec<(usize, usize, Arc<Grid>)> = Vec::new();
    let mut draws = Vec::with_capacity(saved.draws.len());
    for draw in saved.draws {
        let SavedDraw { pipeline_state, runs, variant, guard_cost, counts, overhead, constants } = draw;
        let shader = |place: usize| shaders.get(place).ok_or("a draw without its shader");
        let runs = match runs {
            None => None,
            Some((place, lanes)) => {
                let code = shader(place)?;
                let known = grids.iter().find(|(of, with, _)| (*of, *with) == (place, lanes));
                let grid = match known {
                    Some((_, _, grid)) => Arc::clone(grid),
                    None => {
                        let grid = Arc::new(grid_of(code.shader(), lanes).ok_or("more lanes than there can be")?);
                        grids.push((place, lanes, Arc::clone(&grid)));
                        grid
                    }
                };
                Some((Arc::clone(code), grid))
            }
        };
        let variant = match variant {
            None => None,
            Some((variant, place)) => Some((variant, Arc::clone(shader(place)?))),
        };
        draws.push(BatchDraw { pipeline_state, runs, variant, guard_cost, counts, overhead, constants });
    }
    Ok(Arc::new(Batch { draws, constants: saved.constants, panics: saved.panics }))
}
