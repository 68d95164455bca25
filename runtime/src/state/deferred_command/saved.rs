//! Deferred commands as records of a rundown.

use super::DeferredCommand;
use crate::records::{RestoreError, invalid_value};
use crate::state::BlendBinding;
use taut_schemas::{
    ClearFlags, ContextCall, ContextCallKind as Kind, D3d11CommandListId, D3d11InputLayoutId, D3d11QueryId, D3d11Rect,
    D3d11ResourceId, D3d11ShaderId, D3d11StateId, D3d11ViewId, D3d11Viewport, DepthStencilStateBinding,
    IndexBufferBinding, MapType, Mark, ObjectId, PredicationBinding, PrimitiveTopology, RenderTargetBinding,
    ShaderStage, VertexBufferBinding, format::Format,
};

/// Number of slots: D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT, the max over all kinds of bindings. A record with a
/// higher slot is invalid.
const SLOTS: u64 = 128;
/// Number of shader stages. A record with another stage is invalid.
const STAGES: u32 = 6;

/// Objects and numbers of a command, in the order of its arguments.
type Arguments = (Vec<ObjectId>, Vec<u64>);

impl DeferredCommand {
    /// Returns the record of this command.
    pub(crate) fn save(&self) -> ContextCall {
        let args = self.slot_arguments().or_else(|| self.state_arguments()).or_else(|| self.other_arguments());
        let (objects, numbers) = args.unwrap_or_default();
        ContextCall { call: self.kind(), objects, numbers }
    }

    fn kind(&self) -> Kind {
        match self {
            DeferredCommand::Copy { .. } => Kind::COPY,
            DeferredCommand::Blend(_) => Kind::BLEND_STATE,
            DeferredCommand::Views { .. } => Kind::SHADER_RESOURCES,
            DeferredCommand::Buffers { .. } => Kind::CONSTANT_BUFFERS,
            DeferredCommand::Samplers { .. } => Kind::SAMPLERS,
            DeferredCommand::Shader { .. } => Kind::SHADER,
            DeferredCommand::InputLayout(_) => Kind::INPUT_LAYOUT,
            DeferredCommand::VertexBuffers { .. } => Kind::VERTEX_BUFFERS,
            DeferredCommand::IndexBuffer(_) => Kind::INDEX_BUFFER,
            DeferredCommand::Topology(_) => Kind::PRIMITIVE_TOPOLOGY,
            DeferredCommand::Rasterizer(_) => Kind::RASTERIZER_STATE,
            DeferredCommand::Viewports(_) => Kind::VIEWPORTS,
            DeferredCommand::Scissors(_) => Kind::SCISSOR_RECTS,
            DeferredCommand::Targets(_) => Kind::RENDER_TARGETS,
            DeferredCommand::Unordered { .. } => Kind::UNORDERED_ACCESS_VIEWS,
            DeferredCommand::DepthStencil(_) => Kind::DEPTH_STENCIL_STATE,
            DeferredCommand::Predication(_) => Kind::PREDICATION,
            DeferredCommand::Draw { .. } => Kind::DRAW,
            DeferredCommand::DrawIndexed { .. } => Kind::DRAW_INDEXED,
            DeferredCommand::DrawInstanced { .. } => Kind::DRAW_INSTANCED,
            DeferredCommand::DrawIndexedInstanced { .. } => Kind::DRAW_INDEXED_INSTANCED,
            DeferredCommand::Dispatch(_) => Kind::DISPATCH,
            DeferredCommand::ClearTarget { .. } => Kind::CLEAR_RENDER_TARGET,
            DeferredCommand::ClearDepth { .. } => Kind::CLEAR_DEPTH_STENCIL,
            DeferredCommand::ClearUnordered { .. } => Kind::CLEAR_UNORDERED_ACCESS,
            DeferredCommand::Update { .. } => Kind::UPDATE,
            DeferredCommand::QueryBegin(_) => Kind::QUERY_BEGIN,
            DeferredCommand::QueryEnd(_) => Kind::QUERY_END,
            DeferredCommand::Map { .. } => Kind::MAP,
            DeferredCommand::Unmap { .. } => Kind::UNMAP,
            DeferredCommand::Execute(_) => Kind::EXECUTE_COMMAND_LIST,
        }
    }

