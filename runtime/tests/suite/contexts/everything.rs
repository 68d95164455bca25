//! Every object that a context can bind, and every call that binds, draws, clears or queries.

use super::app::App;
use taut_schemas::{
    BindFlags, BufferDesc, Bytes, ClearFlags, ComparisonFunc, CullMode, D3d11ContextId, D3d11DepthStencilDesc,
    D3d11InputLayoutId, D3d11QueryId, D3d11RasterizerDesc, D3d11Rect, D3d11ResourceId, D3d11SamplerDesc, D3d11ShaderId,
    D3d11StateId, D3d11ViewId, D3d11Viewport, FillMode, GetDataFlags, HResult, InputLayoutDesc, ObjectId,
    PrimitiveTopology, QueryDesc, QueryType, ShaderDesc, ShaderStage, TextureAddressMode, VertexBufferBinding, d3d11,
    format::Format,
};

/// One object of each kind.
#[derive(Debug, Clone, Copy)]
pub struct Everything {
    pub texture: D3d11ResourceId,
    pub input: D3d11ViewId,
    pub target: D3d11ViewId,
    pub unordered: D3d11ViewId,
    pub buffer: D3d11ResourceId,
    pub depth: D3d11ResourceId,
    pub depth_view: D3d11ViewId,
    pub depth_state: D3d11StateId,
    pub rasterizer: D3d11StateId,
    pub sampler: D3d11StateId,
    pub shader: D3d11ShaderId,
    pub layout: D3d11InputLayoutId,
    pub query: D3d11QueryId,
    pub predicate: D3d11QueryId,
}

/// Number of different calls.
pub const CALLS: usize = 27;

/// Number of queries.
pub const QUERIES: usize = 17;

/// Red, as output of a pixel shader.
pub const RED: [u32; 4] = [0x3f80_0000, 0, 0, 0x3f80_0000];

impl App {
    /// Releases the objects that queries returned.
    pub fn release_all(&mut self, returned: Vec<ObjectId>) {
        for object in returned.into_iter().filter(|object| object.0 != 0) {
            self.release(object).unwrap();
        }
    }

    pub fn buffer(&mut self, bind_flags: BindFlags) -> D3d11ResourceId {
        let desc = BufferDesc { size_bytes: 64, bind_flags, ..Default::default() };
        self.call(&d3d11::CreateBuffer { device: self.device, desc, initial_data: false }).unwrap()
    }

    pub fn target(&mut self, resource: D3d11ResourceId) -> D3d11ViewId {
        self.call(&d3d11::CreateRenderTargetView { device: self.device, resource, desc: None }).unwrap()
    }

    pub fn sampler(&mut self, max_anisotropy: u32) -> D3d11StateId {
        let wrap = TextureAddressMode::WRAP;
        let desc = D3d11SamplerDesc {
            address_u: wrap,
            address_v: wrap,
            address_w: wrap,
            max_anisotropy,
            ..Default::default()
        };
        self.call(&d3d11::CreateSamplerState { device: self.device, desc }).unwrap()
    }

    pub fn query(&mut self, query: QueryType) -> D3d11QueryId {
        let desc = QueryDesc { query, misc_flags: 0 };
        let is_predicate = query.is_predicate();
        self.call(&d3d11::CreateQuery { device: self.device, desc, is_predicate }).unwrap()
    }

    pub fn pixel_shader(&mut self) -> D3d11ShaderId {
        let [output_red, output_green, output_blue, output_alpha] = RED;
        let desc = ShaderDesc {
            stage: ShaderStage::PIXEL,
            size_bytes: 64,
            digest: 1,
            is_constant: true,
            output_red,
            output_green,
            output_blue,
            output_alpha,
        };
        self.call(&d3d11::CreateShader { device: self.device, desc }).unwrap()
    }

