//! Check of object ids against the objects that the log has created and not released.

use super::error::LineFault;
use super::use_line::{BufferPlace, BufferRange};
use taut_schemas::{Dimension, HeapId, ObjectId, ResourceDesc, ResourceId, counted, grouped};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heap,
    Buffer { width_bytes: u64 },
    Texture,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Heap => "heap",
            Kind::Buffer { .. } => "buffer",
            Kind::Texture => "texture",
        }
    }
}

/// Checks each use of an object against the preceding lines.
#[derive(Debug, Default)]
pub(super) struct ObjectCheck {
    /// Kind of each object and whether it is alive, by id from 1.
    objects: Vec<(Kind, bool)>,
    live: u64,
}

impl ObjectCheck {
    /// Number of heaps and resources created so far.
    pub(super) fn created(&self) -> u64 {
        self.objects.len() as u64
    }

    /// Number of objects that were not released.
    pub(super) fn live_count(&self) -> u64 {
        self.live
    }

    /// Registers a heap. `heap` is `None` for a call that created no heap.
    pub(super) fn create_heap(&mut self, heap: Option<HeapId>) -> Result<(), LineFault> {
        self.create(heap.map(ObjectId::from), Kind::Heap)
    }

    /// Registers a resource.
    pub(super) fn create_resource(
        &mut self,
        resource: Option<ResourceId>,
        desc: &ResourceDesc,
    ) -> Result<(), LineFault> {
        let is_buffer = desc.dimension == Dimension::BUFFER;
        let kind = if is_buffer { Kind::Buffer { width_bytes: desc.width } } else { Kind::Texture };
        self.create(resource.map(ObjectId::from), kind)
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

    /// Checks the use of a heap in the field called `field`.
    pub(super) fn use_heap(&self, field: &'static str, heap: HeapId) -> Result<(), LineFault> {
        self.live(field, "heap", heap.into(), |kind| kind == Kind::Heap).map(|_| ())
    }

    /// Checks the use of a resource in the field called `field`.
    pub(super) fn use_resource(&self, field: &'static str, resource: ResourceId) -> Result<(), LineFault> {
        self.live(field, "resource", resource.into(), |kind| kind != Kind::Heap).map(|_| ())
    }

    /// Checks the use of an object of any kind.
    pub(super) fn use_object(&self, object: ObjectId) -> Result<(), LineFault> {
        self.live("obj", "heap or resource", object, |_| true).map(|_| ())
    }

    /// Checks the use of a part of a buffer in the field called `field`.
    pub(super) fn use_range(&self, field: &'static str, range: BufferRange) -> Result<(), LineFault> {
        let BufferRange { place: BufferPlace { buffer, offset_bytes }, size_bytes } = range;
        let kind = self.live(field, "buffer", buffer.into(), |kind| matches!(kind, Kind::Buffer { .. }))?;
        let Kind::Buffer { width_bytes } = kind else { return Ok(()) };
        match offset_bytes.checked_add(size_bytes) {
            Some(end) if end <= width_bytes => Ok(()),
            _ => {
                let expected = format!("a part of buffer {}, which has {}", buffer.0, counted(width_bytes, "byte"));
                let found = format!("{} from byte {} on", counted(size_bytes, "byte"), grouped(offset_bytes));
                Err(LineFault::unexpected(field, expected, found))
            }
        }
    }

    /// Marks a heap as released.
    pub(super) fn release_heap(&mut self, heap: HeapId) -> Result<(), LineFault> {
        self.use_heap("obj", heap)?;
        self.release(heap.into());
        Ok(())
    }

    /// Marks a resource as released.
    pub(super) fn release_resource(&mut self, resource: ResourceId) -> Result<(), LineFault> {
        self.use_resource("obj", resource)?;
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

    /// Returns the kind of an object, if it is alive and fits.
    fn live(
        &self,
        field: &'static str,
        wanted: &'static str,
        object: ObjectId,
        fits: impl Fn(Kind) -> bool,
    ) -> Result<Kind, LineFault> {
        let found = match self.slot(object).and_then(|slot| self.objects.get(slot)) {
            Some((found, true)) if fits(*found) => return Ok(*found),
            Some((found, true)) => format!("{}, a {}", object.0, found.name()),
            Some((found, false)) => format!("{}, a {} that was released", object.0, found.name()),
            None => format!("{}, which the log never created", object.0),
        };
        Err(LineFault::unexpected(field, format!("a live {wanted}"), found))
    }
}