    /// Returns the arguments of a command that binds objects to numbered slots, or render targets.
    fn slot_arguments(&self) -> Option<Arguments> {
        Some(match self {
            DeferredCommand::Views { at, views: objects }
            | DeferredCommand::Buffers { at, buffers: objects }
            | DeferredCommand::Samplers { at, samplers: objects } => {
                with_objects(objects.iter().copied(), [at.0.0, at.1].map(u64::from))
            }
            DeferredCommand::Shader { stage, shader } => with_objects([*shader], [stage.0.into()]),
            DeferredCommand::VertexBuffers { start, buffers } => {
                let each = buffers.iter().flat_map(|bound| {
                    let VertexBufferBinding { buffer: _, stride_bytes, offset_bytes } = *bound;
                    [stride_bytes, offset_bytes]
                });
                let numbers = [*start].into_iter().chain(each).map(u64::from);
                with_objects(buffers.iter().map(|bound| bound.buffer), numbers)
            }
            DeferredCommand::Unordered { start, views } => with_objects(views.iter().copied(), [(*start).into()]),
            DeferredCommand::Targets(RenderTargetBinding { render_targets, depth_stencil }) => {
                with_objects([*depth_stencil].into_iter().chain(render_targets.iter().copied()), [])
            }
            _ => return None,
        })
    }

    /// Returns the arguments of a command that sets a state of which the context has one.
    fn state_arguments(&self) -> Option<Arguments> {
        Some(match self {
            DeferredCommand::Blend(BlendBinding { state, factor, sample_mask }) => {
                let factor = factor.iter().map(|bits| u64::from(*bits));
                with_objects([*state], [u64::from(*sample_mask)].into_iter().chain(factor))
            }
            DeferredCommand::InputLayout(layout) => with_objects([*layout], []),
            DeferredCommand::IndexBuffer(IndexBufferBinding { buffer, format, offset_bytes }) => {
                with_objects([*buffer], [format.0.into(), (*offset_bytes).into()])
            }
            DeferredCommand::Topology(topology) => without_objects([topology.0]),
            DeferredCommand::Rasterizer(state) => with_objects([*state], []),
            DeferredCommand::Viewports(viewports) => without_objects(viewports.iter().flat_map(|viewport| {
                let D3d11Viewport { top_left_x, top_left_y, width, height, min_depth, max_depth } = *viewport;
                [top_left_x, top_left_y, width, height, min_depth, max_depth]
            })),
            DeferredCommand::Scissors(rects) => without_objects(rects.iter().flat_map(|rect| {
                let D3d11Rect { left, top, right, bottom } = *rect;
                [left, top, right, bottom]
            })),
            DeferredCommand::DepthStencil(DepthStencilStateBinding { depth_stencil_state, stencil_ref }) => {
                with_objects([*depth_stencil_state], [(*stencil_ref).into()])
            }
            DeferredCommand::Predication(PredicationBinding { predicate, value }) => {
                with_objects([*predicate], [(*value).into()])
            }
            _ => return None,
        })
    }

    /// Returns the arguments of a command that binds nothing: draws, dispatches, clears, copies, queries, maps.
    fn other_arguments(&self) -> Option<Arguments> {
        Some(match self {
            DeferredCommand::Copy { destination, source } => with_objects([*destination, *source], []),
            DeferredCommand::Draw { vertex_count, start_vertex } => without_objects([*vertex_count, *start_vertex]),
            DeferredCommand::DrawIndexed { index_count, start_index, base_vertex } => {
                without_objects([*index_count, *start_index, *base_vertex])
            }
            DeferredCommand::DrawInstanced { counts, starts } => without_objects(counts.iter().chain(starts).copied()),
            DeferredCommand::DrawIndexedInstanced { counts: [a, b], start_index, base_vertex, start_instance } => {
                without_objects([*a, *b, *start_index, *base_vertex, *start_instance])
            }
            DeferredCommand::Dispatch(groups) => without_objects(*groups),
            DeferredCommand::ClearTarget { view, color: bits }
            | DeferredCommand::ClearUnordered { view, values: bits } => {
                with_objects([*view], bits.iter().map(|bits| u64::from(*bits)))
            }
            DeferredCommand::ClearDepth { view, flags, depth, stencil } => {
                with_objects([*view], [flags.0, *depth, *stencil].map(u64::from))
            }
            DeferredCommand::Update { resource, subresource, size_bytes } => {
                with_objects([*resource], [(*subresource).into(), *size_bytes])
            }
            DeferredCommand::QueryBegin(query) | DeferredCommand::QueryEnd(query) => with_objects([*query], []),
            DeferredCommand::Map { resource, subresource, map_type } => {
                with_objects([*resource], [*subresource, map_type.0].map(u64::from))
            }
            DeferredCommand::Unmap { resource, subresource } => with_objects([*resource], [(*subresource).into()]),
            DeferredCommand::Execute(list) => with_objects([*list], []),
            _ => return None,
        })
    }

