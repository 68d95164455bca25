//! Driver layer that panics in one function of the driver, as configured by the profile.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::{
    BackgroundWork, Call, Driver, DriverLayer, DriverMemory, EventVisitor, Family, GpuWork, Layer, Mark, changes,
    d3d11_callbacks, d3d11_context_ddi, d3d11_ddi, d3d12_callbacks, d3d12_ddi, dxgi_ddi, dxgkddi, visit_events,
};

/// Layer on top of the driver that the rest of the profile describes.
pub(crate) struct Panicking {
    below: Box<dyn Driver>,
    function: String,
    /// Ids of the functions with this name, in several DDIs, and whether their calls have a total order under the
    /// locks. Calls without one are not counted: the counts of two runs would differ.
    lines: BTreeMap<u16, bool>,
    /// Number of the call that panics; `None`: every call panics.
    at_call: Option<u64>,
    /// Number of counted calls so far.
    calls: AtomicU64,
}

impl Panicking {
    pub fn new(below: Box<dyn Driver>, function: &str, at_call: Option<u64>) -> Panicking {
        let lines = functions(function).into_iter().collect();
        Panicking { below, function: function.to_owned(), lines, at_call, calls: AtomicU64::new(0) }
    }
}

/// Returns the driver functions with this name: their ids, and whether the locks give their calls a total order.
pub(crate) fn functions(name: &str) -> Vec<(u16, bool)> {
    let mut named = Named { name, found: Vec::new() };
    visit_events(&mut named);
    named.found
}

struct Named<'n> {
    name: &'n str,
    found: Vec<(u16, bool)>,
}

impl EventVisitor for Named<'_> {
    fn call<C: Call>(&mut self) {
        let is = |family: Family| C::FAMILY.provider == family.provider;
        let is_function = C::LAYER == Layer::Ddi && !is(d3d12_callbacks::FAMILY) && !is(d3d11_callbacks::FAMILY);
        if is_function && C::NAME == self.name {
            // Calls of several contexts run concurrently.
            self.found.push((C::ID, !is(d3d11_context_ddi::FAMILY)));
        }
    }

    fn mark<M: Mark>(&mut self) {}
}

impl DriverLayer for Panicking {
    fn below(&self) -> &dyn Driver {
        &*self.below
    }

    changes!(d3d12_ddi, d3d11_ddi, d3d11_context_ddi, dxgi_ddi, dxgkddi);

    fn forwards(&self, line: u16) {
        match self.lines.get(&line) {
            None => {}
            Some(false) => panic!("the driver panics in {}", self.function),
            Some(true) => {
                let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
                assert!(self.at_call.is_some_and(|at_call| call != at_call), "the driver panics at its call {call}");
            }
        }
    }

    fn memory(&self) -> Option<&dyn DriverMemory> {
        // Saved through this layer, so that the call counter is restored as well.
        self.below.memory().map(|_| self as _)
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Panicking {}
impl d3d11_ddi::DeviceFuncsLayer for Panicking {}
impl d3d11_context_ddi::DeviceFuncsLayer for Panicking {}
impl dxgi_ddi::DeviceFuncsLayer for Panicking {}
impl dxgkddi::DeviceFuncsLayer for Panicking {}

/// Saved state: the call counter, followed by the state of the driver below.
impl DriverMemory for Panicking {
    fn save(&self, driver_state: Option<&(dyn Any + Send)>) -> Result<Vec<u8>, String> {
        let mut saved = self.calls.load(Ordering::Relaxed).to_le_bytes().to_vec();
        saved.extend(below(self)?.save(driver_state)?);
        Ok(saved)
    }

    fn restore(&self, saved: &[u8]) -> Result<Option<Box<dyn Any + Send>>, String> {
        let (calls, rest) = saved.split_first_chunk().ok_or("there is no number of calls")?;
        self.calls.store(u64::from_le_bytes(*calls), Ordering::Relaxed);
        below(self)?.restore(rest)
    }

    fn restore_work(&self, saved: &[u8]) -> Result<Arc<dyn BackgroundWork>, String> {
        below(self)?.restore_work(saved)
    }

    fn restore_gpu_work(&self, saved: &[u8]) -> Result<Arc<dyn GpuWork>, String> {
        below(self)?.restore_gpu_work(saved)
    }
}

fn below(driver: &Panicking) -> Result<&dyn DriverMemory, String> {
    driver.below.memory().ok_or_else(|| "the driver does not serialise its state".to_owned())
}
