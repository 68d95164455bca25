//! Set-up shared by the DXGI cases: a simulated machine with one adapter and one display, devices, and simulated time.

use super::Dxgi;
use taut_schemas::{
    AdapterId, AdapterParts, CommandListType, CommandQueueDesc, CommandQueueId, D3d11DeviceId, DeviceId, DisplayMode,
    HResult, d3d11, d3d12, machine,
};

/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL_11_0: u32 = 0xb000;

impl Dxgi {
    /// Sets up a machine with an adapter that uses system memory, and a display of 1920 by 1080 at 60 Hz. The adapter
    /// is started only if the driver has a kernel-mode part.
    pub(super) fn set_up_machine(&mut self, has_kernel_driver: bool) {
        let adapter = AdapterId::FIRST;
        self.execute(&machine::DescribeMachine {
            system_memory_bytes_per_second: 50_000_000_000,
            cross_adapter_fence_ns: 10_000,
        });
        let parts = AdapterParts {
            uses_system_memory: true,
            memory_bytes_per_second: 0,
            link_bytes_per_second: 0,
            copy_engines: 1,
            copy_bytes_per_second: 10_000_000_000,
        };
        self.execute(&machine::DescribeAdapter { adapter, parts });
        if has_kernel_driver {
            self.execute(&machine::StartAdapter { adapter });
        }
        let mode = DisplayMode {
            width: 1920,
            height: 1080,
            refresh_millihertz: 60_000,
            rotation_degrees: 0,
            variable_refresh_from_millihertz: 0,
        };
        self.execute(&machine::ConnectDisplay { adapter, mode });
    }

    /// Creates a Direct3D 12 device and a direct command queue.
    pub(super) fn create_d3d12_queue(&mut self) -> HResult<(DeviceId, CommandQueueId)> {
        let (minimum_feature_level, adapter) = (FEATURE_LEVEL_11_0, AdapterId::FIRST);
        let device = self.execute(&d3d12::CreateDevice { minimum_feature_level, adapter })?;
        let desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
        Ok((device, self.execute(&d3d12::CreateCommandQueue { device, desc })?))
    }

    pub(super) fn create_d3d11_device(&mut self) -> HResult<D3d11DeviceId> {
        let create = d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL_11_0, ..Default::default() };
        self.execute(&create).map(|returned| returned.device)
    }

    /// Returns the time of the next simulated event, in nanoseconds. `None` if there is no event, or before the first
    /// swap chain.
    pub(super) fn next_event_ns(&mut self) -> Option<u64> {
        // An advance to the present time returns the time of the next event and changes nothing else.
        let next = self.execute(&machine::AdvanceSimulation { until_at_ns: self.now_ns }).ok()?;
        (next != u64::MAX).then_some(next)
    }

    /// Advances simulated time to `target_ns`, which is not in the past.
    pub(super) fn advance(&mut self, target_ns: u64) {
        // The runtime refuses to advance before the first swap chain; the time then stays as it is.
        if self.execute(&machine::AdvanceSimulation { until_at_ns: target_ns }).is_ok() {
            self.now_ns = target_ns;
        }
    }
}
