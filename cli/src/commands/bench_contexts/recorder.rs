//! A thread that records command lists, and what it records.

use std::time::Instant;
use taut_capture::{Recorder as Recording, Session, SessionThread};
use taut_schemas::{
    BindFlags, D3d11ContextId, D3d11DeviceId, D3d11ViewId, HResult, ShaderStage, Texture2dDesc, d3d11, d3d12,
    format::Format,
};

/// Calls of a list, half of them draws.
pub const LIST_CALLS: u64 = 512;
/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL: u32 = 0xb000;

/// Which of the calls are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole lists: calls, FinishCommandList, the list's release.
    Lists,
    /// Those that name what is open.
    Open,
    /// Those that open what they name.
    Opening,
}

/// A device with as many views as a list has calls that name one.
pub struct Device {
    device: D3d11DeviceId,
    views: Vec<D3d11ViewId>,
}

impl Device {
    /// Makes it.
    ///
    /// # Errors
    /// The first call's that fails.
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

/// One thread with its context.
pub struct Recorder<R: Recording> {
    thread: SessionThread<R>,
    context: D3d11ContextId,
    views: Vec<D3d11ViewId>,
}

impl<R: Recording> Recorder<R> {
    /// A thread of a session with a deferred context of its own.
    ///
    /// # Errors
    /// CreateDeferredContext's.
    pub fn new(session: &Session<R>, of: &Device, number: u32) -> HResult<Recorder<R>> {
        let mut thread = session.thread(number + 1);
        let context = thread.call(d3d11::CreateDeferredContext { device: of.device, flags: 0 })?;
        Ok(Recorder { thread, context, views: of.views.clone() })
    }

    /// Records lists. Gives how many nanoseconds the calls took that are measured, and how many they were.
    pub fn record(&mut self, lists: u32, kind: Kind) -> (u64, u64) {
        let (mut ns, mut calls) = (0, 0);
        for _ in 0..lists {
            let begun = Instant::now();
            self.name_all(1);
            let opened = begun.elapsed();
            let begun_again = Instant::now();
            self.name_all(1);
            let named = begun_again.elapsed();
            let (restore_deferred_context_state, want_command_list) = (false, true);
            let context = self.context;
            let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
            if let Ok(list) = self.thread.call(finish) {
                let _ = self.thread.call(d3d11::Release { object: list.into() });
            }
            let (taken, made) = match kind {
                Kind::Lists => (begun.elapsed(), 2 * LIST_CALLS + 2),
                Kind::Open => (named, LIST_CALLS),
                Kind::Opening => (opened, LIST_CALLS),
            };
            (ns, calls) = (ns + taken.as_nanos() as u64, calls + made);
        }
        (ns, calls)
    }

    /// Binds every view, and draws with it.
    fn name_all(&mut self, vertex_count: u32) {
        let (context, stage, start_slot) = (self.context, ShaderStage::PIXEL, 0);
        for view in &self.views {
            let _ = self.thread.call(d3d11::SetShaderResources { context, stage, start_slot, views: vec![*view] });
            let _ = self.thread.call(d3d11::Draw { context, vertex_count, start_vertex_location: 0 });
        }
    }
}
