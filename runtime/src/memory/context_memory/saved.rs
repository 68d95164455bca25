//! Memory of contexts as rundown records.

use super::{ADAPTER_BYTES, CONTEXT_BYTES, ContextMemory, FIRST_ADDRESS, HandleRange};
use crate::records::{RestoreError, StateRecords, check_handle, check_handle_bytes, invalid_value};
use crate::settings::Settings;
use std::sync::Arc;
use taut_schemas::{
    AdapterId, Bytes, D3d11ContextId, DriverHandle, HandleAllocator, HandleMemoryKind, HandlePool, state,
};

/// Max handles per record, so that no record becomes too large.
const PART: usize = 4096;

impl HandleRange {
    /// Writes the records of a context's range, or with a null context of an adapter's.
    pub(crate) fn save(&self, adapter: AdapterId, context: D3d11ContextId, records: &mut StateRecords) {
        // `allocator` is left out: the settings have it.
        let HandleRange { pool: HandlePool { next, end, free, line_bytes, allocator: _ }, next_backing } = self;
        records.put(&state::HandleRange {
            adapter,
            context,
            next: DriverHandle(*next),
            end: DriverHandle(*end),
            next_mapped: *next_backing,
            line: *line_bytes,
        });
        for (size, handles) in free {
            for part in handles.chunks(PART) {
                let handles = part.iter().copied().map(DriverHandle).collect();
                records.put(&state::FreeHandles { adapter, context, size: *size, handles });
            }
        }
    }

    /// Restores a range from its record.
    pub(crate) fn restore(record: &state::HandleRange, settings: &Settings) -> Result<HandleRange, RestoreError> {
        let state::HandleRange { adapter, context: _, next, end, next_mapped, line } = *record;
        let (next, end) = (next.0, end.0);
        // Reduced so that a corrupt adapter id cannot overflow the address.
        let first = FIRST_ADDRESS + (adapter.index() as u64 % (1 << 8)) * ADAPTER_BYTES;
        let half = CONTEXT_BYTES / 2;
        let offset = end.checked_sub(first + half).filter(|offset| *offset < ADAPTER_BYTES);
        let is_range = offset.is_some_and(|offset| {
            let (begins, ends) = (first + offset, end + half);
            offset % CONTEXT_BYTES == 0 && (begins..=end).contains(&next) && (end..=ends).contains(&next_mapped)
        });
        // Contexts without handles have an empty range.
        if !is_range && (next, end, next_mapped) != (0, 0, 0) {
            let expected = "the addresses of one of the adapter's contexts";
            return invalid_value::<_, state::HandleRange>(
                expected,
                format_args!("{next:#x} to {end:#x}, {next_mapped:#x}"),
            );
        }
        if line != 0 && line != settings.cache_line_bytes {
            return invalid_value::<_, state::HandleRange>("the session's cache lines", line);
        }
        // The adapter's range, without a context, is for handles of immediate contexts.
        let allocator = match record.context == D3d11ContextId::NULL {
            true => HandleAllocator::Lines,
            false => settings.handle_allocator,
        };
        let pool = HandlePool { next, end, line_bytes: line, allocator, ..HandlePool::default() };
        Ok(HandleRange { pool, next_backing: next_mapped })
    }

    /// Restores free handles from their record.
    pub(crate) fn restore_free(&mut self, record: &state::FreeHandles) -> Result<(), RestoreError> {
        let state::FreeHandles { adapter: _, context: _, size, handles } = record;
        let begins = self.pool.end.saturating_sub(CONTEXT_BYTES / 2);
        if let Some(wrong) = handles.iter().find(|handle| !(begins..self.pool.next).contains(&handle.0)) {
            let found = format_args!("{:#x}", wrong.0);
            return invalid_value::<_, state::FreeHandles>("handles of the range before it that were used", found);
        }
        // The class of a free handle is rounded up to whole lines, so it may exceed the max by one line.
        check_handle_bytes::<state::FreeHandles>(size.saturating_sub(self.pool.line_bytes))?;
        self.pool.free.entry(*size).or_default().extend(handles.iter().map(|handle| handle.0));
        Ok(())
    }
}

impl ContextMemory {
    /// Writes the records.
    pub(crate) fn save(&self, adapter: AdapterId, context: D3d11ContextId, records: &mut StateRecords) {
        // `is_immediate` is left out: it is derived from the kind of context.
        let ContextMemory { range, regions, images, written, is_immediate: _ } = self;
        range.save(adapter, context, records);
        let mut put = |kind, handle: &u64, bytes: &[u8]| {
            let (handle, bytes) = (DriverHandle(*handle), Bytes(bytes.to_vec()));
            records.put(&state::HandleBytes { context, handle, kind, bytes });
        };
        regions.iter().for_each(|(handle, bytes)| put(HandleMemoryKind::OWN, handle, bytes));
        images.iter().for_each(|(handle, bytes)| put(HandleMemoryKind::KNOWN, handle, bytes));
        written.iter().for_each(|(handle, bytes)| put(HandleMemoryKind::WRITTEN, handle, bytes));
    }

    /// Restores the memory of one handle from its record.
    pub(crate) fn restore_bytes(&mut self, record: state::HandleBytes) -> Result<(), RestoreError> {
        let state::HandleBytes { context: _, handle, kind, bytes: Bytes(bytes) } = record;
        check_handle::<state::HandleBytes>(handle)?;
        check_handle_bytes::<state::HandleBytes>(bytes.len() as u64)?;
        match kind {
            HandleMemoryKind::OWN => drop(self.regions.insert(handle.0, bytes)),
            HandleMemoryKind::KNOWN => drop(self.images.insert(handle.0, Arc::from(bytes))),
            HandleMemoryKind::WRITTEN => drop(self.written.insert(handle.0, bytes)),
            other => return invalid_value::<_, state::HandleBytes>("a kind of a context's memory", other.0),
        }
        Ok(())
    }
}
