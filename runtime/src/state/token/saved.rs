//! Calls of contexts as records.

use super::Token;
use crate::records::{RestoreError, unsound};
use crate::state::BlendBinding;
use taut_schemas::{
    ClearFlags, ContextCall, ContextCallKind as Kind, D3d11CommandListId, D3d11InputLayoutId, D3d11QueryId, D3d11Rect,
    D3d11ResourceId, D3d11ShaderId, D3d11StateId, D3d11ViewId, D3d11Viewport, DepthStencilStateBinding,
    IndexBufferBinding, MapType, Mark, ObjectId, PredicationBinding, PrimitiveTopology, RenderTargetBinding,
    ShaderStage, VertexBufferBinding, format::Format,
};

/// Slots that a call binds, and stages that it binds them of, end here.
const SLOTS: u64 = 128;
const STAGES: u32 = 6;

/// A call's objects and numbers, in the order of its arguments.
type Arguments = (Vec<ObjectId>, Vec<u64>);

impl Token {
    /// It as a record has it.
    pub(crate) fn save(&self) -> ContextCall {
        let told = self.slotted().or_else(|| self.alone()).or_else(|| self.work());
        let (objects, numbers) = told.unwrap_or_default();
        ContextCall { call: self.kind(), objects, numbers }
    }

    fn kind(&self) -> Kind {
        match self {
            Token::Copy { .. } => Kind::COPY,
            Token::Blend(_) => Kind::BLEND_STATE,
            Token::Views { .. } => Kind::SHADER_RESOURCES,
            Token::Buffers { .. } => Kind::CONSTANT_BUFFERS,
            Token::Samplers { .. } => Kind::SAMPLERS,
            Token::Shader { .. } => Kind::SHADER,
            Token::InputLayout(_) => Kind::INPUT_LAYOUT,
            Token::VertexBuffers { .. } => Kind::VERTEX_BUFFERS,
            Token::IndexBuffer(_) => Kind::INDEX_BUFFER,
            Token::Topology(_) => Kind::PRIMITIVE_TOPOLOGY,
            Token::Rasterizer(_) => Kind::RASTERIZER_STATE,
            Token::Viewports(_) => Kind::VIEWPORTS,
            Token::Scissors(_) => Kind::SCISSOR_RECTS,
            Token::Targets(_) => Kind::RENDER_TARGETS,
            Token::Unordered { .. } => Kind::UNORDERED_ACCESS_VIEWS,
            Token::DepthStencil(_) => Kind::DEPTH_STENCIL_STATE,
            Token::Predication(_) => Kind::PREDICATION,
            Token::Draw { .. } => Kind::DRAW,
            Token::DrawIndexed { .. } => Kind::DRAW_INDEXED,
            Token::DrawInstanced { .. } => Kind::DRAW_INSTANCED,
            Token::DrawIndexedInstanced { .. } => Kind::DRAW_INDEXED_INSTANCED,
            Token::Dispatch(_) => Kind::DISPATCH,
            Token::ClearTarget { .. } => Kind::CLEAR_RENDER_TARGET,
            Token::ClearDepth { .. } => Kind::CLEAR_DEPTH_STENCIL,
            Token::ClearUnordered { .. } => Kind::CLEAR_UNORDERED_ACCESS,
            Token::Update { .. } => Kind::UPDATE,
            Token::QueryBegin(_) => Kind::QUERY_BEGIN,
            Token::QueryEnd(_) => Kind::QUERY_END,
            Token::Map { .. } => Kind::MAP,
            Token::Unmap { .. } => Kind::UNMAP,
            Token::Execute(_) => Kind::EXECUTE_COMMAND_LIST,
        }
    }

    /// Of a call that binds something in slots.
    fn slotted(&self) -> Option<Arguments> {
        Some(match self {
            Token::Views { at, views: objects }
            | Token::Buffers { at, buffers: objects }
            | Token::Samplers { at, samplers: objects } => of(objects.iter().copied(), [at.0.0, at.1].map(u64::from)),
            Token::Shader { stage, shader } => of([*shader], [stage.0.into()]),
            Token::VertexBuffers { start, buffers } => {
                let each = buffers.iter().flat_map(|bound| {
                    let VertexBufferBinding { buffer: _, stride_bytes, offset_bytes } = *bound;
                    [stride_bytes, offset_bytes]
                });
                let numbers = [*start].into_iter().chain(each).map(u64::from);
                of(buffers.iter().map(|bound| bound.buffer), numbers)
            }
            Token::Unordered { start, views } => of(views.iter().copied(), [(*start).into()]),
            Token::Targets(RenderTargetBinding { render_targets, depth_stencil }) => {
                of([*depth_stencil].into_iter().chain(render_targets.iter().copied()), [])
            }
            _ => return None,
        })
    }

