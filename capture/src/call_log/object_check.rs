//! Which objects the log has created so far, and which of them live.

use super::error::LineFault;
use taut_schemas::{HeapId, ObjectId, ResourceId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heap,
    Resource,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Heap => "heap",
            Kind::Resource => "resource",
        }
    }
}

/// Checks every use of an object against what the log did before.
#[derive(Debug, Default)]
pub(super) struct ObjectCheck {
    /// By id, from 1: what it is, and whether it lives.
    objects: Vec<(Kind, bool)>,
    live: u64,
}

impl ObjectCheck {
    /// Heaps and resources created so far.
    pub(super) fn created(&self) -> u64 {
        self.objects.len() as u64
    }

    /// Those not released.
    pub(super) fn live(&self) -> u64 {
        self.live
    }

    /// A heap is created; a call that made none has no id.
    pub(super) fn create_heap(&mut self, heap: Option<HeapId>) -> Result<(), LineFault> {
        self.create(heap.map(ObjectId::from), Kind::Heap)
    }

    /// A resource is created.
    pub(super) fn create_resource(&mut self, resource: Option<ResourceId>) -> Result<(), LineFault> {
        self.create(resource.map(ObjectId::from), Kind::Resource)
    }

    fn create(&mut self, object: Option<ObjectId>, kind: Kind) -> Result<(), LineFault> {
        let Some(object) = object else { return Ok(()) };
        let next = self.created() + 1;
        if object.0 != next {
            return Err(LineFault::unexpected("obj", format!("the next object's id, {next}"), object.0));
        }
        self.objects.push((kind, true));
        self.live += 1;
        Ok(())
    }

    /// A heap is used by the field called `field`.
    pub(super) fn use_heap(&self, field: &'static str, heap: HeapId) -> Result<(), LineFault> {
        self.check(field, heap.into(), Kind::Heap)
    }

    /// A resource is used.
    pub(super) fn use_resource(&self, resource: ResourceId) -> Result<(), LineFault> {
        self.check("obj", resource.into(), Kind::Resource)
    }

    /// A heap is released.
    pub(super) fn release_heap(&mut self, heap: HeapId) -> Result<(), LineFault> {
        self.use_heap("obj", heap)?;
        self.release(heap.into());
        Ok(())
    }

    /// A resource is released.
    pub(super) fn release_resource(&mut self, resource: ResourceId) -> Result<(), LineFault> {
        self.use_resource(resource)?;
        self.release(resource.into());
        Ok(())
    }

    fn release(&mut self, object: ObjectId) {
        if let Some((_, live)) = self.slot(object).and_then(|slot| self.objects.get_mut(slot)) {
            *live = false;
            self.live -= 1;
        }
    }

    fn slot(&self, object: ObjectId) -> Option<usize> {
        usize::try_from(object.0.checked_sub(1)?).ok()
    }

    fn check(&self, field: &'static str, object: ObjectId, kind: Kind) -> Result<(), LineFault> {
        let found = match self.slot(object).and_then(|slot| self.objects.get(slot)) {
            Some((found, true)) if *found == kind => return Ok(()),
            Some((found, true)) => format!("{}, a {}", object.0, found.name()),
            Some((found, false)) => format!("{}, a {} that was released", object.0, found.name()),
            None => format!("{}, which the log never created", object.0),
        };
        Err(LineFault::unexpected(field, format!("a live {}", kind.name()), found))
    }
}