    /// Restores a command from its record. `M` is the mark that contains the record; errors name it.
    pub(crate) fn restore<M: Mark>(record: ContextCall) -> Result<DeferredCommand, RestoreError> {
        let ContextCall { call, objects, numbers } = record;
        let mut args = ArgumentReader { objects: objects.into_iter(), numbers: numbers.into_iter() };
        // A record with surplus arguments is as invalid as one with too few.
        let deferred_command =
            args.deferred_command(call).filter(|_| args.objects.len() == 0 && args.numbers.len() == 0);
        match deferred_command {
            Some(deferred_command) => Ok(deferred_command),
            None => invalid_value::<_, M>("the arguments of the call", format_args!("others for {call:?}")),
        }
    }
}

fn with_objects<T: Into<ObjectId>>(
    objects: impl IntoIterator<Item = T>,
    numbers: impl IntoIterator<Item = u64>,
) -> Arguments {
    (objects.into_iter().map(Into::into).collect(), numbers.into_iter().collect())
}

fn without_objects(numbers: impl IntoIterator<Item = u32>) -> Arguments {
    (Vec::new(), numbers.into_iter().map(u64::from).collect())
}

/// Reader of a record's arguments, with the arguments that have not been read.
struct ArgumentReader {
    objects: std::vec::IntoIter<ObjectId>,
    numbers: std::vec::IntoIter<u64>,
}

impl ArgumentReader {
    fn object(&mut self) -> Option<u64> {
        self.objects.next().map(|object| object.0)
    }

    fn number(&mut self) -> Option<u32> {
        u32::try_from(self.numbers.next()?).ok()
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u32; N]> {
        let mut all = [0; N];
        for number in &mut all {
            *number = self.number()?;
        }
        Some(all)
    }

    /// Reads all remaining numbers.
    fn rest(&mut self) -> Option<Vec<u32>> {
        self.numbers.by_ref().map(|number| u32::try_from(number).ok()).collect()
    }

    /// Reads all remaining numbers, in groups of `N`. `None` if the last group is not complete.
    fn each<T, const N: usize>(&mut self, make: impl Fn([u32; N]) -> T) -> Option<Vec<T>> {
        let rest = self.rest()?;
        let (groups, remainder) = rest.as_chunks::<N>();
        remainder.is_empty().then(|| groups.iter().map(|numbers| make(*numbers)).collect())
    }

    /// Reads the start slot. `None` if the remaining objects do not fit into the slots from there on.
    fn start(&mut self) -> Option<u32> {
        let start = self.number()?;
        (u64::from(start) + self.objects.len() as u64 <= SLOTS).then_some(start)
    }

    fn stage(&mut self) -> Option<ShaderStage> {
        self.number().filter(|stage| *stage < STAGES).map(ShaderStage)
    }

    fn slots(&mut self) -> Option<((ShaderStage, u32), Vec<ObjectId>)> {
        Some(((self.stage()?, self.start()?), self.objects.by_ref().collect()))
    }

