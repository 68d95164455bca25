//! Unrecorded device for driver queries.

use crate::kernel::DisplayState;
use crate::{Context, DeviceState, Execute, Locked, NullTap, Settings};
use std::cell::RefCell;
use taut_schemas::{AdapterId, AllocationInfo, DeviceId, Driver, MipRegion, ResourceDesc, d3d12, format::Format};

/// Device whose calls are not recorded.
pub struct UnrecordedDevice<'a> {
    settings: &'a Settings,
    driver: &'a dyn Driver,
    state: RefCell<DeviceState>,
    device: DeviceId,
}

impl<'a> UnrecordedDevice<'a> {
    /// Creates a device on this driver. If creation fails, the device rejects every description.
    pub fn new(settings: &'a Settings, driver: &'a dyn Driver) -> UnrecordedDevice<'a> {
        let state = RefCell::new(DeviceState::new(AdapterId::FIRST));
        let mut silent = UnrecordedDevice { settings, driver, state, device: DeviceId::NULL };
        silent.device = silent
            .call(&d3d12::CreateDevice { minimum_feature_level: 0, ..Default::default() })
            .unwrap_or(DeviceId::NULL);
        silent
    }

    /// Returns the answer of GetResourceAllocationInfo for one resource; with castable formats, of
    /// GetResourceAllocationInfo3.
    pub fn answer(&self, desc: &ResourceDesc, castable_formats: &[Format]) -> AllocationInfo {
        let (device, visible_mask, descs) = (self.device, 0, vec![*desc]);
        if castable_formats.is_empty() {
            return self.call(&d3d12::GetResourceAllocationInfo { device, visible_mask, descs });
        }
        let infos = self.call(&d3d12::GetResourceAllocationInfo3 {
            device,
            visible_mask,
            descs,
            mip_regions: vec![MipRegion::default()],
            num_castable_formats: vec![castable_formats.len() as u32],
            castable_formats: castable_formats.to_vec(),
            want_infos: false,
        });
        AllocationInfo { size_bytes: infos.size_bytes, alignment_bytes: infos.alignment_bytes }
    }

    /// Executes a call that needs only the device's lock.
    fn call<C: Execute>(&self, call: &C) -> C::Output {
        let mut tap = NullTap;
        let mut context = Context::new(self.settings, self.driver, &mut tap);
        let (device, display) = (&mut self.state.borrow_mut(), &mut DisplayState::new(1));
        call.execute(&mut context, Locked { device: Some(device), display: Some(display), ..Locked::default() })
    }
}
