//! Cost of the places of a driver's fields: cache lines accessed per call, as recorded and with one field elsewhere.
//!
//! The trace's header has the driver's profile with the fields and their places. Each recorded access is split into
//! fields and other words. For each alternative placement of a field, the accesses move to the addresses that the driver would
//! access, and the lines of the call are recounted.

mod drivers;
mod pieces;
#[cfg(test)]
mod tests;

use super::live_handles::LiveHandles;
use super::sums::HandleChange;
use super::{ContextState, FastMap};
use pieces::{Call, Lines, Owner, Pieces};
use taut_schemas::{FieldPlacement, HandleAccess, HandleField, TypeLayout};

/// A field at another place.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub placement: FieldPlacement,
    pub layout: TypeLayout,
    /// Lines more than recorded in the calls that open handles of the type, and in all other calls.
    pub open_lines: i64,
    pub use_lines: i64,
    /// Bytes of the opened handles of the type.
    pub opened_bytes: u64,
    /// Bytes that the live handles of the type have more than recorded.
    live_growth: i64,
    /// Maximum of the bytes of all live handles.
    pub peak_bytes: u64,
}

/// A field of a type, with its accesses in calls on deferred contexts.
#[derive(Debug)]
pub(crate) struct FieldModel {
    pub field: HandleField,
    /// Accesses after the opening call.
    pub reads: u64,
    pub writes: u64,
    /// Accesses that follow a pointer out of the handle.
    pub walks: u64,
    /// Every placement but the recorded one.
    pub candidates: Vec<Candidate>,
}

/// Type of handle with fields.
#[derive(Debug)]
pub(crate) struct TypeModel {
    /// D3D11DDI_HANDLETYPE.
    pub handle_type: u32,
    /// Sizes in bytes that the profile lists, without fields.
    listed: Vec<u64>,
    immediate_handle_bytes: u64,
    pub layout: TypeLayout,
    pub fields: Vec<FieldModel>,
    /// Handles opened in deferred contexts, and their bytes.
    pub opened: u64,
    pub opened_bytes: u64,
}

impl TypeModel {
    /// Size of a handle of recorded size `size_bytes` in another layout.
    fn resized(&self, size_bytes: u64, layout: &TypeLayout) -> u64 {
        let fits = |listed: &&u64| self.layout.deferred_bytes.max(**listed) == size_bytes;
        layout.deferred_bytes.max(self.listed.iter().find(fits).copied().unwrap_or(size_bytes))
    }

    /// Bytes that a handle of the immediate context has more in another layout.
    fn immediate_growth(&self, layout: &TypeLayout) -> i64 {
        let size = |layout: &TypeLayout| layout.immediate_bytes.max(self.immediate_handle_bytes) as i64;
        size(layout) - size(&self.layout)
    }

    /// Updates the memory of each alternative by a created or destroyed handle, after which all live handles have
    /// `live_bytes` in the recorded layout.
    fn change(&mut self, change: &HandleChange, live_bytes: u64) {
        let mut fields = std::mem::take(&mut self.fields);
        for candidate in fields.iter_mut().flat_map(|field| &mut field.candidates) {
            if change.handle_type == self.handle_type {
                let growth = match change.is_immediate {
                    true => self.immediate_growth(&candidate.layout),
                    false => self.resized(change.size_bytes, &candidate.layout) as i64 - change.size_bytes as i64,
                };
                candidate.live_growth += if change.is_creation { growth } else { -growth };
            }
            candidate.peak_bytes = candidate.peak_bytes.max(live_bytes.saturating_add_signed(candidate.live_growth));
        }
        self.fields = fields;
    }

    fn open(&mut self, size_bytes: u64) {
        (self.opened, self.opened_bytes) = (self.opened + 1, self.opened_bytes + size_bytes);
        let mut fields = std::mem::take(&mut self.fields);
        for candidate in fields.iter_mut().flat_map(|field| &mut field.candidates) {
            candidate.opened_bytes += self.resized(size_bytes, &candidate.layout);
        }
        self.fields = fields;
    }
}

/// A block of separate fields in a deferred context's memory.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// Index of the type.
    of_type: usize,
    /// Offset in the context's memory.
    begin: u64,
    /// The handle that points to it.
    owner: Owner,
}

/// Cost of the places of all fields.
#[derive(Debug)]
pub(crate) struct FieldCosts {
    line_bytes: u64,
    pub types: Vec<TypeModel>,
    /// Blocks by the context's own handle and number of the block's line.
    blocks: FastMap<(u64, u64), Block>,
    /// Lines accessed per call, summed over the calls on deferred contexts.
    pub line_touches: u64,
}

impl FieldCosts {
    fn of_type(&self, handle_type: u32) -> Option<usize> {
        self.types.iter().position(|of_type| of_type.handle_type == handle_type)
    }

    /// Updates the memory of each alternative by a created or destroyed handle, after which all live handles have
    /// `live_bytes`.
    pub(in crate::handles) fn change(&mut self, change: &HandleChange, live_bytes: u64) {
        self.types.iter_mut().for_each(|of_type| of_type.change(change, live_bytes));
    }

    /// Processes the accesses of one call on a deferred context.
    pub(in crate::handles) fn call(
        &mut self,
        context: &ContextState,
        created: u64,
        accesses: &[HandleAccess],
        live: &LiveHandles,
    ) {
        let opened = live.get(created).filter(|handle| created != 0 && handle.ic != 0);
        let open_type = opened.and_then(|handle| self.of_type(handle.handle_type.0));
        let call =
            Call { device: context.device_handle, created, object: opened.map_or(0, |handle| handle.ic), open_type };
        let pieces = Pieces::split(self, call, accesses, live);
        let mut lines = Lines::new(self.line_bytes);
        pieces.recorded(&mut lines);
        let recorded = lines.count();
        self.line_touches += recorded;
        if let (Some(of_type), Some(handle)) = (open_type, opened) {
            self.types[of_type].open(handle.size_bytes);
        }
        for of_type in pieces.types() {
            let is_open = open_type == Some(of_type);
            if !is_open {
                pieces.each_access(of_type, |field, is_write| {
                    let field = &mut self.types[of_type].fields[field];
                    *if is_write { &mut field.writes } else { &mut field.reads } += 1;
                    field.walks += u64::from(field.field.placement != FieldPlacement::PerContext);
                });
            }
            for candidate in self.types[of_type].fields.iter_mut().flat_map(|field| &mut field.candidates) {
                let mut lines = Lines::new(self.line_bytes);
                pieces.moved(of_type, &candidate.layout, &mut lines);
                let more = lines.count() as i64 - recorded as i64;
                *if is_open { &mut candidate.open_lines } else { &mut candidate.use_lines } += more;
            }
        }
    }
}