    /// Of another call that binds something.
    fn alone(&self) -> Option<Arguments> {
        Some(match self {
            Token::Blend(BlendBinding { state, factor, sample_mask }) => {
                let factor = factor.iter().map(|bits| u64::from(*bits));
                of([*state], [u64::from(*sample_mask)].into_iter().chain(factor))
            }
            Token::InputLayout(layout) => of([*layout], []),
            Token::IndexBuffer(IndexBufferBinding { buffer, format, offset_bytes }) => {
                of([*buffer], [format.0.into(), (*offset_bytes).into()])
            }
            Token::Topology(topology) => none([topology.0]),
            Token::Rasterizer(state) => of([*state], []),
            Token::Viewports(viewports) => none(viewports.iter().flat_map(|viewport| {
                let D3d11Viewport { top_left_x, top_left_y, width, height, min_depth, max_depth } = *viewport;
                [top_left_x, top_left_y, width, height, min_depth, max_depth]
            })),
            Token::Scissors(rects) => none(rects.iter().flat_map(|rect| {
                let D3d11Rect { left, top, right, bottom } = *rect;
                [left, top, right, bottom]
            })),
            Token::DepthStencil(DepthStencilStateBinding { depth_stencil_state, stencil_ref }) => {
                of([*depth_stencil_state], [(*stencil_ref).into()])
            }
            Token::Predication(PredicationBinding { predicate, value }) => of([*predicate], [(*value).into()]),
            _ => return None,
        })
    }

    /// Of a call that binds nothing.
    fn work(&self) -> Option<Arguments> {
        Some(match self {
            Token::Copy { destination, source } => of([*destination, *source], []),
            Token::Draw { vertex_count, start_vertex } => none([*vertex_count, *start_vertex]),
            Token::DrawIndexed { index_count, start_index, base_vertex } => {
                none([*index_count, *start_index, *base_vertex])
            }
            Token::DrawInstanced { counts, starts } => none(counts.iter().chain(starts).copied()),
            Token::DrawIndexedInstanced { counts: [a, b], start_index, base_vertex, start_instance } => {
                none([*a, *b, *start_index, *base_vertex, *start_instance])
            }
            Token::Dispatch(groups) => none(*groups),
            Token::ClearTarget { view, color: bits } | Token::ClearUnordered { view, values: bits } => {
                of([*view], bits.iter().map(|bits| u64::from(*bits)))
            }
            Token::ClearDepth { view, flags, depth, stencil } => {
                of([*view], [flags.0, *depth, *stencil].map(u64::from))
            }
            Token::Update { resource, subresource, size_bytes } => {
                of([*resource], [(*subresource).into(), *size_bytes])
            }
            Token::QueryBegin(query) | Token::QueryEnd(query) => of([*query], []),
            Token::Map { resource, subresource, map_type } => {
                of([*resource], [*subresource, map_type.0].map(u64::from))
            }
            Token::Unmap { resource, subresource } => of([*resource], [(*subresource).into()]),
            Token::Execute(list) => of([*list], []),
            _ => return None,
        })
    }

    /// That of a record of `M`.
    pub(crate) fn restore<M: Mark>(record: ContextCall) -> Result<Token, RestoreError> {
        let ContextCall { call, objects, numbers } = record;
        let mut told = Told { objects: objects.into_iter(), numbers: numbers.into_iter() };
        let token = told.token(call).filter(|_| told.objects.len() == 0 && told.numbers.len() == 0);
        match token {
            Some(token) => Ok(token),
            None => unsound::<_, M>("a call with its arguments", format_args!("{call:?}")),
        }
    }
}

fn of<T: Into<ObjectId>>(objects: impl IntoIterator<Item = T>, numbers: impl IntoIterator<Item = u64>) -> Arguments {
    (objects.into_iter().map(Into::into).collect(), numbers.into_iter().collect())
}

fn none(numbers: impl IntoIterator<Item = u32>) -> Arguments {
    (Vec::new(), numbers.into_iter().map(u64::from).collect())
}

/// What a record says of a call that was not taken yet.
struct Told {
    objects: std::vec::IntoIter<ObjectId>,
    numbers: std::vec::IntoIter<u64>,
}

impl Told {
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

    /// All that are left.
    fn rest(&mut self) -> Option<Vec<u32>> {
        self.numbers.by_ref().map(|number| u32::try_from(number).ok()).collect()
    }

    /// All that are left, so many for each.
    fn each<T, const N: usize>(&mut self, make: impl Fn([u32; N]) -> T) -> Option<Vec<T>> {
        let rest = self.rest()?;
        let (each, left) = rest.as_chunks::<N>();
        left.is_empty().then(|| each.iter().map(|numbers| make(*numbers)).collect())
    }

    /// As many slots as there are objects.
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

