//! The memory of contexts as records.

use super::{ADAPTER_BYTES, CONTEXT_BYTES, ContextMemory, FIRST_ADDRESS, HandleRange};
use crate::records::{RestoreError, StateRecords, check_handle, check_handle_bytes, unsound};
use crate::settings::Settings;
use std::sync::Arc;
use taut_schemas::{AdapterId, Bytes, D3d11ContextId, DriverHandle, HandleMemoryKind, state};

/// Handles in one record.
const PART: usize = 4096;

impl HandleRange {
    /// Writes it down: that of a context, or with null that of an adapter.
    pub(crate) fn save(&self, adapter: AdapterId, context: D3d11ContextId, records: &mut StateRecords) {
        let HandleRange { next, end, free, next_backing, line_bytes } = self;
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

    /// That of a record.
    pub(crate) fn restore(record: &state::HandleRange, settings: &Settings) -> Result<HandleRange, RestoreError> {
        let state::HandleRange { adapter, context: _, next, end, next_mapped, line } = *record;
        let (next, end) = (next.0, end.0);
        let first = FIRST_ADDRESS + (adapter.index() as u64 % (1 << 8)) * ADAPTER_BYTES;
        let half = CONTEXT_BYTES / 2;
        let offset = end.checked_sub(first + half).filter(|offset| *offset < ADAPTER_BYTES);
        let is_range = offset.is_some_and(|offset| {
            let (begins, ends) = (first + offset, end + half);
            offset % CONTEXT_BYTES == 0 && (begins..=end).contains(&next) && (end..=ends).contains(&next_mapped)
        });
        if !is_range && (next, end, next_mapped) != (0, 0, 0) {
            let expected = "the addresses of one of the adapter's contexts";
            return unsound::<_, state::HandleRange>(expected, format_args!("{next:#x} to {end:#x}, {next_mapped:#x}"));
        }
        if line != 0 && line != settings.cache_line_bytes {
            return unsound::<_, state::HandleRange>("the session's cache lines", line);
        }
        Ok(HandleRange { next, end, next_backing: next_mapped, line_bytes: line, ..HandleRange::default() })
    }

    /// Takes up a record.
    pub(crate) fn restore_free(&mut self, record: &state::FreeHandles) -> Result<(), RestoreError> {
        let state::FreeHandles { adapter: _, context: _, size, handles } = record;
        let begins = self.end.saturating_sub(CONTEXT_BYTES / 2);
        if let Some(wrong) = handles.iter().find(|handle| !(begins..self.next).contains(&handle.0)) {
            let found = format_args!("{:#x}", wrong.0);
            return unsound::<_, state::FreeHandles>("handles of the range before it that were used", found);
        }
        // A handle has whole lines.
        check_handle_bytes::<state::FreeHandles>(size.saturating_sub(self.line_bytes))?;
        self.free.entry(*size).or_default().extend(handles.iter().map(|handle| handle.0));
        Ok(())
    }
}

impl ContextMemory {
    /// Writes it down.
    pub(crate) fn save(&self, adapter: AdapterId, context: D3d11ContextId, records: &mut StateRecords) {
        // Whose it is, is the context's.
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

    /// Takes up a record.
    pub(crate) fn restore_bytes(&mut self, record: state::HandleBytes) -> Result<(), RestoreError> {
        let state::HandleBytes { context: _, handle, kind, bytes: Bytes(bytes) } = record;
        check_handle::<state::HandleBytes>(handle)?;
        check_handle_bytes::<state::HandleBytes>(bytes.len() as u64)?;
        match kind {
            HandleMemoryKind::OWN => drop(self.regions.insert(handle.0, bytes)),
            HandleMemoryKind::KNOWN => drop(self.images.insert(handle.0, Arc::from(bytes))),
            HandleMemoryKind::WRITTEN => drop(self.written.insert(handle.0, bytes)),
            other => return unsound::<_, state::HandleBytes>("a kind of a context's memory", other.0),
        }
        Ok(())
    }
}
