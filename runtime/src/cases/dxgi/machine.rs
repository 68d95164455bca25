//! The machine that cases of DXGI run on: one adapter, one display, and its time.

use super::Dxgi;
use taut_schemas::{
    AdapterId, AdapterParts, CommandListType, CommandQueueDesc, CommandQueueId, D3d11DeviceId, DeviceId, DisplayMode,
    HResult, d3d11, d3d12, machine,
};

/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL: u32 = 0xb000;

impl Dxgi {
    /// A display of 1920 by 1080 at 60 Hz.
    pub(super) fn describe(&mut self, starts: bool) {
        let adapter = AdapterId::FIRST;
        self.made(&machine::DescribeMachine {
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
        self.made(&machine::DescribeAdapter { adapter, parts });
        if starts {
            self.made(&machine::StartAdapter { adapter });
        }
        let mode = DisplayMode {
            width: 1920,
            height: 1080,
            refresh_millihertz: 60_000,
            rotation_degrees: 0,
            variable_refresh_from_millihertz: 0,
        };
        self.made(&machine::ConnectDisplay { adapter, mode });
    }

    pub(super) fn made_queue(&mut self) -> HResult<(DeviceId, CommandQueueId)> {
        let (minimum_feature_level, adapter) = (FEATURE_LEVEL, AdapterId::FIRST);
        let device = self.made(&d3d12::CreateDevice { minimum_feature_level, adapter })?;
        let desc = CommandQueueDesc { list_type: CommandListType::DIRECT, ..CommandQueueDesc::default() };
        Ok((device, self.made(&d3d12::CreateCommandQueue { device, desc })?))
    }

    pub(super) fn made_device11(&mut self) -> HResult<D3d11DeviceId> {
        let create = d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() };
        self.made(&create).map(|made| made.device)
    }

    /// When something happens next; nothing, if nothing does.
    pub(super) fn next_at_ns(&mut self) -> Option<u64> {
        let until_at_ns = self.now_ns;
        let next = self.made(&machine::AdvanceSimulation { until_at_ns }).ok()?;
        (next != u64::MAX).then_some(next)
    }

    pub(super) fn advance(&mut self, until_at_ns: u64) {
        // Time that runs backwards is refused, and nothing here wants it.
        if self.made(&machine::AdvanceSimulation { until_at_ns }).is_ok() {
            self.now_ns = until_at_ns;
        }
    }
}
