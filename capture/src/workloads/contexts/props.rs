//! What a recording names: one object of each kind.

use super::studio::{Studio, release};
use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::refusal::required;
use taut_schemas::{
    BindFlags, BlendDesc, BufferDesc, ColorWriteEnable, CpuAccessFlags, CullMode, D3d11QueryId, D3d11RasterizerDesc,
    D3d11ResourceId, D3d11SamplerDesc, D3d11ShaderId, D3d11StateId, D3d11ViewId, FillMode, QueryDesc, QueryType,
    RenderTargetBlendDesc, ShaderDesc, ShaderStage, Texture2dDesc, TextureAddressMode, Usage, d3d11, format::Format,
};

/// Texels of a side of the textures.
pub(super) const SIDE: u32 = 64;

/// Objects of each kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Props {
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

impl Props {
    /// Creates them. `kind` tells their states from those of others; there are few of these, so many are one object.
    pub fn create<C: Caller>(caller: &mut C, studio: &Studio, kind: u32) -> Result<Props, WorkloadError> {
        let device = studio.device;
        let texture = texture(caller, studio, BindFlags::SHADER_RESOURCE)?;
        let canvas = texture_for_drawing(caller, studio)?;
        let of_texture = d3d11::CreateShaderResourceView { device, resource: texture, desc: None };
        let of_canvas = d3d11::CreateRenderTargetView { device, resource: canvas, desc: None };
        let input = required("CreateShaderResourceView", caller.call(of_texture))?;
        let target = required("CreateRenderTargetView", caller.call(of_canvas))?;
        let dynamic = (Usage::DYNAMIC, CpuAccessFlags::WRITE);
        let constants = buffer(caller, studio, (256, BindFlags::CONSTANT_BUFFER), dynamic)?;
        let vertices =
            buffer(caller, studio, (1024, BindFlags::VERTEX_BUFFER), (Usage::DEFAULT, CpuAccessFlags::NONE))?;
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
        Ok(Props { texture, input, canvas, target, constants, vertices, blend, rasterizer, sampler, shader, query })
    }

    /// Releases them, views after what they are of: who holds one of them still has it.
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

fn texture_for_drawing<C: Caller>(caller: &mut C, studio: &Studio) -> Result<D3d11ResourceId, WorkloadError> {
    texture(caller, studio, BindFlags::RENDER_TARGET | BindFlags::SHADER_RESOURCE)
}

fn texture<C: Caller>(
    caller: &mut C,
    studio: &Studio,
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
    let create = d3d11::CreateTexture2D { device: studio.device, desc, initial_data: false };
    required("CreateTexture2D", caller.call(create))
}

fn buffer<C: Caller>(
    caller: &mut C,
    studio: &Studio,
    (size_bytes, bind_flags): (u32, BindFlags),
    (usage, cpu_access_flags): (Usage, CpuAccessFlags),
) -> Result<D3d11ResourceId, WorkloadError> {
    let desc = BufferDesc { size_bytes, usage, bind_flags, cpu_access_flags };
    let create = d3d11::CreateBuffer { device: studio.device, desc, initial_data: false };
    required("CreateBuffer", caller.call(create))
}
