//! What calls have the graphics processor do.

mod saved;

use std::sync::Arc;
use taut_schemas::{D3d11CommandListId, D3d11QueryId, D3d11ResourceId, QueryType};

/// Bytes of a resource that are kept at most.
const KEPT_BYTES: usize = 64 * 1024;

/// What a resource holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// One colour everywhere: the bits of four floats.
    Colour([u32; 4]),
    /// These bytes from its beginning.
    Bytes(Arc<[u8]>),
    /// Something.
    Unknown,
}

impl Content {
    /// These bytes, unless they are too many.
    pub fn bytes(bytes: &[u8]) -> Content {
        if bytes.len() <= KEPT_BYTES { Content::Bytes(bytes.into()) } else { Content::Unknown }
    }
}

/// A draw's effect on its first target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DrawEffect {
    /// Absent where nothing is drawn to.
    pub target: Option<D3d11ResourceId>,
    /// What it writes, where that is known; else anything.
    pub colour: Option<[u32; 4]>,
    /// D3D11_COLOR_WRITE_ENABLE.
    pub write_mask: u32,
    /// It covers the whole target.
    pub covers: bool,
    /// Pixels that it covers.
    pub samples: u64,
}

/// Something that the graphics processor does.
#[derive(Debug, Clone)]
pub(crate) enum Work {
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
    /// What follows depends on a predicate; null is none.
    Predicate(D3d11QueryId, bool),
    /// A command list, and what it does.
    List(D3d11CommandListId, ListWork),
}

/// The work of a list, in its order. Lists nest as deep as one likes, so that letting go of one does not walk the nesting on the
/// stack.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListWork(Arc<[Work]>);

impl ListWork {
    /// It, in its order.
    pub fn iter(&self) -> std::slice::Iter<'_, Work> {
        self.0.iter()
    }

    /// The list does nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<Work>> for ListWork {
    fn from(works: Vec<Work>) -> ListWork {
        ListWork(works.into())
    }
}

impl Drop for ListWork {
    fn drop(&mut self) {
        let mut waiting = Vec::new();
        let take_nested = |works: &mut Arc<[Work]>, waiting: &mut Vec<Arc<[Work]>>| {
            // Of several holders the last one does it.
            for work in Arc::get_mut(works).into_iter().flatten() {
                if let Work::List(_, nested) = work
                    && !nested.is_empty()
                {
                    waiting.push(std::mem::take(&mut nested.0));
                }
            }
        };
        take_nested(&mut self.0, &mut waiting);
        while let Some(mut works) = waiting.pop() {
            take_nested(&mut works, &mut waiting);
        }
    }
}