    fn deferred_command(&mut self, call: Kind) -> Option<DeferredCommand> {
        Some(match call {
            Kind::BLEND_STATE => {
                let (state, sample_mask) = (D3d11StateId(self.object()?), self.number()?);
                DeferredCommand::Blend(BlendBinding { state, sample_mask, factor: self.rest()? })
            }
            Kind::SHADER_RESOURCES => self.slots().map(|(at, views)| DeferredCommand::Views { at, views })?,
            Kind::CONSTANT_BUFFERS => self.slots().map(|(at, buffers)| DeferredCommand::Buffers { at, buffers })?,
            Kind::SAMPLERS => self.slots().map(|(at, samplers)| DeferredCommand::Samplers { at, samplers })?,
            Kind::SHADER => DeferredCommand::Shader { stage: self.stage()?, shader: D3d11ShaderId(self.object()?) },
            Kind::INPUT_LAYOUT => DeferredCommand::InputLayout(D3d11InputLayoutId(self.object()?)),
            Kind::VERTEX_BUFFERS => {
                let (start, bound) = (self.start()?, self.each(|[stride, offset]| (stride, offset))?);
                let objects = self.objects.by_ref();
                let buffers = objects.zip(bound).map(|(buffer, (stride_bytes, offset_bytes))| VertexBufferBinding {
                    buffer: D3d11ResourceId(buffer.0),
                    stride_bytes,
                    offset_bytes,
                });
                DeferredCommand::VertexBuffers { start, buffers: buffers.collect() }
            }
            Kind::INDEX_BUFFER => {
                let (buffer, [format, offset_bytes]) = (D3d11ResourceId(self.object()?), self.numbers()?);
                DeferredCommand::IndexBuffer(IndexBufferBinding { buffer, format: Format(format), offset_bytes })
            }
            Kind::PRIMITIVE_TOPOLOGY => DeferredCommand::Topology(PrimitiveTopology(self.number()?)),
            Kind::RASTERIZER_STATE => DeferredCommand::Rasterizer(D3d11StateId(self.object()?)),
            Kind::VIEWPORTS => DeferredCommand::Viewports(self.each(
                |[top_left_x, top_left_y, width, height, min_depth, max_depth]| D3d11Viewport {
                    top_left_x,
                    top_left_y,
                    width,
                    height,
                    min_depth,
                    max_depth,
                },
            )?),
            Kind::SCISSOR_RECTS => DeferredCommand::Scissors(self.each(|[left, top, right, bottom]| D3d11Rect {
                left,
                top,
                right,
                bottom,
            })?),
            Kind::RENDER_TARGETS => {
                let depth_stencil = D3d11ViewId(self.object()?);
                let render_targets = self.objects.by_ref().map(|view| D3d11ViewId(view.0)).collect();
                DeferredCommand::Targets(RenderTargetBinding { render_targets, depth_stencil })
            }
            Kind::UNORDERED_ACCESS_VIEWS => {
                DeferredCommand::Unordered { start: self.start()?, views: self.objects.by_ref().collect() }
            }
            Kind::DEPTH_STENCIL_STATE => {
                let (state, stencil_ref) = (D3d11StateId(self.object()?), self.number()?);
                DeferredCommand::DepthStencil(DepthStencilStateBinding { depth_stencil_state: state, stencil_ref })
            }
            Kind::PREDICATION => {
                let (predicate, value) = (D3d11QueryId(self.object()?), self.number()?);
                DeferredCommand::Predication(PredicationBinding { predicate, value: value != 0 })
            }
            other => return self.other_command(other),
        })
    }

    /// Reads a command that binds nothing.
    fn other_command(&mut self, call: Kind) -> Option<DeferredCommand> {
        Some(match call {
            Kind::COPY => {
                let (destination, source) = (D3d11ResourceId(self.object()?), D3d11ResourceId(self.object()?));
                DeferredCommand::Copy { destination, source }
            }
            Kind::DRAW => self
                .numbers()
                .map(|[vertex_count, start_vertex]| DeferredCommand::Draw { vertex_count, start_vertex })?,
            Kind::DRAW_INDEXED => {
                let [index_count, start_index, base_vertex] = self.numbers()?;
                DeferredCommand::DrawIndexed { index_count, start_index, base_vertex }
            }
            Kind::DRAW_INSTANCED => DeferredCommand::DrawInstanced { counts: self.numbers()?, starts: self.numbers()? },
            Kind::DRAW_INDEXED_INSTANCED => {
                let (counts, [start_index, base_vertex, start_instance]) = (self.numbers()?, self.numbers()?);
                DeferredCommand::DrawIndexedInstanced { counts, start_index, base_vertex, start_instance }
            }
            Kind::DISPATCH => DeferredCommand::Dispatch(self.numbers()?),
            Kind::CLEAR_RENDER_TARGET => {
                DeferredCommand::ClearTarget { view: D3d11ViewId(self.object()?), color: self.rest()? }
            }
            Kind::CLEAR_DEPTH_STENCIL => {
                let (view, [flags, depth, stencil]) = (D3d11ViewId(self.object()?), self.numbers()?);
                DeferredCommand::ClearDepth { view, flags: ClearFlags(flags), depth, stencil }
            }
            Kind::CLEAR_UNORDERED_ACCESS => {
                DeferredCommand::ClearUnordered { view: D3d11ViewId(self.object()?), values: self.rest()? }
            }
            Kind::UPDATE => {
                let (resource, subresource) = (D3d11ResourceId(self.object()?), self.number()?);
                DeferredCommand::Update { resource, subresource, size_bytes: self.numbers.next()? }
            }
            Kind::QUERY_BEGIN => DeferredCommand::QueryBegin(D3d11QueryId(self.object()?)),
            Kind::QUERY_END => DeferredCommand::QueryEnd(D3d11QueryId(self.object()?)),
            Kind::MAP => {
                let (resource, [subresource, map_type]) = (D3d11ResourceId(self.object()?), self.numbers()?);
                DeferredCommand::Map { resource, subresource, map_type: MapType(map_type) }
            }
            Kind::UNMAP => {
                DeferredCommand::Unmap { resource: D3d11ResourceId(self.object()?), subresource: self.number()? }
            }
            Kind::EXECUTE_COMMAND_LIST => DeferredCommand::Execute(D3d11CommandListId(self.object()?)),
            _ => return None,
        })
    }
}
