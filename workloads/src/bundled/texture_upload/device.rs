//! Device of an upload, and the calls that create, map, write and release a texture.

use super::image::UploadImage;
use super::kernel;
use super::recorder::{Access, StoreRecorder};
use super::surface::{Mapped, mapped};
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::refusal::required;
use crate::bundled::{Parameters, WorkloadError};
use taut_capture::Caller;
use taut_schemas::{
    BindFlags, CpuAccessFlags, D3d11ContextId, D3d11DeviceAndContext, D3d11DeviceId, D3d11ResourceId, MapFlags,
    MapType, SharedMapData, Texture2dDesc, Usage, d3d11, mark,
};

/// D3D_FEATURE_LEVEL_11_0.
const FEATURE_LEVEL: u32 = 0xb000;

/// Device and immediate context; `direct_access` is true if the driver has the extension.
pub(super) struct UploadDevice {
    device: D3d11DeviceId,
    context: D3d11ContextId,
    direct_access: bool,
}

/// Texture and the staging texture through which it is written.
struct Pair {
    texture: D3d11ResourceId,
    staging: D3d11ResourceId,
}

impl UploadDevice {
    /// Creates the device and initialises the extension.
    pub fn create<C: Caller>(caller: &mut C) -> Result<UploadDevice, WorkloadError> {
        let create = d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() };
        let D3d11DeviceAndContext { device, immediate_context: context } =
            required("D3D11CreateDevice", caller.call(create))?;
        let found = required("InitExtensions", caller.call(d3d11::InitExtensions { device }))?;
        Ok(UploadDevice { device, context, direct_access: found.direct_access })
    }

    /// Creates a texture, writes it the requested number of times, and releases it.
    pub fn upload<C: Caller>(
        &self,
        caller: &mut C,
        parameters: &Parameters,
        image: &UploadImage,
    ) -> Result<(), WorkloadError> {
        let texture = Texture2dDesc {
            width: image.width,
            height: image.height,
            mip_levels: 1,
            array_size: 1,
            format: image.format,
            usage: Usage::DEFAULT,
            bind_flags: BindFlags::SHADER_RESOURCE,
            cpu_access_flags: CpuAccessFlags::NONE,
        };
        let staging = Texture2dDesc {
            usage: Usage::STAGING,
            bind_flags: BindFlags::NONE,
            cpu_access_flags: CpuAccessFlags::READ | CpuAccessFlags::WRITE,
            ..texture
        };
        let pair = Pair { texture: self.texture(caller, texture)?, staging: self.texture(caller, staging)? };
        if self.direct_access {
            self.copy(caller, pair.staging, pair.texture)?;
        }
        for _ in 0..parameters.get("uploads") {
            check_interrupted(caller)?;
            self.write(caller, parameters, image, &pair)?;
            caller.step_done();
        }
        for resource in [pair.staging, pair.texture] {
            required("Release", caller.call(d3d11::Release { object: resource.into() }))?;
        }
        Ok(())
    }

    /// Releases the device.
    pub fn release<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        required("Release", caller.call(d3d11::Release { object: self.device.into() })).map(drop)
    }

    /// Creates a texture. Rule T-04: the extension's call immediately precedes each creation.
    fn texture<C: Caller>(&self, caller: &mut C, desc: Texture2dDesc) -> Result<D3d11ResourceId, WorkloadError> {
        let device = self.device;
        if self.direct_access {
            let marked = caller.call(d3d11::SetDirectAccessResourceExtension { device });
            required("SetDirectAccessResourceExtension", marked)?;
        }
        required("CreateTexture2D", caller.call(d3d11::CreateTexture2D { device, desc, initial_data: false }))
    }

    fn copy<C: Caller>(
        &self,
        caller: &mut C,
        destination: D3d11ResourceId,
        source: D3d11ResourceId,
    ) -> Result<(), WorkloadError> {
        let copy = d3d11::CopyResource { context: self.context, destination, source };
        required("CopyResource", caller.call(copy)).map(drop)
    }

    fn write<C: Caller>(
        &self,
        caller: &mut C,
        parameters: &Parameters,
        image: &UploadImage,
        pair: &Pair,
    ) -> Result<(), WorkloadError> {
        let (context, resource, subresource) = (self.context, pair.staging, 0);
        let reads = parameters.word("read_back") == "rows";
        let map_type = if reads { MapType::READ_WRITE } else { MapType::WRITE };
        let map = d3d11::Map { context, resource, subresource, map_type, map_flags: MapFlags::NONE };
        let data = required("Map", caller.call(map))?;
        // Generating the stores is expensive, so it is skipped if they are not recorded.
        if caller.takes::<mark::MappedWrites>() {
            access(caller, parameters, resource, &into_memory(&data, image, parameters)?, reads)?;
        }
        required("Unmap", caller.call(d3d11::Unmap { context, resource, subresource }))?;
        if !self.direct_access {
            self.copy(caller, pair.texture, resource)?;
            required("GpuWorkCompleted", caller.call(d3d11::GpuWorkCompleted { device: self.device }))?;
        }
        Ok(())
    }
}

fn into_memory(data: &SharedMapData, image: &UploadImage, parameters: &Parameters) -> Result<Mapped, WorkloadError> {
    Ok(mapped(data, image.rect, parameters.word("swizzle") == "other")?)
}

/// Records the writes, the fence after them, and the reads.
fn access<C: Caller>(
    caller: &mut C,
    parameters: &Parameters,
    resource: D3d11ResourceId,
    mapped: &Mapped,
    reads: bool,
) -> Result<(), WorkloadError> {
    let store_bytes = parameters.word("store_bytes").parse().unwrap_or_default();
    let mut recorder = StoreRecorder::new(caller, resource, Access::Write);
    kernel::write(mapped, parameters.word("mode"), store_bytes, |at, width| recorder.accessed(at, width))?;
    recorder.finish();
    caller.mark(mark::MemoryFence { resource });
    if reads {
        let mut recorder = StoreRecorder::new(caller, resource, Access::Read);
        kernel::read(mapped, |at, width| recorder.accessed(at, width))?;
        recorder.finish();
    }
    Ok(())
}