    pub fn everything(&mut self) -> Everything {
        let device = self.device;
        let all = BindFlags::SHADER_RESOURCE | BindFlags::RENDER_TARGET | BindFlags::UNORDERED_ACCESS;
        let texture = self.texture(all);
        let depth = self.texture(BindFlags::DEPTH_STENCIL);
        let (input, target) = (self.view(texture), self.target(texture));
        let of_depth = d3d11::CreateDepthStencilView { device, resource: depth, desc: None };
        let of_texture = d3d11::CreateUnorderedAccessView { device, resource: texture, desc: None };
        let depth_desc =
            D3d11DepthStencilDesc { depth_enable: true, depth_func: ComparisonFunc::LESS, ..Default::default() };
        let rasterizer =
            D3d11RasterizerDesc { fill_mode: FillMode::SOLID, cull_mode: CullMode::BACK, ..Default::default() };
        Everything {
            texture,
            input,
            target,
            depth,
            depth_view: self.call(&of_depth).unwrap(),
            unordered: self.call(&of_texture).unwrap(),
            buffer: self.buffer(BindFlags::VERTEX_BUFFER | BindFlags::INDEX_BUFFER | BindFlags::CONSTANT_BUFFER),
            depth_state: self.call(&d3d11::CreateDepthStencilState { device, desc: depth_desc }).unwrap(),
            rasterizer: self.call(&d3d11::CreateRasterizerState { device, desc: rasterizer }).unwrap(),
            sampler: self.sampler(0),
            shader: self.pixel_shader(),
            layout: self.call(&d3d11::CreateInputLayout { device, desc: InputLayoutDesc::default() }).unwrap(),
            query: self.query(QueryType::OCCLUSION),
            predicate: self.query(QueryType::OCCLUSION_PREDICATE),
        }
    }

    pub fn viewport(&mut self, context: D3d11ContextId, side: f32) {
        let side = side.to_bits();
        let viewports = vec![D3d11Viewport { width: side, height: side, ..Default::default() }];
        self.call(&d3d11::RSSetViewports { context, viewports }).unwrap();
    }

    /// Makes the call with this number.
    pub fn any_call(&mut self, context: D3d11ContextId, of: &Everything, which: usize) -> HResult<()> {
        let (stage, start_slot) = (ShaderStage((which % 6) as u32), 1);
        match which % CALLS {
            0 => self.call(&d3d11::SetShaderResources { context, stage, start_slot, views: vec![of.input] }),
            1 => self.call(&d3d11::SetConstantBuffers { context, stage, start_slot, buffers: vec![of.buffer] }),
            2 => self.call(&d3d11::SetSamplers { context, stage, start_slot, samplers: vec![of.sampler] }),
            3 => self.call(&d3d11::SetShader { context, stage: ShaderStage::PIXEL, shader: of.shader }),
            4 => self.call(&d3d11::IASetInputLayout { context, input_layout: of.layout }),
            5 => {
                let vertex_buffers = vec![VertexBufferBinding { buffer: of.buffer, stride_bytes: 12, offset_bytes: 0 }];
                self.call(&d3d11::IASetVertexBuffers { context, start_slot, vertex_buffers })
            }
            6 => {
                let (format, offset_bytes) = (Format::R16_UINT, 0);
                self.call(&d3d11::IASetIndexBuffer { context, index_buffer: of.buffer, format, offset_bytes })
            }
            7 => self.call(&d3d11::IASetPrimitiveTopology { context, topology: PrimitiveTopology::TRIANGLELIST }),
            8 => self.call(&d3d11::RSSetState { context, rasterizer_state: of.rasterizer }),
            9 => {
                let side = 8_f32.to_bits();
                let viewports = vec![D3d11Viewport { width: side, height: side, ..Default::default() }];
                self.call(&d3d11::RSSetViewports { context, viewports })
            }
            10 => self.call(&d3d11::RSSetScissorRects { context, rects: vec![D3d11Rect::default()] }),
            11 => {
                let (render_targets, depth_stencil) = (vec![of.target], of.depth_view);
                self.call(&d3d11::OMSetRenderTargets { context, render_targets, depth_stencil })
            }
            12 => {
                let (depth_stencil_state, stencil_ref) = (of.depth_state, 3);
                self.call(&d3d11::OMSetDepthStencilState { context, depth_stencil_state, stencil_ref })
            }
            13 => self.call(&d3d11::CSSetUnorderedAccessViews { context, start_slot, views: vec![of.unordered] }),
            14 => self.call(&d3d11::SetPredication { context, predicate: of.predicate, value: true }),
            _ => self.any_work(context, of, which),
        }
    }

