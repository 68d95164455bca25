//! Threads of the benchmark that record command lists into deferred contexts.

use std::time::Instant;
use taut_capture::{Recorder as Recording, Session, SessionThread};
use taut_schemas::{
    BindFlags, D3d11ContextId, D3d11DeviceId, D3d11ViewId, HResult, ShaderStage, Texture2dDesc, d3d11, d3d12,
    format::Format,
};

/// Calls of one pass over all views, half of them draws. Each list has two passes.
pub const LIST_CALLS: u64 = 512;
/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL: u32 = 0xb000;

/// Selection of the calls that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole lists: both passes, FinishCommandList, and the release of the list.
    Lists,
    /// The second pass: the handles that its calls use are open.
    Open,
    /// The first pass: its calls open the handles that they use.
    Opening,
}

/// A device with one view for each bind call of a pass.
pub struct Device {
    device: D3d11DeviceId,
    views: Vec<D3d11ViewId>,
}

impl Device {
    /// Creates the device and its views.
    ///
    /// # Errors
    /// The error of the first call that fails.
    pub fn new<R: Recording>(session: &Session<R>) -> HResult<Device> {
        let mut thread = session.thread(1);
        thread.call(d3d12::CreateDevice::default())?;
        let create = d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() };
        let device = thread.call(create)?.device;
        let desc = Texture2dDesc {
            width: 8,
            height: 8,
            mip_levels: 1,
            array_size: 1,
            format: Format::R8G8B8A8_UNORM,
            bind_flags: BindFlags::SHADER_RESOURCE,
            ..Default::default()
        };
        let mut views = Vec::new();
        for _ in 0..LIST_CALLS / 2 {
            let resource = thread.call(d3d11::CreateTexture2D { device, desc, initial_data: false })?;
            views.push(thread.call(d3d11::CreateShaderResourceView { device, resource, desc: None })?);
        }
        Ok(Device { device, views })
    }
}

/// A thread with its deferred context.
pub struct Recorder<R: Recording> {
    thread: SessionThread<R>,
    context: D3d11ContextId,
    views: Vec<D3d11ViewId>,
}

impl<R: Recording> Recorder<R> {
    /// Creates a thread of the session with its own deferred context.
    ///
    /// # Errors
    /// The error of CreateDeferredContext.
    pub fn new(session: &Session<R>, of: &Device, number: u32) -> HResult<Recorder<R>> {
        let mut thread = session.thread(number + 1);
        let context = thread.call(d3d11::CreateDeferredContext { device: of.device, flags: 0 })?;
        Ok(Recorder { thread, context, views: of.views.clone() })
    }

    /// Records lists. Returns the total time of the measured calls in nanoseconds, and their number.
    pub fn record(&mut self, lists: u32, kind: Kind) -> (u64, u64) {
        let (mut ns, mut calls) = (0, 0);
        for _ in 0..lists {
            let begun = Instant::now();
            self.use_all(1);
            let opened = begun.elapsed();
            let begun_second = Instant::now();
            self.use_all(1);
            let named = begun_second.elapsed();
            let (restore_deferred_context_state, want_command_list) = (false, true);
            let context = self.context;
            let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
            if let Ok(list) = self.thread.call(finish) {
                let _ = self.thread.call(d3d11::Release { object: list.into() });
            }
            let (taken, measured_calls) = match kind {
                Kind::Lists => (begun.elapsed(), 2 * LIST_CALLS + 2),
                Kind::Open => (named, LIST_CALLS),
                Kind::Opening => (opened, LIST_CALLS),
            };
            (ns, calls) = (ns + taken.as_nanos() as u64, calls + measured_calls);
        }
        (ns, calls)
    }

    /// Binds every view, and draws with it.
    fn use_all(&mut self, vertex_count: u32) {
        let (context, stage, start_slot) = (self.context, ShaderStage::PIXEL, 0);
        for view in &self.views {
            let _ = self.thread.call(d3d11::SetShaderResources { context, stage, start_slot, views: vec![*view] });
            let _ = self.thread.call(d3d11::Draw { context, vertex_count, start_vertex_location: 0 });
        }
    }
}
