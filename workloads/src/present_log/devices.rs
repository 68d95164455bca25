//! Devices of a replay: one of Direct3D 12 per adapter, and one of Direct3D 11 where a swap chain needs it.

use crate::bundled::WorkloadError;
use crate::bundled::refusal::required;
use crate::bundled::renderer::{create_queue, release_queue};
use std::collections::BTreeMap;
use taut_capture::Caller;
use taut_schemas::{AdapterId, CommandQueueId, D3d11DeviceId, DeviceId, d3d11, d3d12, dxgi};

/// MinimumFeatureLevel of the devices: 11_0 (d3dcommon.h: D3D_FEATURE_LEVEL).
const MINIMUM_FEATURE_LEVEL: u32 = 0xb000;
/// Maximum frame latency that DXGI accepts (rule D-09). The program's own waits are part of the capture's times.
const MAX_FRAME_LATENCY: u32 = 16;

/// Devices of the adapters that render, created when they are first used.
#[derive(Debug, Default)]
pub(super) struct Devices {
    d3d12: BTreeMap<AdapterId, (DeviceId, CommandQueueId)>,
    d3d11: BTreeMap<AdapterId, D3d11DeviceId>,
}

impl Devices {
    /// Returns the Direct3D 12 queue of an adapter.
    pub fn queue<K: Caller>(&mut self, caller: &mut K, adapter: AdapterId) -> Result<CommandQueueId, WorkloadError> {
        if let Some((_, queue)) = self.d3d12.get(&adapter) {
            return Ok(*queue);
        }
        let create = d3d12::CreateDevice { minimum_feature_level: MINIMUM_FEATURE_LEVEL, adapter };
        let device = required("CreateDevice", caller.call(create))?;
        let queue = create_queue(caller, device)?;
        self.d3d12.insert(adapter, (device, queue));
        Ok(queue)
    }

    /// Returns the Direct3D 11 device of an adapter, with the maximum frame latency.
    pub fn device_11<K: Caller>(&mut self, caller: &mut K, adapter: AdapterId) -> Result<D3d11DeviceId, WorkloadError> {
        if let Some(device) = self.d3d11.get(&adapter) {
            return Ok(*device);
        }
        let create = d3d11::D3D11CreateDevice { feature_level: MINIMUM_FEATURE_LEVEL, adapter, ..Default::default() };
        let device = required("D3D11CreateDevice", caller.call(create))?.device;
        let set = dxgi::SetDeviceMaximumFrameLatency { device, latency: MAX_FRAME_LATENCY };
        required("SetDeviceMaximumFrameLatency", caller.call(set))?;
        self.d3d11.insert(adapter, device);
        Ok(device)
    }

    /// Releases all devices.
    pub fn release<K: Caller>(self, caller: &mut K) -> Result<(), WorkloadError> {
        for device in self.d3d11.into_values() {
            required("Release", caller.call(d3d11::Release { object: device.into() }))?;
        }
        for (device, queue) in self.d3d12.into_values() {
            release_queue(caller, queue)?;
            required("ReleaseDevice", caller.release_device(device))?;
        }
        Ok(())
    }
}