    fn token(&mut self, call: Kind) -> Option<Token> {
        Some(match call {
            Kind::BLEND_STATE => {
                let (state, sample_mask) = (D3d11StateId(self.object()?), self.number()?);
                Token::Blend(BlendBinding { state, sample_mask, factor: self.rest()? })
            }
            Kind::SHADER_RESOURCES => self.slots().map(|(at, views)| Token::Views { at, views })?,
            Kind::CONSTANT_BUFFERS => self.slots().map(|(at, buffers)| Token::Buffers { at, buffers })?,
            Kind::SAMPLERS => self.slots().map(|(at, samplers)| Token::Samplers { at, samplers })?,
            Kind::SHADER => Token::Shader { stage: self.stage()?, shader: D3d11ShaderId(self.object()?) },
            Kind::INPUT_LAYOUT => Token::InputLayout(D3d11InputLayoutId(self.object()?)),
            Kind::VERTEX_BUFFERS => {
                let (start, bound) = (self.start()?, self.each(|[stride, offset]| (stride, offset))?);
                let objects = self.objects.by_ref();
                let buffers = objects.zip(bound).map(|(buffer, (stride_bytes, offset_bytes))| VertexBufferBinding {
                    buffer: D3d11ResourceId(buffer.0),
                    stride_bytes,
                    offset_bytes,
                });
                Token::VertexBuffers { start, buffers: buffers.collect() }
            }
            Kind::INDEX_BUFFER => {
                let (buffer, [format, offset_bytes]) = (D3d11ResourceId(self.object()?), self.numbers()?);
                Token::IndexBuffer(IndexBufferBinding { buffer, format: Format(format), offset_bytes })
            }
            Kind::PRIMITIVE_TOPOLOGY => Token::Topology(PrimitiveTopology(self.number()?)),
            Kind::RASTERIZER_STATE => Token::Rasterizer(D3d11StateId(self.object()?)),
            Kind::VIEWPORTS => {
                Token::Viewports(self.each(|[top_left_x, top_left_y, width, height, min_depth, max_depth]| {
                    D3d11Viewport { top_left_x, top_left_y, width, height, min_depth, max_depth }
                })?)
            }
            Kind::SCISSOR_RECTS => {
                Token::Scissors(self.each(|[left, top, right, bottom]| D3d11Rect { left, top, right, bottom })?)
            }
            Kind::RENDER_TARGETS => {
                let depth_stencil = D3d11ViewId(self.object()?);
                let render_targets = self.objects.by_ref().map(|view| D3d11ViewId(view.0)).collect();
                Token::Targets(RenderTargetBinding { render_targets, depth_stencil })
            }
            Kind::UNORDERED_ACCESS_VIEWS => {
                Token::Unordered { start: self.start()?, views: self.objects.by_ref().collect() }
            }
            Kind::DEPTH_STENCIL_STATE => {
                let (state, stencil_ref) = (D3d11StateId(self.object()?), self.number()?);
                Token::DepthStencil(DepthStencilStateBinding { depth_stencil_state: state, stencil_ref })
            }
            Kind::PREDICATION => {
                let (predicate, value) = (D3d11QueryId(self.object()?), self.number()?);
                Token::Predication(PredicationBinding { predicate, value: value != 0 })
            }
            other => return self.work(other),
        })
    }

    fn work(&mut self, call: Kind) -> Option<Token> {
        Some(match call {
            Kind::COPY => {
                let (destination, source) = (D3d11ResourceId(self.object()?), D3d11ResourceId(self.object()?));
                Token::Copy { destination, source }
            }
            Kind::DRAW => {
                self.numbers().map(|[vertex_count, start_vertex]| Token::Draw { vertex_count, start_vertex })?
            }
            Kind::DRAW_INDEXED => {
                let [index_count, start_index, base_vertex] = self.numbers()?;
                Token::DrawIndexed { index_count, start_index, base_vertex }
            }
            Kind::DRAW_INSTANCED => Token::DrawInstanced { counts: self.numbers()?, starts: self.numbers()? },
            Kind::DRAW_INDEXED_INSTANCED => {
                let (counts, [start_index, base_vertex, start_instance]) = (self.numbers()?, self.numbers()?);
                Token::DrawIndexedInstanced { counts, start_index, base_vertex, start_instance }
            }
            Kind::DISPATCH => Token::Dispatch(self.numbers()?),
            Kind::CLEAR_RENDER_TARGET => Token::ClearTarget { view: D3d11ViewId(self.object()?), color: self.rest()? },
            Kind::CLEAR_DEPTH_STENCIL => {
                let (view, [flags, depth, stencil]) = (D3d11ViewId(self.object()?), self.numbers()?);
                Token::ClearDepth { view, flags: ClearFlags(flags), depth, stencil }
            }
            Kind::CLEAR_UNORDERED_ACCESS => {
                Token::ClearUnordered { view: D3d11ViewId(self.object()?), values: self.rest()? }
            }
            Kind::UPDATE => {
                let (resource, subresource) = (D3d11ResourceId(self.object()?), self.number()?);
                Token::Update { resource, subresource, size_bytes: self.numbers.next()? }
            }
            Kind::QUERY_BEGIN => Token::QueryBegin(D3d11QueryId(self.object()?)),
            Kind::QUERY_END => Token::QueryEnd(D3d11QueryId(self.object()?)),
            Kind::MAP => {
                let (resource, [subresource, map_type]) = (D3d11ResourceId(self.object()?), self.numbers()?);
                Token::Map { resource, subresource, map_type: MapType(map_type) }
            }
            Kind::UNMAP => Token::Unmap { resource: D3d11ResourceId(self.object()?), subresource: self.number()? },
            Kind::EXECUTE_COMMAND_LIST => Token::Execute(D3d11CommandListId(self.object()?)),
            _ => return None,
        })
    }
}
