//! Direct3D 11 objects of a drawn scene: targets, buffers, states, shaders and views.

use super::content::Drawing;
use super::material::{Material, TEXTURES};
use super::primitive::Source;
use crate::bundled::WorkloadError;
use crate::bundled::contexts::context_device::{ContextDevice, release};
use crate::bundled::refusal::required;
use std::collections::BTreeMap;
use taut_capture::Caller;
use taut_schemas::{
    BindFlags, BufferDesc, CpuAccessFlags, D3d11InputLayoutId, D3d11ResourceId, D3d11ShaderId, D3d11StateId,
    D3d11ViewId, Dimension, HResultCode, InputLayoutDesc, ObjectId, ResourceDesc, ShaderDesc, ShaderStage,
    Texture2dDesc, Texture3dDesc, Usage, d3d11, format::Format,
};

/// Width and height of the target, in texels.
pub(super) const TARGET: (u32, u32) = (1920, 1080);
/// Size in bytes of the constant buffer of a node or material.
const CONSTANT_BYTES: u32 = 256;
/// Size in bytes of a shader's code; the code itself does not exist.
const SHADER_BYTES: u64 = 2048;

/// Objects that a material binds.
#[derive(Debug, Clone, Copy)]
pub(super) struct MaterialObjects {
    pub constants: D3d11ResourceId,
    pub blend: D3d11StateId,
    pub rasterizer: D3d11StateId,
    pub shader: D3d11ShaderId,
    pub views: [D3d11ViewId; TEXTURES],
    pub samplers: [D3d11StateId; TEXTURES],
}

/// Objects that vertices of one layout bind.
#[derive(Debug, Clone, Copy)]
pub(super) struct VertexInput {
    pub layout: D3d11InputLayoutId,
    pub shader: D3d11ShaderId,
}

/// Objects with which a scene is drawn.
#[derive(Debug)]
pub(super) struct Stage {
    pub context_device: ContextDevice,
    pub target: D3d11ViewId,
    pub depth: D3d11ViewId,
    /// Constant buffer of each drawn node.
    pub nodes: Vec<D3d11ResourceId>,
    /// Objects of each used material.
    pub objects_by_material: Vec<MaterialObjects>,
    /// Objects of each input layout, by the layout's key.
    inputs: BTreeMap<String, VertexInput>,
    /// Buffers by index of the accessor or buffer view.
    buffers: BTreeMap<usize, D3d11ResourceId>,
    /// True if each accessor has a buffer; otherwise each buffer view has one.
    by_accessor: bool,
    /// All objects in the order of creation; a state object once per creation call, because each adds a reference.
    created: Vec<ObjectId>,
}

impl Stage {
    /// Creates a stage with a device and nothing else.
    pub fn empty(context_device: ContextDevice, by_accessor: bool) -> Stage {
        Stage {
            context_device,
            target: D3d11ViewId::NULL,
            depth: D3d11ViewId::NULL,
            nodes: Vec::new(),
            objects_by_material: Vec::new(),
            inputs: BTreeMap::new(),
            buffers: BTreeMap::new(),
            by_accessor,
            created: Vec::new(),
        }
    }

    /// Creates the objects of the drawing. If a call fails, `release` still releases the objects created so far.
    pub fn create_objects<C: Caller>(&mut self, caller: &mut C, drawing: &Drawing) -> Result<(), WorkloadError> {
        self.targets(caller)?;
        self.geometry(caller, drawing)?;
        for _ in 0..drawing.nodes {
            let constants = self.constants(caller)?;
            self.nodes.push(constants);
        }
        let (mut views, mut shaders) = (BTreeMap::new(), BTreeMap::new());
        for material in &drawing.materials {
            let material_objects = self.material_objects(caller, drawing, material, &mut views, &mut shaders)?;
            self.objects_by_material.push(material_objects);
        }
        Ok(())
    }

