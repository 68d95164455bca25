//! Objects used in a recording, one of each kind.

use super::context_device::{ContextDevice, release};
use crate::bundled::WorkloadError;
use crate::bundled::refusal::required;
use taut_capture::Caller;
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, ColorWriteEnable, CpuAccessFlags, CullMode, D3d11QueryId, D3d11RasterizerDesc,
    D3d11ResourceId, D3d11SamplerDesc, D3d11ShaderId, D3d11StateId, D3d11ViewId, FillMode, QueryDesc, QueryType,
    RenderTargetBlendDesc, ShaderDesc, ShaderStage, Texture2dDesc, TextureAddressMode, Usage, d3d11, format::Format,
};

/// Width and height of the textures, in texels.
pub(super) const SIDE: u32 = 64;

/// Objects used in a recording, one of each kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoundObjects {
    pub texture: D3d11ResourceId,
    pub input: D3d11ViewId,
    pub canvas: D3d11ResourceId,
    pub target: D3d11ViewId,
    pub constants: D3d11ResourceId,
    pub vertices: D3d11ResourceId,
    pub blend: D3d11StateId,
    pub rasterizer: D3d11StateId,
    pub sampler: D3d11StateId,
    pub shader: D3d11ShaderId,
    pub query: D3d11QueryId,
}

impl BoundObjects {
    /// Creates the objects. `kind` varies the descriptions of states; they have few distinct values, so many state
    /// objects are shared.
    pub fn create<C: Caller>(
        caller: &mut C,
        context_device: &ContextDevice,
        kind: u32,
    ) -> Result<BoundObjects, WorkloadError> {
        let device = context_device.device;
        let texture = texture(caller, context_device, BindFlags::SHADER_RESOURCE)?;
        let canvas = texture_for_drawing(caller, context_device)?;
        let of_texture = d3d11::CreateShaderResourceView { device, resource: texture, desc: None };
        let of_canvas = d3d11::CreateRenderTargetView { device, resource: canvas, desc: None };
        let input = required("CreateShaderResourceView", caller.call(of_texture))?;
        let target = required("CreateRenderTargetView", caller.call(of_canvas))?;
        let dynamic = BufferAccess { usage: Usage::DYNAMIC, cpu_access_flags: CpuAccessFlags::WRITE };
        let constants = buffer(caller, context_device, 256, BindFlags::CONSTANT_BUFFER, dynamic)?;
        let vertices = buffer(
            caller,
            context_device,
            1024,
            BindFlags::VERTEX_BUFFER,
            BufferAccess { usage: Usage::DEFAULT, cpu_access_flags: CpuAccessFlags::NONE },
        )?;
        let write_mask = ColorWriteEnable(ColorWriteEnable::ALL.0 - kind % 2);
        let render_target = RenderTargetBlendDesc { write_mask, ..Default::default() };
        let desc = BlendDesc { render_targets: vec![render_target], ..Default::default() };
        let blend = required("CreateBlendState", caller.call(d3d11::CreateBlendState { device, desc }))?;
        let cull_mode = CullMode(1 + kind % 3);
        let desc = D3d11RasterizerDesc { fill_mode: FillMode::SOLID, cull_mode, ..Default::default() };
        let rasterizer = required("CreateRasterizerState", caller.call(d3d11::CreateRasterizerState { device, desc }))?;
        let address = TextureAddressMode(1 + kind % 3);
        let (address_u, address_v, address_w) = (address, address, address);
        let desc = D3d11SamplerDesc { address_u, address_v, address_w, ..Default::default() };
        let sampler = required("CreateSamplerState", caller.call(d3d11::CreateSamplerState { device, desc }))?;
        let desc = ShaderDesc { stage: ShaderStage::PIXEL, size_bytes: 512, digest: kind.into(), ..Default::default() };
        let shader = required("CreateShader", caller.call(d3d11::CreateShader { device, desc }))?;
        let desc = QueryDesc { query: QueryType::OCCLUSION, misc_flags: 0 };
        let create = d3d11::CreateQuery { device, desc, is_predicate: false };
        let query = required("CreateQuery", caller.call(create))?;
        Ok(BoundObjects {
            texture,
            input,
            canvas,
            target,
            constants,
            vertices,
            blend,
            rasterizer,
            sampler,
            shader,
            query,
        })
    }

    /// Releases the objects, resources before their views: objects that are still referenced remain alive.
    pub fn release<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        let resources = [self.texture, self.canvas, self.constants, self.vertices].map(|resource| resource.0);
        let views = [self.input, self.target].map(|view| view.0);
        let states = [self.blend, self.rasterizer, self.sampler].map(|state| state.0);
        for object in [&resources[..], &views, &states, &[self.shader.0, self.query.0]].concat() {
            release(caller, taut_schemas::ObjectId(object))?;
        }
        Ok(())
    }
}

fn texture_for_drawing<C: Caller>(
    caller: &mut C,
    context_device: &ContextDevice,
) -> Result<D3d11ResourceId, WorkloadError> {
    texture(caller, context_device, BindFlags::RENDER_TARGET | BindFlags::SHADER_RESOURCE)
}

fn texture<C: Caller>(
    caller: &mut C,
    context_device: &ContextDevice,
    bind_flags: BindFlags,
) -> Result<D3d11ResourceId, WorkloadError> {
    let desc = Texture2dDesc {
        width: SIDE,
        height: SIDE,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        usage: Usage::DEFAULT,
        bind_flags,
        cpu_access_flags: CpuAccessFlags::NONE,
    };
    let create = d3d11::CreateTexture2D { device: context_device.device, desc, initial_data: false };
    required("CreateTexture2D", caller.call(create))
}

/// Access of the processor to a buffer.
#[derive(Clone, Copy)]
struct BufferAccess {
    usage: Usage,
    cpu_access_flags: CpuAccessFlags,
}

fn buffer<C: Caller>(
    caller: &mut C,
    context_device: &ContextDevice,
    size_bytes: u32,
    bind_flags: BindFlags,
    access: BufferAccess,
) -> Result<D3d11ResourceId, WorkloadError> {
    let BufferAccess { usage, cpu_access_flags } = access;
    let desc = BufferDesc { size_bytes, usage, bind_flags, cpu_access_flags };
    let create = d3d11::CreateBuffer { device: context_device.device, desc, initial_data: false };
    required("CreateBuffer", caller.call(create))
}
