//! The graphics kernel as rundown records. Nested plain data is stored in them as JSON.

use super::state::DisplayState;
use crate::records::{RestoreError, RundownError, StateRecords, check_count, invalid_value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use taut_schemas::{AdapterId, Mark, SwapChainId, state};

fn json(value: &impl Serialize) -> Result<String, RundownError> {
    serde_json::to_string(value).map_err(|_| RundownError::Uncovered("a value without a JSON form"))
}

fn read<T: DeserializeOwned, M: Mark>(text: &str) -> Result<T, RestoreError> {
    serde_json::from_str(text).or_else(|error| invalid_value::<_, M>("state written by the graphics kernel", error))
}

impl DisplayState {
    /// Writes the records. Writes no record if no input has changed the state.
    pub(crate) fn save(&self, records: &mut StateRecords) -> Result<(), RundownError> {
        if self.is_new() {
            return Ok(());
        }
        let DisplayState { adapters, presents, shared } = self;
        let super::presents::Presents { parts, displays, chains, last_chain, simulation, desktop, .. } = presents;
        records.put(&state::GraphicsKernel {
            last_chain: SwapChainId(*last_chain),
            parts: json(parts)?,
            desktop: json(desktop)?,
            shared: json(shared)?,
            frames: simulation.as_ref().map(json).transpose()?.unwrap_or_default(),
        });
        for (adapter, kernel) in (1..).map(AdapterId).zip(adapters) {
            records.put(&state::KernelAdapter { adapter, kernel: json(kernel)? });
        }
        for (number, display) in (0..).zip(displays) {
            let state = json(display)?;
            records.put(&state::Display { display: number, adapter: display.adapter, state });
        }
        for (id, chain) in chains {
            records.put(&state::SwapChain {
                swap_chain: SwapChainId(*id),
                adapter: chain.render,
                display: chain.display,
                mode: chain.mode,
                present_count: chain.present_count,
                state: json(chain)?,
            });
        }
        Ok(())
    }

    /// Restores the state from its record.
    pub(crate) fn restore(&mut self, record: &state::GraphicsKernel) -> Result<(), RestoreError> {
        let state::GraphicsKernel { last_chain, parts, desktop, shared, frames } = record;
        let presents = &mut self.presents;
        presents.last_chain = check_count::<state::GraphicsKernel>(last_chain.0)?;
        presents.parts = read::<_, state::GraphicsKernel>(parts)?;
        presents.desktop = read::<_, state::GraphicsKernel>(desktop)?;
        self.shared = read::<_, state::GraphicsKernel>(shared)?;
        let frames = (!frames.is_empty()).then(|| read::<_, state::GraphicsKernel>(frames));
        presents.simulation = frames.transpose()?;
        // MachineParts by adapter index, so the numbers must agree.
        if presents.parts.count() != self.adapters.len() {
            return invalid_value::<_, state::GraphicsKernel>("parts of each adapter", presents.parts.count());
        }
        Ok(())
    }

    /// Restores an adapter from its record.
    pub(crate) fn restore_adapter(&mut self, record: &state::KernelAdapter) -> Result<(), RestoreError> {
        let state::KernelAdapter { adapter, kernel } = record;
        match self.adapters.get_mut(adapter.index()).filter(|_| *adapter != AdapterId::NULL) {
            Some(slot) => *slot = read::<_, state::KernelAdapter>(kernel)?,
            None => return invalid_value::<_, state::KernelAdapter>("an adapter of the machine", adapter.0),
        }
        Ok(())
    }

    /// Restores a display from its record.
    pub(crate) fn restore_display(&mut self, record: &state::Display) -> Result<(), RestoreError> {
        let state::Display { display, adapter: _, state } = record;
        // Displays are numbered in order, and records keep that order.
        if *display as usize != self.presents.displays.len() {
            return invalid_value::<_, state::Display>("displays with consecutive numbers", display);
        }
        self.presents.displays.push(read::<_, state::Display>(state)?);
        Ok(())
    }

    /// Restores a swap chain from its record.
    pub(crate) fn restore_chain(&mut self, record: &state::SwapChain) -> Result<(), RestoreError> {
        let state::SwapChain { swap_chain, adapter: _, display: _, mode: _, present_count: _, state } = record;
        self.presents.chains.insert(swap_chain.0, read::<_, state::SwapChain>(state)?);
        Ok(())
    }

    /// Validates that the records are consistent with each other.
    pub(crate) fn check(&self) -> Result<(), RestoreError> {
        let presents = &self.presents;
        let displays = presents.displays.len();
        let adapters = self.adapters.len();
        let here = |adapter: AdapterId| adapter != AdapterId::NULL && adapter.index() < adapters;
        if presents.displays.iter().any(|display| !here(display.adapter)) {
            return invalid_value::<_, state::Display>("displays of the machine's adapters", displays);
        }
        let is_sound = |chain: &super::SwapChain| {
            let front = &chain.application;
            (chain.display as usize) < displays
                && here(chain.render)
                && here(chain.display_adapter)
                && (front.index as usize) < front.buffers.len().max(1)
        };
        if let Some((id, _)) = presents.chains.iter().find(|(_, chain)| !is_sound(chain)) {
            return invalid_value::<_, state::SwapChain>("a chain on a display and adapters of the machine", id);
        }
        let simulation = presents.simulation.as_ref();
        if simulation.is_none() && !presents.chains.is_empty() {
            return invalid_value::<_, state::GraphicsKernel>(
                "frames on their way, since there are swap chains",
                "none",
            );
        }
        if simulation.is_some_and(|simulation| !simulation.is_sound(presents.parts.capacities().len(), displays)) {
            return invalid_value::<_, state::GraphicsKernel>("frames on the machine's engines and displays", "others");
        }
        Ok(())
    }
}
