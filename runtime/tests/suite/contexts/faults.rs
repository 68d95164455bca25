//! Tests of drivers that break a rule of the context DDI.

use crate::world::World;
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::{
    BindFlags, ContextCallbacks, Driver, DriverLayer, FunctionTable, HResultCode, HandleSizes, PrivateSize,
    ShaderStage, Texture2dDesc, ThreadingCaps, d3d11, d3d11_context_ddi as ddi, format::Format,
};

/// Fault of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Builds command lists without free threading.
    Caps,
    /// Reports more sizes than it has counted.
    Polls,
    /// Reports a size of 0.
    Zero,
    /// Returns a size that it has not reported.
    Unlisted,
    /// Leaves the pixel shader's views out of a deferred context's table.
    Slot,
}

struct Faulty {
    below: Box<dyn Driver>,
    fault: Fault,
}

impl DriverLayer for Faulty {
    taut_schemas::changes!(d3d11_context_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.below
    }
}

impl Faulty {
    fn table(&self) -> &dyn ddi::DeviceFuncs {
        self.below.d3d11_context_ddi().unwrap()
    }
}

impl ddi::DeviceFuncsLayer for Faulty {
    fn get_threading_caps(&self, call: &ddi::GetThreadingCaps) -> ThreadingCaps {
        let caps = self.table().get_threading_caps(call);
        if self.fault == Fault::Caps { caps.without(ThreadingCaps::FREETHREADED) } else { caps }
    }

    fn check_deferred_context_handle_sizes(
        &self,
        memory: &mut dyn ContextCallbacks,
        call: &ddi::CheckDeferredContextHandleSizes,
    ) -> HandleSizes {
        let mut handle_sizes = self.table().check_deferred_context_handle_sizes(memory, call);
        match self.fault {
            Fault::Polls => handle_sizes.count += u32::from(call.capacity.is_some()),
            Fault::Zero => handle_sizes.sizes.iter_mut().take(1).for_each(|size| size.size_bytes = 0),
            _ => {}
        }
        handle_sizes
    }

    fn calc_deferred_context_handle_size(
        &self,
        memory: &mut dyn ContextCallbacks,
        call: &ddi::CalcDeferredContextHandleSize,
    ) -> PrivateSize {
        let PrivateSize { size_bytes } = self.table().calc_deferred_context_handle_size(memory, call);
        PrivateSize { size_bytes: size_bytes + u64::from(self.fault == Fault::Unlisted) }
    }

    fn create_deferred_context(
        &self,
        memory: &mut dyn ContextCallbacks,
        call: &ddi::CreateDeferredContext,
    ) -> FunctionTable {
        let mut table = self.table().create_deferred_context(memory, call);
        let id = <ddi::SetShaderResources as taut_schemas::Call>::ID;
        let missing = FunctionTable::stage_slot(id, ShaderStage::PIXEL);
        table.slots.retain(|slot| self.fault != Fault::Slot || *slot != missing);
        table
    }
}

/// Returns the rules broken until a view is bound in a deferred context, and the result.
fn broken(fault: Fault, strict: bool) -> (Vec<String>, Result<usize, HResultCode>) {
    let below = driver(&Profile::named("multi-size").unwrap());
    let mut world = World::with(Box::new(Faulty { below, fault }), Settings { strict, ..Settings::default() });
    let mut found = Vec::new();
    let mut run = || {
        macro_rules! returns_ok {
            ($call:expr) => {{
                let returns_ok = world.call(&$call);
                found.extend(world.violations().into_iter().map(|violation| violation.rule));
                returns_ok?
            }};
        }
        let returns_ok = returns_ok!(d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() });
        let device = returns_ok.device;
        let desc = Texture2dDesc {
            width: 8,
            height: 8,
            mip_levels: 1,
            array_size: 1,
            format: Format::R8G8B8A8_UNORM,
            bind_flags: BindFlags::SHADER_RESOURCE,
            ..Default::default()
        };
        let resource = returns_ok!(d3d11::CreateTexture2D { device, desc, initial_data: false });
        let view = returns_ok!(d3d11::CreateShaderResourceView { device, resource, desc: None });
        let context = returns_ok!(d3d11::CreateDeferredContext { device, flags: 0 });
        let mut set = 0;
        for stage in [ShaderStage::PIXEL, ShaderStage::VERTEX] {
            returns_ok!(d3d11::SetShaderResources { context, stage, start_slot: 0, views: vec![view] });
            set += world.ddi::<ddi::SetShaderResources>().len();
        }
        Ok(set)
    };
    let ended = run();
    (found, ended)
}

#[test]
fn h21_a_driver_that_is_not_free_threaded_builds_no_lists() {
    let (rules, ended) = broken(Fault::Caps, false);
    assert_eq!((rules, ended), (vec!["H-21".to_owned()], Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR)));
}

#[test]
fn h20_h22_sizes_are_those_of_the_first_poll_and_none_is_0() {
    let (rules, ended) = broken(Fault::Polls, false);
    assert_eq!((rules, ended), (vec!["H-20".to_owned()], Ok(2)));
    let (rules, _) = broken(Fault::Zero, false);
    assert_eq!(rules[0], "H-22");
    assert_eq!(broken(Fault::Zero, true).1, Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
}

#[test]
fn h24_a_size_that_was_not_reported_is_a_violation() {
    let (rules, ended) = broken(Fault::Unlisted, false);
    // One violation for the texture and one for its view: each gets a size class of its own.
    assert_eq!((rules, ended), (vec!["H-24".to_owned(); 2], Ok(2)));
    let (rules, ended) = broken(Fault::Unlisted, true);
    assert_eq!((rules, ended), (vec!["H-24".to_owned()], Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED)));
}

#[test]
fn h42_what_is_not_in_a_table_is_not_called() {
    // The function of one stage is missing, that of another exists.
    let (rules, ended) = broken(Fault::Slot, false);
    assert_eq!((rules, ended), (vec!["H-42".to_owned()], Ok(1)));
}
