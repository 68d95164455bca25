//! Operations of the GPU that calls on Direct3D 11 contexts cause.

mod saved;

use std::sync::Arc;
use taut_schemas::{D3d11CommandListId, D3d11QueryId, D3d11ResourceId, QueryType};

/// Max bytes of a resource's contents that are stored; larger contents are unknown.
const MAX_CONTENT_BYTES: usize = 64 * 1024;

/// Contents of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// One colour everywhere: the bits of four floats.
    Colour([u32; 4]),
    /// The first bytes of the resource.
    Bytes(Arc<[u8]>),
    /// Contents that are not modelled.
    Unknown,
}

impl Content {
    /// Returns contents of these bytes; unknown contents if there are more than `MAX_CONTENT_BYTES`.
    pub fn bytes(bytes: &[u8]) -> Content {
        if bytes.len() <= MAX_CONTENT_BYTES { Content::Bytes(bytes.into()) } else { Content::Unknown }
    }
}

/// A draw's effect on its first render target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DrawEffect {
    /// `None` if no render target is bound.
    pub target: Option<D3d11ResourceId>,
    /// The written colour; `None` if it is not known.
    pub colour: Option<[u32; 4]>,
    /// D3D11_COLOR_WRITE_ENABLE.
    pub write_mask: u32,
    /// True if the draw covers the whole target, so that no old contents remain.
    pub covers: bool,
    /// Number of covered samples, which occlusion queries count.
    pub samples: u64,
}

/// An operation of the GPU.
#[derive(Debug, Clone)]
pub(crate) enum ContextWork {
    Fill {
        resource: D3d11ResourceId,
        content: Content,
    },
    Copy {
        destination: D3d11ResourceId,
        source: D3d11ResourceId,
    },
    Draw(DrawEffect),
    QueryBegin(D3d11QueryId),
    QueryEnd(D3d11QueryId, QueryType),
    /// SetPredication: a predicate and its value, on which the following operations depend; null ends the dependency.
    Predicate(D3d11QueryId, bool),
    /// ExecuteCommandList: a command list and its operations.
    List(D3d11CommandListId, ListWork),
}

/// Operations of a command list, in order. Lists nest to any depth, so `Drop` frees nested lists without recursion.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListWork(Arc<[ContextWork]>);

impl ListWork {
    /// Iterates over the operations in order.
    pub fn iter(&self) -> std::slice::Iter<'_, ContextWork> {
        self.0.iter()
    }

    /// True if the list has no operations.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<ContextWork>> for ListWork {
    fn from(works: Vec<ContextWork>) -> ListWork {
        ListWork(works.into())
    }
}

impl Drop for ListWork {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        let take_nested = |works: &mut Arc<[ContextWork]>, pending: &mut Vec<Arc<[ContextWork]>>| {
            // Other references to the operations still need the nested lists.
            for work in Arc::get_mut(works).into_iter().flatten() {
                if let ContextWork::List(_, nested) = work
                    && !nested.is_empty()
                {
                    pending.push(std::mem::take(&mut nested.0));
                }
            }
        };
        take_nested(&mut self.0, &mut pending);
        while let Some(mut works) = pending.pop() {
            take_nested(&mut works, &mut pending);
        }
    }
}