    fn targets<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let device = self.context_device.device;
        let (width, height) = TARGET;
        let desc = |format, bind_flags| Texture2dDesc {
            width,
            height,
            mip_levels: 1,
            array_size: 1,
            format,
            bind_flags,
            ..Default::default()
        };
        let desc_of_target = desc(Format::R8G8B8A8_UNORM_SRGB, BindFlags::RENDER_TARGET);
        let resource = self.texture(caller, desc_of_target, false)?;
        let create = d3d11::CreateRenderTargetView { device, resource, desc: None };
        self.target = self.track_created("CreateRenderTargetView", caller.call(create))?;
        let resource = self.texture(caller, desc(Format::D32_FLOAT, BindFlags::DEPTH_STENCIL), false)?;
        let create = d3d11::CreateDepthStencilView { device, resource, desc: None };
        self.depth = self.track_created("CreateDepthStencilView", caller.call(create))?;
        Ok(())
    }

    /// Creates buffers, input layouts and vertex shaders.
    fn geometry<C: Caller>(&mut self, caller: &mut C, drawing: &Drawing) -> Result<(), WorkloadError> {
        let mut uses: BTreeMap<usize, BindFlags> = BTreeMap::new();
        for draw in &drawing.draws {
            let vertices = draw.shape.attributes.iter().map(|source| (*source, BindFlags::VERTEX_BUFFER));
            let indices = draw.shape.indices.iter().map(|(source, _)| (*source, BindFlags::INDEX_BUFFER));
            for (source, flags) in vertices.chain(indices) {
                let bound = uses.entry(self.key(source)).or_default();
                *bound = *bound | flags;
            }
        }
        for (key, bind_flags) in uses {
            let size_bytes = match self.by_accessor {
                true => drawing.scene.accessors.get(key).map_or(0, |item| item.size_bytes),
                false => drawing.view_bytes.get(key).copied().unwrap_or(0),
            };
            // A size above 32 bits cannot be passed to CreateBuffer, so the error is that of a buffer that is too
            // large.
            let size_bytes = u32::try_from(size_bytes)
                .map_err(|_| WorkloadError::CallFailed { call: "CreateBuffer", hr: HResultCode::E_OUTOFMEMORY })?;
            let (usage, cpu_access_flags) = (Usage::IMMUTABLE, CpuAccessFlags::NONE);
            let desc = BufferDesc { size_bytes, usage, bind_flags, cpu_access_flags };
            let buffer = self.buffer(caller, desc, true)?;
            self.buffers.insert(key, buffer);
        }
        for draw in &drawing.draws {
            let name = &draw.shape.layout;
            if !self.inputs.contains_key(name) {
                let input = self.vertex_input(caller, name, draw.shape.attributes.len())?;
                self.inputs.insert(name.clone(), input);
            }
        }
        Ok(())
    }

    fn vertex_input<C: Caller>(
        &mut self,
        caller: &mut C,
        name: &str,
        attributes: usize,
    ) -> Result<VertexInput, WorkloadError> {
        let digest = name
            // FNV-1a hash of the layout's key.
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let desc = InputLayoutDesc { elements: u32::try_from(attributes).unwrap_or(u32::MAX), digest };
        let create = d3d11::CreateInputLayout { device: self.context_device.device, desc };
        let layout = self.track_created("CreateInputLayout", caller.call(create))?;
        let shader = self.shader(caller, ShaderStage::VERTEX, digest)?;
        Ok(VertexInput { layout, shader })
    }

    fn material_objects<C: Caller>(
        &mut self,
        caller: &mut C,
        drawing: &Drawing,
        material: &Material,
        views: &mut BTreeMap<usize, D3d11ViewId>,
        shaders: &mut BTreeMap<u64, D3d11ShaderId>,
    ) -> Result<MaterialObjects, WorkloadError> {
        let device = self.context_device.device;
        let constants = self.constants(caller)?;
        let create = d3d11::CreateBlendState { device, desc: material.blend.clone() };
        let blend = self.track_created("CreateBlendState", caller.call(create))?;
        let create = d3d11::CreateRasterizerState { device, desc: material.rasterizer };
        let rasterizer = self.track_created("CreateRasterizerState", caller.call(create))?;
        let mask = material.texture_mask();
        let shader = match shaders.get(&mask) {
            Some(shader) => *shader,
            None => *shaders.entry(mask).or_insert(self.shader(caller, ShaderStage::PIXEL, mask)?),
        };
        let mut material_objects = MaterialObjects {
            constants,
            blend,
            rasterizer,
            shader,
            views: [D3d11ViewId::NULL; TEXTURES],
            samplers: [D3d11StateId::NULL; TEXTURES],
        };
        for (slot, texture) in material.textures.iter().enumerate() {
            let Some(texture) = texture else { continue };
            let create = d3d11::CreateSamplerState { device, desc: texture.sampler };
            material_objects.samplers[slot] = self.track_created("CreateSamplerState", caller.call(create))?;
            let Some(image) = texture.image else { continue };
            let Some((_, desc)) = drawing.texture(image) else { continue };
            material_objects.views[slot] = match views.get(&image) {
                Some(view) => *view,
                None => *views.entry(image).or_insert(self.input(caller, desc)?),
            };
        }
        Ok(material_objects)
    }

    /// Creates a texture and a shader resource view of it.
    fn input<C: Caller>(&mut self, caller: &mut C, desc: ResourceDesc) -> Result<D3d11ViewId, WorkloadError> {
        let device = self.context_device.device;
        let (width, height) = (u32::try_from(desc.width).unwrap_or(u32::MAX), desc.height);
        let layers = desc.depth_or_array_size.into();
        let (mip_levels, format) = (desc.mip_levels.into(), desc.format);
        let (usage, bind_flags) = (Usage::IMMUTABLE, BindFlags::SHADER_RESOURCE);
        let cpu_access_flags = CpuAccessFlags::NONE;
        let resource = if desc.dimension == Dimension::TEXTURE3D {
            let depth = layers;
            let desc = Texture3dDesc { width, height, depth, mip_levels, format, usage, bind_flags, cpu_access_flags };
            let create = d3d11::CreateTexture3D { device, desc, initial_data: true };
            self.track_created("CreateTexture3D", caller.call(create))?
        } else {
            let array_size = layers;
            let desc =
                Texture2dDesc { width, height, mip_levels, array_size, format, usage, bind_flags, cpu_access_flags };
            self.texture(caller, desc, true)?
        };
        let create = d3d11::CreateShaderResourceView { device, resource, desc: None };
        self.track_created("CreateShaderResourceView", caller.call(create))
    }

    fn texture<C: Caller>(
        &mut self,
        caller: &mut C,
        desc: Texture2dDesc,
        initial_data: bool,
    ) -> Result<D3d11ResourceId, WorkloadError> {
        let create = d3d11::CreateTexture2D { device: self.context_device.device, desc, initial_data };
        self.track_created("CreateTexture2D", caller.call(create))
    }

    fn constants<C: Caller>(&mut self, caller: &mut C) -> Result<D3d11ResourceId, WorkloadError> {
        let desc = BufferDesc {
            size_bytes: CONSTANT_BYTES,
            usage: Usage::DYNAMIC,
            bind_flags: BindFlags::CONSTANT_BUFFER,
            cpu_access_flags: CpuAccessFlags::WRITE,
        };
        self.buffer(caller, desc, false)
    }

    fn buffer<C: Caller>(
        &mut self,
        caller: &mut C,
        desc: BufferDesc,
        initial_data: bool,
    ) -> Result<D3d11ResourceId, WorkloadError> {
        let create = d3d11::CreateBuffer { device: self.context_device.device, desc, initial_data };
        self.track_created("CreateBuffer", caller.call(create))
    }

    fn shader<C: Caller>(
        &mut self,
        caller: &mut C,
        stage: ShaderStage,
        digest: u64,
    ) -> Result<D3d11ShaderId, WorkloadError> {
        let desc = ShaderDesc { stage, size_bytes: SHADER_BYTES, digest, ..Default::default() };
        let create = d3d11::CreateShader { device: self.context_device.device, desc };
        self.track_created("CreateShader", caller.call(create))
    }

    fn track_created<T: Copy + Into<ObjectId>>(
        &mut self,
        call: &'static str,
        result: taut_schemas::HResult<T>,
    ) -> Result<T, WorkloadError> {
        let object = required(call, result)?;
        self.created.push(object.into());
        Ok(object)
    }

    fn key(&self, source: Source) -> usize {
        if self.by_accessor { source.accessor } else { source.view }
    }

    /// Returns the buffer of a source and the offset in it, in bytes.
    pub fn buffer_of(&self, source: Source) -> (D3d11ResourceId, u32) {
        let buffer = self.buffers.get(&self.key(source)).copied().unwrap_or(D3d11ResourceId::NULL);
        let offset_bytes = if self.by_accessor { 0 } else { source.offset_bytes };
        (buffer, u32::try_from(offset_bytes).unwrap_or(u32::MAX))
    }

    /// Returns the stride of a source in bytes; its elements have `element_bytes`.
    pub fn stride_bytes(&self, source: Source, element_bytes: u64) -> u32 {
        let is_packed = self.by_accessor || source.stride_bytes == 0;
        u32::try_from(if is_packed { element_bytes } else { source.stride_bytes }).unwrap_or(u32::MAX)
    }

    /// Returns the objects of an input layout.
    pub fn input_of(&self, layout: &str) -> Option<VertexInput> {
        self.inputs.get(layout).copied()
    }

    /// Releases all objects, newest first, then the device.
    pub fn release<C: Caller>(mut self, caller: &mut C) -> Result<(), WorkloadError> {
        while let Some(object) = self.created.pop() {
            release(caller, object)?;
        }
        self.context_device.release(caller)
    }
}