    fn any_work(&mut self, context: D3d11ContextId, of: &Everything, which: usize) -> HResult<()> {
        let (index_count, instances) = (6, 2);
        match which % CALLS {
            15 => self.call(&d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }),
            16 => {
                let start_index_location = 0;
                let base_vertex_location = u32::MAX;
                self.call(&d3d11::DrawIndexed { context, index_count, start_index_location, base_vertex_location })
            }
            17 => self.call(&d3d11::DrawInstanced {
                context,
                vertex_count_per_instance: 3,
                instance_count: instances,
                ..Default::default()
            }),
            18 => self.call(&d3d11::DrawIndexedInstanced {
                context,
                index_count_per_instance: index_count,
                instance_count: instances,
                ..Default::default()
            }),
            19 => self.call(&d3d11::Dispatch { context, thread_group_count_x: 1, ..Default::default() }),
            20 => self.call(&d3d11::ClearRenderTargetView { context, view: of.target, color: RED.to_vec() }),
            21 => {
                let clear_flags = ClearFlags::DEPTH | ClearFlags::STENCIL;
                self.call(&d3d11::ClearDepthStencilView {
                    context,
                    view: of.depth_view,
                    clear_flags,
                    depth: 0,
                    stencil: 0,
                })
            }
            22 => {
                let values = vec![0, 1, 2, 3];
                self.call(&d3d11::ClearUnorderedAccessViewUint { context, view: of.unordered, values })
            }
            23 => {
                let data = Bytes(vec![7; 64]);
                self.call(&d3d11::UpdateSubresource { context, resource: of.buffer, subresource: 0, data })
            }
            24 => self.call(&d3d11::Begin { context, query: of.query }),
            25 => self.call(&d3d11::End { context, query: of.query }),
            _ => self.call(&d3d11::ClearState { context }),
        }
    }

    /// Makes the query with this number. Returns the returned objects, each with one more reference.
    pub fn any_query(&mut self, context: D3d11ContextId, of: &Everything, which: usize) -> Vec<ObjectId> {
        use taut_schemas::Field;
        let (stage, start_slot, count) = (ShaderStage((which % 6) as u32), 0, 4);
        let mut found = Vec::new();
        macro_rules! query_objects {
            ($($number:literal $call:expr;)*) => {
                match which % QUERIES {
                    $( $number => self.call(&$call).visit_objects(&mut |object| found.push(object)), )*
                    _ => {}
                }
            };
        }
        query_objects! {
            0 d3d11::GetShaderResources { context, stage, start_slot, count };
            1 d3d11::GetConstantBuffers { context, stage, start_slot, count };
            2 d3d11::GetSamplers { context, stage, start_slot, count };
            3 d3d11::GetShader { context, stage: ShaderStage::PIXEL };
            4 d3d11::IAGetInputLayout { context };
            5 d3d11::IAGetVertexBuffers { context, start_slot, count };
            6 d3d11::IAGetIndexBuffer { context };
            7 d3d11::IAGetPrimitiveTopology { context };
            8 d3d11::RSGetState { context };
            9 d3d11::RSGetViewports { context };
            10 d3d11::RSGetScissorRects { context };
            11 d3d11::OMGetRenderTargets { context, count };
            12 d3d11::OMGetBlendState { context };
            13 d3d11::OMGetDepthStencilState { context };
            14 d3d11::CSGetUnorderedAccessViews { context, start_slot, count };
            15 d3d11::GetPredication { context };
            16 d3d11::GetData { context, query: of.query, size_bytes: 8, want_data: true, flags: GetDataFlags::NONE };
        }
        found
    }
}

impl Everything {
    /// Returns all objects.
    pub fn objects(&self) -> Vec<u64> {
        let views = [self.input.0, self.target.0, self.unordered.0, self.depth_view.0];
        let states = [self.depth_state.0, self.rasterizer.0, self.sampler.0, self.shader.0, self.layout.0];
        let rest = [self.texture.0, self.buffer.0, self.depth.0, self.query.0, self.predicate.0];
        [&views[..], &states, &rest].concat()
    }
}
